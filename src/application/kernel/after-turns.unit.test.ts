import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { expect, it, vi } from 'vitest'
import { afterTurns } from './after-turns.ts'

it('calls back once the time is over, and never after its end', async () => {
  const late = vi.fn<() => void>()
  afterTurns(1, late)
  const ended = vi.fn<() => void>()
  afterTurns(1, ended).end()
  await vi.waitFor(() => expect(late).toHaveBeenCalledOnce())
  expect(ended).not.toHaveBeenCalled()
})

it('lets what came while this process had no turn be heard first', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  const heard: string[] = []
  const socket = connect(address.port, '127.0.0.1')
  const over = Promise.withResolvers<void>()
  afterTurns(20, () => {
    heard.push('late')
    over.resolve()
  })
  // What takes more than one turn, too.
  socket.once('connect', () => setImmediate(() => heard.push('connected')))
  for (const until = performance.now() + 60; performance.now() < until; );
  await over.promise
  expect(heard).toEqual(['connected', 'late'])
  socket.destroy()
  server.close()
})
