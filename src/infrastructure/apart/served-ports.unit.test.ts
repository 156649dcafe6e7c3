import { expect, it } from 'vitest'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { memoryLeases } from '#application/testing/memory-leases.ts'
import type { ToChild } from './protocol.ts'
import { type ServedPorts, servePorts } from './served-ports.ts'

const never = new AbortController().signal

it('tells a child whose lease does not come in time of an outage, which is no fault of its job', async () => {
  const leases = memoryLeases()
  const held = await leases.acquire('picture-files', new AbortController().signal)
  const sent: ToChild[] = []
  // Nothing but leases is asked for.
  const ports = { leases, files: {}, eventStore: {} } as unknown as ServedPorts
  const { answer, close } = servePorts(ports, 'nowhere', (message) => sent.push(message), never)
  await answer({ type: 'ask', id: 1, port: 'leases', method: 'acquire', args: ['picture-files', 1] })
  expect(sent).toEqual([
    expect.objectContaining({ type: 'thrown', error: expect.objectContaining({ name: 'EngineAway' }) }),
  ])
  await held.release()
  await close()
})

it('writes nothing more for a child whose job is over, as where another process has taken it over', async () => {
  const over = new AbortController()
  const sent: ToChild[] = []
  let appended = 0
  const eventStore = { append: async () => (appended += 1) }
  // Nothing but the log is asked for.
  const ports = { leases: memoryLeases(), files: {}, eventStore } as unknown as ServedPorts
  const { answer, close } = servePorts(ports, 'nowhere', (message) => sent.push(message), over.signal)
  const ask = (id: number) => answer({ type: 'ask', id, port: 'eventStore', method: 'append', args: [] })
  await ask(1)
  over.abort(new EngineAway('mongodb', 'another has taken over'))
  await ask(2)
  expect([appended, sent[1]]).toEqual([
    1,
    expect.objectContaining({ type: 'thrown', error: expect.objectContaining({ name: 'EngineAway' }) }),
  ])
  await close()
})
