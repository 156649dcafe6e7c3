import { expect, it } from 'vitest'
import { memoryLeases } from '#application/testing/memory-leases.ts'
import type { ToChild } from './protocol.ts'
import { type ServedPorts, servePorts } from './served-ports.ts'

it('tells a child whose lease does not come in time of an outage, which is no fault of its job', async () => {
  const leases = memoryLeases()
  const held = await leases.acquire('picture-files', new AbortController().signal)
  const sent: ToChild[] = []
  // Nothing but leases is asked for.
  const ports = { leases, files: {}, eventStore: {} } as unknown as ServedPorts
  const { answer, close } = servePorts(ports, 'nowhere', (message) => sent.push(message))
  await answer({ type: 'ask', id: 1, port: 'leases', method: 'acquire', args: ['picture-files', 1] })
  expect(sent).toEqual([
    expect.objectContaining({ type: 'thrown', error: expect.objectContaining({ name: 'EngineAway' }) }),
  ])
  await held.release()
  await close()
})
