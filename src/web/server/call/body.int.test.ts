import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import Koa from 'koa'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { limits } from '#web/contract/limits.ts'
import { createLog } from '#infrastructure/log/log.ts'
import { readBody } from './body.ts'
import { answerErrors } from '../door/error-answers.ts'
import { moduleErrors } from '../module-errors.ts'

const closing: (() => void)[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const close of closing.splice(0)) close()
})

/** A server whose only call reads a body. */
const serve = async (sender: 'visitor' | 'owner'): Promise<Socket> => {
  const koa = new Koa()
  koa.use(answerErrors(moduleErrors, createLog('silent')))
  koa.use(async (ctx) => {
    ctx.body = { read: await readBody(ctx, { consumes: 'json' }, sender) }
  })
  const handle = koa.callback()
  const server = createServer((request, response) => void handle(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // Listening on a port, so its address is not a path.
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  closing.push(() => {
    socket.destroy()
    server.closeAllConnections()
    server.close()
  })
  return socket
}

describe('a body that drips', () => {
  it.each([
    ['visitor', limits.visitorBodyMs],
    ['owner', limits.ownerBodyMs],
  ] as const)('sent by the %s is 408 once its time is over, and not before', async (sender, withinMs) => {
    const socket = await serve(sender)
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
    await vi.waitUntil(() => answer !== '')
    clearInterval(drip)
    socket.end()
    await gone
    expect(answer).toMatch(/^HTTP\/1\.1 408 [^]*The request took too long to arrive/)
  })
})
