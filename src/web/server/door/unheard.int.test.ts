import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serverOf } from './server.ts'

let server: Server
beforeAll(async () => {
  server = serverOf((request, response) => {
    if (request.url === '/half') response.write('half of ')
    else if (request.url === '/later') setImmediate(() => response.end('heard later'))
    else if (request.url === '/body') void text(request).then((body) => response.end(`${body.length} bytes`))
    else response.end('heard')
  }, 'https://art.example')
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** Sends bytes and answers all that comes back until the server ends the connection. */
const sent = async (
  bytes: string,
  more?: { readonly after: string; readonly bytes: string },
): Promise<string> => {
  // Bound to a loopback port: an address with a port.
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(bytes)
  if (more) {
    socket.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes(more.after)) socket.write(more.bytes)
    })
  }
  return text(socket)
}

describe('a request that the site never hears of', () => {
  it('is the last of its connection, whatever was sent ahead', async () => {
    let made = 0
    const count = (): void => void (made += 1)
    server.on('checkExpectation', count)
    const answer = await sent('GET / HTTP/1.1\r\nhost: x\r\nexpect: tea\r\n\r\n'.repeat(500))
    server.off('checkExpectation', count)
    expect([made, answer.match(/HTTP\/1\.1 \d+/g)]).toEqual([1, ['HTTP/1.1 417']])
  })

  it('is one of few that are made of what was sent ahead, where it names no host', async () => {
    let made = 0
    const count = (): void => void (made += 1)
    server.on('request', count)
    await sent('GET / HTTP/1.1\r\n\r\n'.repeat(500))
    server.off('request', count)
    expect(made).toBe(1 + 15 + 1)
  })

  it.each(['GET', 'POST'])(
    'is what follows a %s that asks for another protocol: nothing of it is read',
    async (method) => {
      const ask = (path: string): string =>
        `${method} ${path} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: tea\r\n\r\n`
      expect(await sent(ask('/'))).toMatch(/connection: close[^]*heard/i)
      const connected = once(server, 'connection')
      const answer = sent(ask('/half'), { after: 'half of ', bytes: 'a'.repeat(1_000_000) })
      const [held] = (await connected) as [Socket]
      await expect.poll(() => held.bytesWritten).toBeGreaterThan(0)
      expect(held.isPaused()).toBe(true)
      held.destroySoon()
      expect(await answer).toContain('half of ')
      expect(held.bytesRead).toBe(ask('/half').length)
    },
  )

  const later = 'GET /later HTTP/1.1\r\nhost: x\r\n'
  it.each([
    ['one for another protocol', `${later}upgrade: tea\r\n\r\n{}`],
    ['one that says so rightly', `${later}connection: upgrade\r\nupgrade: tea\r\n\r\n{}`],
    ['two, the last of them', `${later}\r\n${later}connection: close\r\n\r\nx`],
    ['two of different versions', `${later}\r\nGET /later HTTP/1.0\r\n\r\nx`],
    ['two, the second for another protocol', `${later}\r\n${later}upgrade: tea\r\n\r\n{}`],
    ['two, the last of them, and a third', `${later}\r\n${later}connection: close\r\n\r\n${later}\r\n`],
    ['two and no third', `${later}\r\n${later}\r\nBAD\r\n\r\n`],
  ])('keeps no connection that its sender has closed: %s', async (_, bytes) => {
    const connected = once(server, 'connection')
    const answer = sent(bytes)
    const [held] = (await connected) as [Socket]
    await answer
    await expect.poll(() => held.destroyed).toBe(true)
  })

  it('is not the body of one that asks for another protocol', async () => {
    const head =
      'POST /body HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: tea\r\ncontent-length: 4\r\n\r\n'
    expect(await sent(`${head}milk`)).toMatch(/connection: close[^]*4 bytes/i)
  })

  it('is heard with as many headers as anybody sends, and more', async () => {
    const request = `GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${'a:\r\n'.repeat(97)}\r\n`
    expect(await sent(request)).toContain('heard')
  })

  it('is heard without a host where it is older than that rule', async () => {
    expect(await sent('GET / HTTP/1.0\r\n\r\n')).toContain('heard')
  })

  it.each([
    ['no HTTP at all', 'nonsense\r\n\r\n', 400],
    ['headers that are too large', `GET / HTTP/1.1\r\nhost: x\r\na: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['headers that are too many', `GET / HTTP/1.1\r\nhost: x\r\n${'a:\r\n'.repeat(99)}\r\n`, 431],
    ['headers of which not all are kept', `GET / HTTP/1.1\r\nhost: x\r\n${'a:\r\n'.repeat(600)}\r\n`, 431],
    ['an expectation of its own', 'GET / HTTP/1.1\r\nhost: x\r\nexpect: tea\r\n\r\n', 417],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['two hosts', 'GET / HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\n', 400],
    // Closed without an answer, it lets a proxy send nobody here for a while.
    ['a way to elsewhere', 'CONNECT x:443 HTTP/1.1\r\nhost: x:443\r\n\r\n', 405],
  ])('is answered like every other error: %s', async (_, request, status) => {
    const answer = await sent(request)
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head.split('\r\n')[0]).toMatch(new RegExp(`^HTTP/1.1 ${status} \\w`))
    expect(head).toMatch(/\r\nx-request-id: [0-9a-f-]{36}(\r\n|$)/)
    expect(head).toContain('content-type: application/json; charset=utf-8')
    expect(head).toContain('strict-transport-security: ')
    // A body whose length was not told is sent in pieces.
    const json = /\{.*\}/.exec(body)?.[0] ?? ''
    expect(JSON.parse(json)).toEqual({ message: expect.stringMatching(/\w/) })
  })

  it('harms nobody when who asked for a way to elsewhere breaks off', async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => undefined)
    const asked = once(server, 'connect')
    socket.write('CONNECT x:443 HTTP/1.1\r\nhost: x:443\r\n\r\n')
    // What came of the connection, on the server's side.
    const [, there] = (await asked) as [unknown, Socket]
    const closed = once(there, 'close')
    socket.resetAndDestroy()
    await closed
    expect(await sent('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')).toContain('heard')
  })

  it('never speaks into an answer that has begun', async () => {
    const answer = await sent('GET /half HTTP/1.1\r\nhost: x\r\n\r\n', {
      after: 'half of',
      bytes: 'nonsense\r\n\r\n',
    })
    expect(answer).toContain('half of')
    expect(answer).not.toContain('message')
  })
})
