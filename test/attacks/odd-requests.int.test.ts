import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Call, isMutation } from '#web/contract/call.ts'
import { calls } from '#web/contract/calls.ts'
import { signIn, type Site } from '../support/site.ts'
import { describeAttacks } from './under-attack.ts'

const someId = '0f6ee6a5-7f5e-4d55-9d62-2f3a6f3a9a11'
const table = Object.values<Call>(calls)
const pathOf = (call: Call): string => call.path.replaceAll(/\{\w+\}/g, someId)
const typeOf = ({ consumes }: Call): string =>
  ({
    form: 'application/x-www-form-urlencoded',
    multipart: 'multipart/form-data; boundary=x',
    json: 'application/json',
    none: 'application/json',
  })[consumes ?? 'json']

/** Taken for a host, a port or an address by some readers and for nothing by others. */
const hosts = ['[', '[::1', '', '%', 'x:99999', 'x:y', 'user@:1', 'a^b', 'a|b', '<x>', '\\', '[::1]]']

await describeAttacks('odd requests', (start) => {
  let site: Site
  let cookie: string
  beforeAll(async () => {
    site = await start()
    cookie = await signIn(site)
  })
  afterAll(() => site?.stop())

  /** The first line and the body of what bytes are answered with. */
  const sent = async (...parts: readonly (string | Uint8Array)[]) => {
    const socket = connect(Number(new URL(site.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(Buffer.concat(parts.map((part) => Buffer.from(part))))
    const answer = await text(socket)
    return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]), body: answer.split('\r\n\r\n')[1] ?? '' }
  }
  const ownHost = () => `host: ${new URL(site.url).host}\r\nconnection: close\r\ncookie: ${cookie}\r\n`

  it('a target that is no address is 400 on every call', async () => {
    const wrong = []
    for (const call of table)
      for (const host of hosts)
        for (const scheme of ['http', 'https', 'ftp']) {
          const line = `${call.method} ${scheme}://${host}${pathOf(call)} HTTP/1.1`
          const { status } = await sent(`${line}\r\n${ownHost()}\r\n`)
          if (status !== 400) wrong.push([line, status])
        }
    expect(wrong).toEqual([])
  })

  it.each(['//[', '//[#', '/a#[', '//a:b/x', '/%', '/api/%', '/api/artworks/%ff', '/images/%/1.avif', '/?%'])(
    'the path %s is no mistake of the server',
    async (path) => {
      for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE'])
        expect((await sent(`${method} ${path} HTTP/1.1\r\n${ownHost()}\r\n`)).status).toBeLessThan(500)
    },
  )

  it('a whole address is answered as its path is, by whoever answers it', async () => {
    for (const path of ['/healthz', '/', '/api/artworks', '/api/auth/user', '/images/x/y', '/nowhere?a=b']) {
      const { status } = await fetch(site.url + path, { headers: { cookie } })
      expect((await sent(`GET http://x${path} HTTP/1.1\r\n${ownHost()}\r\n`)).status).toBe(status)
    }
  })

  it.each(['/healthz', '/readyz', '/', '/admin', '/api/artworks', '/api/auth/user', '/assets/x.js'])(
    'a second Host is 400 at %s',
    async (path) => {
      for (const second of ['host: evil.example', 'HOST: x', `Host: ${new URL(site.url).host}`]) {
        const answer = await sent(`GET ${path} HTTP/1.1\r\n${ownHost()}${second}\r\n\r\n`)
        expect(answer.status).toBe(400)
        expect(answer.body).toContain('two hosts')
      }
    },
  )

  it('a packed body that is not what Content-Encoding says is 400 on every call, an unknown packing 415', async () => {
    const plain = Buffer.from('{"username":"admin"}')
    const [gzip, br] = [gzipSync(plain), brotliCompressSync(plain)]
    const untrue = [
      ['br', plain],
      ['br', gzip],
      ['br', br.subarray(0, 8)],
      ['Br', plain],
      ['gzip', plain],
      ['gzip', br],
      ['gzip', gzip.subarray(0, 20)],
      ['gzip', Buffer.concat([gzip, plain])],
      ['deflate', plain],
    ] as const
    const unknown = [
      ['zstd', plain],
      ['gzip, br', gzip],
      ['x', plain],
    ] as const
    const wrong = []
    for (const call of table.filter((each) => isMutation(each) && each.consumes !== undefined))
      for (const [cases, expected] of [
        [untrue, call.consumes === 'multipart' ? 415 : 400],
        [unknown, 415],
      ] as const)
        for (const [packing, bytes] of cases) {
          const head = `content-type: ${typeOf(call)}\r\ncontent-encoding: ${packing}\r\ncontent-length: ${bytes.length}`
          const line = `${call.method} ${pathOf(call)} HTTP/1.1`
          const { status } = await sent(`${line}\r\n${ownHost()}${head}\r\n\r\n`, bytes)
          if (status !== expected) wrong.push([line, packing, status])
        }
    expect(wrong).toEqual([])
  })

  it('a packed body that is what it says is taken, however its packing is spelt', async () => {
    const body = '{"title":"","imageUrl":""}'
    const compressed = [
      ['gzip', gzipSync(body)],
      ['GZIP', gzipSync(body)],
      ['deflate', deflateSync(body)],
      ['br', brotliCompressSync(body)],
      ['Identity', Buffer.from(body)],
    ] as const
    for (const [packing, bytes] of compressed) {
      const head = `content-type: application/json\r\ncontent-encoding: ${packing}\r\ncontent-length: ${bytes.length}`
      const answer = await sent(`POST /api/artworks HTTP/1.1\r\n${ownHost()}${head}\r\n\r\n`, bytes)
      expect([packing, answer.status]).toEqual([packing, 422])
      expect(answer.body).toContain('Title is required')
    }
  })
})
