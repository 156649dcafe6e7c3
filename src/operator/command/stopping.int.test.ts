import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { readConfig } from '#infrastructure/config/config.ts'
import { freePort } from '#infrastructure/testing/free-port.ts'
import { unlessServerKeepsIt } from './stopping.ts'

/** Settings that name an event log at a port of this machine. */
const logAt = (port: number) => readConfig({ EVENTSTORE_URL: `esdb://127.0.0.1:${port}?tls=false` })
const serve = async (answer: (socket: Socket) => void): Promise<number> => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    answer(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return address.port
}
const never = () => new Promise<never>(() => undefined)

it.each([
  ['is frozen', () => serve(() => undefined)],
  ['is away', () => freePort()],
])('waits no more for a server that %s, once it was stopped', async (_, at) => {
  const stopping = new AbortController()
  const kept = unlessServerKeepsIt(logAt(await at()), stopping.signal, never())
  stopping.abort(new Error('Stopped.'))
  await expect(kept).rejects.toThrow('Stopped.')
})

it('lets a command make things tidy while its servers answer', async () => {
  const port = await serve((socket) => void socket.once('data', () => socket.end('-NOAUTH\r\n')))
  const stopping = new AbortController()
  // Longer than a server may be silent.
  const tidied = pause(1_500, 'tidy')
  const kept = unlessServerKeepsIt(logAt(port), stopping.signal, tidied)
  stopping.abort(new Error('Stopped.'))
  expect(await kept).toBe('tidy')
})

it('waits for a server as long as nobody has stopped it', async () => {
  const work = pause(1_000, 'done')
  expect(await unlessServerKeepsIt(logAt(await freePort()), new AbortController().signal, work)).toBe('done')
})
