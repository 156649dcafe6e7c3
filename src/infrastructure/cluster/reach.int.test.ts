import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createWebServer } from 'node:http'
import { createServer as createLogServer } from 'node:http2'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../testing/free-port.ts'
import { isHeard, type ServerAddress, whyUnreachable } from './reach.ts'

const testData = join(import.meta.dirname, 'test-data')
// Made for this test alone, for a hundred years.
const [keyFile, caFile] = [join(testData, 'localhost.key.pem'), join(testData, 'localhost.pem')]
const certificate = { key: readFileSync(keyFile), cert: readFileSync(caFile) }

const running: Server[] = []
afterEach(() => {
  for (const server of running.splice(0)) server.close()
})

const placeOf = async (
  server: Server,
  kind: ServerAddress['kind'] = 'redis',
  host = '127.0.0.1',
): Promise<ServerAddress> => {
  running.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return { kind, host, port: address.port, tls: false, caFile: null }
}
const answering = (words: string) => (socket: Socket) =>
  void socket.on('error', () => undefined).once('data', () => socket.end(words))
const redis = answering('-NOAUTH Authentication required.\r\n')

describe('why a server cannot be connected to', () => {
  it('is nothing where it answers as one of its kind', async () => {
    expect(await whyUnreachable(await placeOf(createServer(redis)))).toBeNull()
    expect(await whyUnreachable(await placeOf(createLogServer(), 'log'))).toBeNull()
  })

  it('is not that this process had no turn for longer than is waited for', async () => {
    const place = await placeOf(createServer(redis))
    const asked = whyUnreachable(place)
    // The connection is under way by then, and nothing was heard of it.
    for (let step = 0; step < 50; step += 1) await Promise.resolve()
    for (const until = performance.now() + 2_600; performance.now() < until; );
    expect(await asked).toBeNull()
  })

  it('is the innermost cause, with host and port', async () => {
    const port = await freePort()
    const place = { kind: 'log', host: '127.0.0.1', port, tls: false, caFile: null } as const
    expect(await whyUnreachable(place)).toBe(`127.0.0.1:${port}: connection refused`)
    expect(await whyUnreachable({ ...place, host: 'nowhere.invalid', tls: true })).toMatch(
      /^nowhere\.invalid:\d+: the name of the host /,
    )
  })

  it('is that nothing is answered, or the connection cut', async () => {
    const silent = await placeOf(createServer((socket) => void socket.on('error', () => undefined)))
    expect(await whyUnreachable(silent)).toContain('the connection is taken, and nothing is answered')
    const short = await placeOf(createServer((socket) => socket.destroy()))
    expect(await whyUnreachable(short)).toContain('the connection is cut at once')
  })

  it('is that another kind of server answers there', async () => {
    const other = 'another kind of server answers there'
    expect(await whyUnreachable(await placeOf(createServer(redis), 'mongodb'))).toContain(`${other}: Redis`)
    expect(await whyUnreachable(await placeOf(createLogServer(), 'redis'))).toContain(
      `${other}: one of HTTP/2`,
    )
    expect(await whyUnreachable(await placeOf(createWebServer(), 'redis'))).toContain(
      `${other}: a web server`,
    )
    const odd = await placeOf(createServer(answering('220 mail.example ESMTP\r\n')), 'log')
    expect(await whyUnreachable(odd)).toMatch(new RegExp(`${other}$`))
    expect(await whyUnreachable({ ...(await placeOf(createServer(redis), 'log')), tls: true })).toContain(
      `${other}: Redis`,
    )
  })

  it('knows a server of HTTP/2 that answers others as a web server does', async () => {
    const both = createServer((socket) =>
      socket
        .on('error', () => undefined)
        .once('data', (words: Buffer) =>
          socket.end(
            words.toString('latin1').startsWith('PRI')
              ? Buffer.from('000000040000000000', 'hex')
              : 'HTTP/1.1 400',
          ),
        ),
    )
    expect(await whyUnreachable(await placeOf(both))).toContain('one of HTTP/2, as EventStoreDB is')
  })

  it('is that no TLS is spoken there, or nothing else', async () => {
    const plain = { ...(await placeOf(createServer(redis))), tls: true }
    expect(await whyUnreachable(plain)).toContain('no TLS is spoken there: begin the address with redis://')
    const closed = await placeOf(createTlsServer(certificate, redis))
    expect(await whyUnreachable(closed)).toContain('TLS is spoken there: begin the address with rediss://')
  })

  it('is a certificate that nobody vouches for, unless its file is named', async () => {
    const place = { ...(await placeOf(createTlsServer(certificate, redis), 'redis', 'localhost')), tls: true }
    expect(await whyUnreachable(place)).toBe(`localhost:${place.port}: self-signed certificate`)
    expect(await whyUnreachable({ ...place, caFile })).toBeNull()
    expect(await whyUnreachable({ ...place, anyCertificate: true })).toBeNull()
    expect(await whyUnreachable({ ...place, caFile: join(testData, 'none.pem') })).toContain(
      `there is no file ${join(testData, 'none.pem')}`,
    )
  })

  it('shows the certificate that the address names to a server that asks for one', async () => {
    const asks = createTlsServer({ ...certificate, ca: certificate.cert, requestCert: true }, redis)
    const place = { ...(await placeOf(asks, 'redis', 'localhost')), tls: true, caFile }
    expect(await whyUnreachable(place)).toContain('the connection is cut at once')
    expect(await whyUnreachable({ ...place, own: { certFile: caFile, keyFile } })).toBeNull()
    expect(
      await whyUnreachable({ ...place, own: { certFile: caFile, keyFile: join(testData, 'none.pem') } }),
    ).toContain(`there is no file ${join(testData, 'none.pem')}`)
  })

  it('is a certificate of another host, unless the address allows any', async () => {
    const place = { ...(await placeOf(createTlsServer(certificate, redis))), tls: true, caFile }
    expect(await whyUnreachable(place)).toContain("does not match certificate's altnames")
    expect(await whyUnreachable({ ...place, anyHost: true })).toBeNull()
  })
})

describe('a sign of life', () => {
  /** A server in a thread of its own, which answers whatever this one does. */
  const elsewhere = `
    const { parentPort } = require('node:worker_threads')
    const server = require('node:net').createServer((socket) => socket.once('data', () => socket.write('+PONG\\r\\n')))
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
  `

  it('is heard by a process that stood still meanwhile', async () => {
    const server = new Worker(elsewhere, { eval: true })
    onTestFinished(() => void server.terminate())
    const [port] = (await once(server, 'message')) as [number]
    const heard = isHeard({ kind: 'redis', host: '127.0.0.1', port, tls: false, caFile: null }, 200)
    // Nothing of this thread goes on meanwhile: neither is anything sent nor is it heard.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)
    expect(await heard).toBe(true)
  })

  it('is missed where nothing is answered', async () => {
    const silent = await placeOf(createServer((socket) => void socket.on('error', () => undefined)))
    expect(await isHeard(silent, 200)).toBe(false)
  })
})
