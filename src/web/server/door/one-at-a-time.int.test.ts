import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const serve = async (answer: RequestListener): Promise<{ server: Server; open: () => Socket }> => {
  const server = createServer(oneAtATime(answer))
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
  socket.write(ask(pathsOf(15)) + last)
  const heard = [...(await text(socket)).matchAll(/<(.*?)>/g)].map(([, path]) => path)
  expect(heard).toEqual([...pathsOf(15), '/last'])
})

it('takes up one of a connection at once, and none of one that was closed', async () => {
  const begun: string[] = []
  const unanswered: ServerResponse[] = []
  const { server, open } = await serve((request, response) => {
    begun.push(request.url ?? '')
    unanswered.push(response)
  })
  let isGone = false
  server.once('connection', (accepted: Socket) => accepted.once('close', () => (isGone = true)))
  const socket = open()
  socket.write(ask(pathsOf(16)))
  await expect.poll(() => begun).toEqual(['/0'])
  const other = open()
  other.write(ask(['/other']))
  await expect.poll(() => begun).toEqual(['/0', '/other'])
  socket.destroy()
  // That it was closed is seen when something is written to it.
  const answered = () => {
    for (const response of unanswered.splice(0)) response.end('late')
    return isGone
  }
  await expect.poll(answered).toBe(true)
  other.write(last)
  await expect.poll(() => begun).toContain('/last')
  expect(begun).not.toContain('/15')
})

it('reads nothing more of a connection on which some wait', async () => {
  let heard = 0
  const { server, open } = await serve(() => (heard += 1))
  const connected = once(server, 'connection')
  const socket = open()
  const [held] = (await connected) as [Socket]
  socket.write(ask(pathsOf(10)))
  await expect.poll(() => heard).toBe(1)
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
  expect([heard, made]).toEqual([1, 1 + 15 + 1])
  // The parser of a connection that was closed is used again.
  const other = open()
  other.write(last)
  await expect.poll(() => heard).toBe(2)
})

it('gives others a turn between a few of what many connections have sent ahead', async () => {
  const begun: string[] = []
  const { open } = await serve((request, response) => {
    begun.push(request.url ?? '')
    if (request.url === '/first') return
    response.end()
  })
  const first = open()
  first.write(ask(['/first']))
  await expect.poll(() => begun).toEqual(['/first'])
  const turns: number[] = []
  let before = begun.length
  let isOver = false
  const count = (): void => {
    turns.push(begun.length - before)
    before = begun.length
    if (!isOver) setImmediate(count)
  }
  for (let n = 0; n < 40; n += 1) open().write(ask(['/now', ...Array<string>(9).fill('/ahead')]))
  setImmediate(count)
  await expect.poll(() => begun).toHaveLength(1 + 400)
  isOver = true
  // A turn is counted from its middle to the next one's.
  expect(Math.max(...turns)).toBeLessThanOrEqual(2 * 8)
})

it('gives newcomers a turn between a few of what many connections ask at the same time', async () => {
  const unanswered: ServerResponse[] = []
  const { server, open } = await serve((_request, response) => void unanswered.push(response))
  let accepted = 0
  server.on('connection', () => (accepted += 1))
  const sockets = Array.from({ length: 100 }, open)
  await expect.poll(() => accepted).toBe(100)
  let most = 0
  let before = 0
  const count = (): void => {
    most = Math.max(most, unanswered.length - before)
    before = unanswered.length
    if (before < 100) setImmediate(count)
  }
  for (const socket of sockets) socket.write(last)
  setImmediate(count)
  await expect.poll(() => unanswered).toHaveLength(100)
  expect(most).toBeLessThanOrEqual(2 * 8)
  for (const response of unanswered) response.end('heard')
  expect(await Promise.all(sockets.map(text))).toEqual(
    Array.from({ length: 100 }, () => expect.stringContaining('heard')),
  )
})

it('begins none that has waited for its turn on a connection that was closed meanwhile', async () => {
  const begun: string[] = []
  const { server, open } = await serve((request, response) => {
    begun.push(request.url ?? '')
    response.end()
  })
  const closed: string[] = []
  let accepted = 0
  server.on('connection', () => (accepted += 1))
  const sockets = Array.from({ length: 30 }, open)
  await expect.poll(() => accepted).toBe(30)
  server.on('request', ({ url = '', socket }) => {
    if (begun.includes(url)) return
    socket.destroy()
    closed.push(url)
  })
  for (const [n, socket] of sockets.entries()) socket.write(ask([`/${n}`]))
  await expect.poll(() => begun.length + closed.length).toBe(30)
  await new Promise(setImmediate)
  expect(begun.filter((path) => closed.includes(path))).toEqual([])
  expect(closed).not.toEqual([])
})

it('lets go of a connection that sends ahead while a thousand requests wait on others, until these are gone', async () => {
  const { server, open } = await serve((request, response) => {
    if (request.url === '/answered') response.end('answered')
  })
  const held: Socket[] = []
  let made = 0
  server.on('connection', (socket: Socket) => held.push(socket))
  server.on('request', () => (made += 1))
  const answersTo = async (...asked: readonly string[]): Promise<number> => {
    const socket = open()
    socket.write(asked.join(''))
    return (await text(socket)).match(/answered/g)?.length ?? 0
  }
  const answered = ask(['/answered'])
  const lastAnswered = last.replace('/last', '/answered')
  for (let n = 0; n < 100; n += 1) open().write(ask(pathsOf(11)))
  await expect.poll(() => made).toBe(1_100)
  expect(await answersTo(answered, lastAnswered)).toBeLessThan(2)
  // Whoever sends nothing ahead is heard.
  expect(await answersTo(lastAnswered)).toBe(1)
  for (const socket of held) socket.destroy()
  await expect.poll(() => answersTo(answered, lastAnswered)).toBe(2)
})
