import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import Koa from 'koa'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { limits } from '#web/contract/limits.ts'
import { createLog } from '#infrastructure/log/log.ts'
import { readBody } from './body.ts'
import { answerErrors } from '../door/error-answers.ts'
import { moduleErrors } from '../module-errors.ts'

/** What is unpacked waits for it. */
const unpacking = vi.hoisted(() => ({ mayBegin: Promise.resolve() }))

vi.mock(import('node:zlib'), async (original) => {
  const actual = await original()
  const gunzip = (...asked: Parameters<typeof actual.gunzip>): void =>
    void unpacking.mayBegin.then(() => actual.gunzip(...asked))
  // Asked for by its bytes, options and a callback alone.
  return { ...actual, gunzip: gunzip as typeof actual.gunzip }
})

const closing: (() => void)[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const close of closing.splice(0)) close()
})

/** A server whose only call reads a body. @returns opens a connection to it */
const listen = async (visitor: string | null): Promise<() => Socket> => {
  const koa = new Koa()
  // Whoever leaves in the middle is no news here.
  koa.silent = true
  koa.use(answerErrors(moduleErrors, createLog('silent')))
  koa.use(async (ctx) => {
    ctx.body = { read: await readBody(ctx, { consumes: 'json' }, visitor) }
  })
  const handle = koa.callback()
  const server = createServer((request, response) => void handle(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return () => {
    // Listening on a port, so its address is not a path.
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    closing.push(() => void socket.destroy())
    return socket
  }
}

const visitor = '203.0.113.7'

const head = (...more: readonly string[]): string =>
  `${['POST / HTTP/1.1', 'host: x', 'content-type: application/json', ...more].join('\r\n')}\r\n\r\n`

/** Resolves with the first answer on a connection. */
const answerOn = async (socket: Socket): Promise<string> => {
  const pieces: Buffer[] = []
  for await (const piece of socket) {
    pieces.push(piece as Buffer) // without an encoding
    const text = String(Buffer.concat(pieces))
    if (/\r\n\r\n./s.test(text)) return text
  }
  return String(Buffer.concat(pieces))
}

/** Sends one request whole. @returns the answer */
const answerTo = async (
  open: () => Socket,
  body: string | Buffer,
  ...more: readonly string[]
): Promise<string> => {
  const socket = open()
  socket.write(head('connection: close', `content-length: ${Buffer.byteLength(body)}`, ...more))
  socket.write(body)
  return answerOn(socket)
}

describe('a body that drips', () => {
  it.each([
    ['visitor', limits.visitorBodyMs],
    ['owner', limits.ownerBodyMs],
  ] as const)('sent by the %s is 408 once its time is over, and not before', async (sender, withinMs) => {
    const socket = (await listen(sender === 'visitor' ? visitor : null))()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    // A reset after the answer is a valid end: what was sent on is not read any more.
    let answer = ''
    socket.on('error', () => undefined)
    const gone = new Promise((resolve) => socket.once('close', resolve))
    socket.write('POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n')
    socket.write('content-length: 1000\r\n\r\n{"a":')
    const drip = setInterval(() => socket.write(' '), 20)
    socket.once('close', () => clearInterval(drip))
    socket.on('data', (piece: Buffer) => (answer += String(piece)))
    // Waiting moves the clock on by a little each time.
    await vi.waitUntil(() => vi.getTimerCount() > 0, { interval: 1 })
    vi.advanceTimersByTime(withinMs - 5_000)
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
    expect(answer).toBe('')
    vi.advanceTimersByTime(5_000)
    await expect.poll(() => answer).not.toBe('')
    clearInterval(drip)
    socket.end()
    await gone
    expect(answer).toMatch(/^HTTP\/1\.1 408 [^]*The request took too long to arrive/)
  })
})

describe('the body of a visitor', () => {
  it('says how long it is; the owner may send hers in pieces', async () => {
    const pieces = `${head('connection: close', 'transfer-encoding: chunked')}2\r\n{}\r\n0\r\n\r\n`
    for (const [sender, expected] of [
      [visitor, /^HTTP\/1\.1 411 [^]*Send the body with its Content-Length/],
      [null, /^HTTP\/1\.1 200 [^]*\{"read":\{\}\}/],
    ] as const) {
      const socket = (await listen(sender))()
      socket.write(pieces)
      expect(await answerOn(socket)).toMatch(expected)
    }
  })

  it('is not parsed where it is thousands of brackets or fields, and is however many stand in a text', async () => {
    const open = await listen(visitor)
    const fields = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`f${n}`, 1]))
    for (const intricate of [
      '['.repeat(60_000),
      JSON.stringify(fields),
      `{"a":"\\\\",${'{'.repeat(2_000)}`,
    ]) {
      expect(await answerTo(open, intricate)).toMatch(/^HTTP\/1\.1 400 [^]*more than any call takes/)
    }
    const text = JSON.stringify({ message: `"\\${'[{:,'.repeat(1_250)}` })
    expect(await answerTo(open, text)).toContain(`{"read":${text}}`)
    expect(await answerTo(await listen(null), JSON.stringify(fields))).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('reaches no prototype, however the name is written', async () => {
    const open = await listen(visitor)
    for (const name of ['__proto__', '\\u005f_proto__', '__prot\\u006F__'])
      expect(await answerTo(open, `{"a":{"${name}":1}}`)).toMatch(/^HTTP\/1\.1 422 /)
  })

  it('is unpacked once all of it is there, and to no more than it may be', async () => {
    const open = await listen(visitor)
    const compressed = (bytes: number): Buffer => gzipSync(JSON.stringify({ a: 'x'.repeat(bytes) }))
    expect(await answerTo(open, compressed(60_000), 'content-encoding: gzip')).toMatch(/^HTTP\/1\.1 200 /)
    expect(await answerTo(open, compressed(70_000), 'content-encoding: gzip')).toMatch(
      /^HTTP\/1\.1 413 [^]*64 kB/,
    )
  })

  it('is refused where many wait to be unpacked, of whatever addresses', async () => {
    const gate = Promise.withResolvers<void>()
    unpacking.mayBegin = gate.promise
    const doors = [await listen(visitor), await listen('203.0.113.8')]
    const bytes = gzipSync('{}')
    const said: string[] = []
    const answers = Array.from({ length: 40 }, async (_, n) => {
      const open = doors[n % 2] ?? expect.fail()
      said.push((await answerTo(open, bytes, 'content-encoding: gzip')).slice(9, 12))
    })
    await expect.poll(() => said).toEqual(Array.from({ length: 7 }, () => '503'))
    gate.resolve()
    await Promise.all(answers)
    expect(said.filter((status) => status === '200')).toHaveLength(33)
  })

  it('that is begun and not ended is let go before another of its address waits, and no one of another', async () => {
    const [open, elsewhere] = [await listen(visitor), await listen('203.0.113.8')]
    const other = elsewhere()
    const begun = Array.from({ length: 50 }, open)
    const gone: number[] = []
    for (const [number, socket] of begun.entries()) socket.once('close', () => gone.push(number))
    // Each is told to go on by the one who is about to read it.
    for (const socket of [other, ...begun]) {
      socket.write(head('content-length: 2', 'expect: 100-continue'))
      await once(socket, 'data')
    }
    expect(gone).toEqual([])
    for (let more = 1; more <= 3; more += 1) {
      const late = open()
      late.write(head('content-length: 2', 'expect: 100-continue'))
      await expect.poll(() => gone).toHaveLength(more)
    }
    expect(gone).toEqual([0, 1, 2])
    expect(await answerTo(open, '{}')).toMatch(/^HTTP\/1\.1 200 /)
    other.write('{}')
    expect(await answerOn(other)).toMatch(/^HTTP\/1\.1 200 /)
  })
})
