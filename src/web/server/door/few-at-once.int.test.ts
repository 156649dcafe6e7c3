import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it, vi } from 'vitest'
import { fewAtOnce } from './few-at-once.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const serve = async (answer: RequestListener): Promise<{ server: Server; open: () => Socket }> => {
  const server = createServer(fewAtOnce(answer))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    server,
    open: () => {
      // Listening on a port, so its address is not a path.
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
      socket.on('error', () => undefined)
      closing.push(() => socket.destroy())
      return socket
    },
  }
}

const pathsOf = (asked: number): readonly string[] => Array.from({ length: asked }, (_, n) => `/${n}`)
const ask = (paths: readonly string[]): string =>
  paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join('')
const last = 'GET /last HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'

it('answers all that is sent ahead, in its order', async () => {
  const { open } = await serve((request, response) => {
    setImmediate(() => response.end(`<${request.url}>`))
  })
  const socket = open()
  socket.write(ask(pathsOf(60)) + last)
  const heard = [...(await text(socket)).matchAll(/<(.*?)>/g)].map(([, path]) => path)
  expect(heard).toEqual([...pathsOf(60), '/last'])
})

it('takes up a few of a connection at once, and none of one that was closed', async () => {
  const taken: ServerResponse[] = []
  const { server, open } = await serve((_, response) => void taken.push(response))
  const gone = new Promise((resolve) => {
    server.once('connection', (accepted: Socket) => accepted.once('close', resolve))
  })
  const socket = open()
  socket.write(ask(pathsOf(60)))
  await vi.waitFor(() => expect(taken).toHaveLength(16))
  const other = open()
  other.write(ask(['/']))
  await vi.waitFor(() => expect(taken).toHaveLength(17))
  socket.destroy()
  for (const response of taken.splice(0)) response.end('late')
  await gone
  await once(other, 'data')
  other.write(last)
  await vi.waitFor(() => expect(taken).toHaveLength(1))
})

it('reads nothing more of a connection on which some wait', async () => {
  let heard = 0
  const { server, open } = await serve(() => (heard += 1))
  const connected = once(server, 'connection')
  const socket = open()
  const [held] = (await connected) as [Socket]
  socket.write(ask(pathsOf(20)))
  await vi.waitFor(() => expect(heard).toBe(16))
  expect(held.isPaused()).toBe(true)
  const read = held.bytesRead
  socket.write(ask(pathsOf(1_000)))
  await new Promise(setImmediate)
  expect(held.bytesRead).toBe(read)
})

it('lets go of a connection that has sent more ahead than anybody does, and makes nothing of the rest', async () => {
  let heard = 0
  const { server, open } = await serve(() => (heard += 1))
  const connected = once(server, 'connection')
  const socket = open()
  const [held] = (await connected) as [Socket]
  const closed = once(held, 'close')
  let made = 0
  server.on('request', () => (made += 1))
  socket.write(ask(pathsOf(2_000)))
  await closed
  expect([heard, made]).toEqual([16, 16 + 48 + 1])
  // The parser of a connection that was closed is used again.
  const other = open()
  other.write(last)
  await vi.waitFor(() => expect(heard).toBe(17))
})
