import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort } from '../testing/free-port.ts'
import { type ServerAddress, whyUnreachable } from './reach.ts'

const testData = join(import.meta.dirname, 'test-data')
const running: Server[] = []
afterEach(() => {
  for (const server of running.splice(0)) server.close()
})

const placeOf = async (server: Server): Promise<ServerAddress> => {
  running.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return { host: '127.0.0.1', port: address.port, tls: false, caFile: null }
}

describe('why a server cannot be connected to', () => {
  it('is nothing where it takes the connection', async () => {
    expect(await whyUnreachable(await placeOf(createServer()))).toBeNull()
  })

  it('is the innermost cause, with host and port', async () => {
    const port = await freePort()
    expect(await whyUnreachable({ host: '127.0.0.1', port, tls: false, caFile: null })).toBe(
      `127.0.0.1:${port}: connection refused`,
    )
    expect(await whyUnreachable({ host: 'nowhere.invalid', port, tls: true, caFile: null })).toMatch(
      /^nowhere\.invalid:\d+: the name of the host /,
    )
  })

  it('is that no TLS is spoken there', async () => {
    const place = await placeOf(createServer((socket) => socket.end('hello, this is no TLS at all\r\n')))
    expect(await whyUnreachable({ ...place, tls: true })).toContain('no TLS is spoken there')
  })

  it('is a certificate that nobody vouches for, unless its file is named', async () => {
    // Made for this test alone, for a hundred years.
    const [keyFile, caFile] = [join(testData, 'localhost.key.pem'), join(testData, 'localhost.pem')]
    const server = createTlsServer({ key: readFileSync(keyFile), cert: readFileSync(caFile) })
    const place = { ...(await placeOf(server)), host: 'localhost', tls: true }
    expect(await whyUnreachable(place)).toBe(`localhost:${place.port}: self-signed certificate`)
    expect(await whyUnreachable({ ...place, caFile })).toBeNull()
    expect(await whyUnreachable({ ...place, caFile: join(testData, 'none.pem') })).toContain('none.pem')
  })
})
