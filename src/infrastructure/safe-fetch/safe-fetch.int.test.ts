import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SafeFetch } from '#application/kernel/ports/safe-fetch.ts'
import { freePort } from '../testing/free-port.ts'
import { openSafeFetch, type SafeFetchOptions } from './safe-fetch.ts'

let folder = ''
const servers: Server[] = []
const opened: SafeFetch[] = []
const serve = async (listener: RequestListener, host = '127.0.0.1'): Promise<string> => {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  // A server on TCP has an address of this shape once it listens.
  const { port } = server.address() as AddressInfo
  return `http://${host}:${port}`
}
const open = (options: SafeFetchOptions): SafeFetch => {
  const safe = openSafeFetch(options)
  opened.push(safe)
  return safe
}
const maxBytes = 100_000
const failing = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'came through',
    (error: unknown) => error,
  )

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-fetch-'))
})
afterEach(async () => {
  for (const safe of opened.splice(0)) await safe.close()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
  await rm(folder, { recursive: true, force: true })
})

describe('where it does not go', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f.1:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://0.0.0.0:PORT/',
    'http://localhost:PORT/',
    'http://①②⑦.⓪.⓪.①:PORT/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/latest/meta-data/',
  ])('%s', async (address) => {
    let reached = 0
    const base = await serve((_request, response) => {
      reached++
      response.end('secret')
    })
    const url = address.replace('PORT', new URL(base).port)
    expect(await failing(open({}).get({ url, maxBytes }))).toMatchObject({
      name: 'SafeFetchError',
      failure: 'private',
      message: expect.stringMatching(/private network.*Give a public address/),
    })
    expect(reached).toBe(0)
  })

  it('a name that resolves to a private address, also among public ones', async () => {
    const safe = open({
      resolve: async (host) =>
        host === 'both.example'
          ? [
              { address: '93.184.216.34', family: 4 },
              { address: '10.0.0.1', family: 4 },
            ]
          : [{ address: '::ffff:192.168.0.1', family: 6 }],
    })
    expect(await failing(safe.get({ url: 'http://both.example/', maxBytes }))).toMatchObject({
      failure: 'private',
    })
    expect(await failing(safe.get({ url: 'https://mapped.example/', maxBytes }))).toMatchObject({
      failure: 'private',
    })
  })

  it.each([
    'ftp://example.org/a',
    'file:///etc/passwd',
    'data:text/plain,a',
    'javascript:alert(1)',
    'example.org',
    '',
  ])('what is no web address: %s', async (url) => {
    expect(await failing(open({}).get({ url, maxBytes }))).toMatchObject({ failure: 'address' })
  })

  it('an address with a password in it', async () => {
    expect(await failing(open({}).get({ url: 'https://a:b@example.org/', maxBytes }))).toMatchObject({
      failure: 'address',
    })
  })

  // The one address that counts as public here is 127.0.0.1.
  const onlyHome = { isAllowed: (address: string) => address === '127.0.0.1' }

  it.each([
    'http://127.0.0.2:PORT/',
    'http://[::1]:PORT/',
    'http://localhost:PORT/',
    'file:///etc/passwd',
    '//2130706434:PORT/',
  ])('where a redirect leads: %s', async (target) => {
    let reached = 0
    const inside = await serve((_request, response) => {
      reached++
      response.end('secret')
    }, '127.0.0.2')
    const base = await serve((_request, response) => {
      response.writeHead(302, { location: target.replace('PORT', new URL(inside).port) }).end()
    })
    const safe = open({ ...onlyHome, resolve: async () => [{ address: '127.0.0.2', family: 4 }] })
    expect(await failing(safe.get({ url: base, maxBytes }))).toMatchObject({
      failure: target.startsWith('file') ? 'address' : 'private',
    })
    expect(reached).toBe(0)
  })

  it('reaches private addresses only when the setting allows it', async () => {
    const base = await serve((_request, response) => response.end('hello'))
    expect(
      Buffer.from((await open({ allowPrivate: true }).get({ url: base, maxBytes })).body).toString(),
    ).toBe('hello')
  })
})

describe('what it brings', () => {
  const safe = (): SafeFetch => open({ allowPrivate: true })

  it('follows redirects up to five and tells the address that answered', async () => {
    const base = await serve((request, response) => {
      const left = Number(request.url?.slice(1))
      if (left === 0) response.writeHead(200, { 'content-type': 'Text/HTML; Charset="UTF-8"' }).end('there')
      else response.writeHead(301, { location: `/${left - 1}` }).end('moved')
    })
    expect(await safe().get({ url: `${base}/5`, maxBytes })).toMatchObject({
      status: 200,
      url: `${base}/0`,
      charset: 'utf-8',
    })
    expect(await failing(safe().get({ url: `${base}/6`, maxBytes }))).toMatchObject({ failure: 'redirects' })
  })

  it('asks conditionally and tells 304', async () => {
    const base = await serve((request, response) => {
      const same =
        request.headers['if-none-match'] === '"1"' && request.headers['if-modified-since'] === 'yesterday'
      response
        .writeHead(same ? 304 : 200, { etag: '"1"', 'last-modified': 'yesterday' })
        .end(same ? undefined : 'new')
    })
    const first = await safe().get({ url: base, maxBytes })
    expect(first).toMatchObject({ status: 200, validators: { etag: '"1"', lastModified: 'yesterday' } })
    const again = await safe().get({ url: base, maxBytes, validators: first.validators })
    expect([again.status, again.body.byteLength]).toEqual([304, 0])
  })

  it('remembers no state of a page in more words than anybody needs', async () => {
    const base = await serve((_request, response) =>
      response.writeHead(200, { etag: `"${'1'.repeat(7_000)}"`, 'last-modified': 'yesterday' }).end('new'),
    )
    const { validators } = await safe().get({ url: base, maxBytes })
    expect(validators).toEqual({ etag: null, lastModified: 'yesterday' })
  })

  it('gives the body of an error answer too', async () => {
    const base = await serve((_request, response) => response.writeHead(500).end('broken'))
    expect(await safe().get({ url: base, maxBytes })).toMatchObject({ status: 500 })
  })

  it('refuses more than was allowed, by the header, while reading, and after decompression', async () => {
    let sent = 0
    const base = await serve((request, response) => {
      if (request.url === '/header')
        response.writeHead(200, { 'content-length': 200_000 }).end(Buffer.alloc(200_000))
      else if (request.url === '/gzip')
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(5_000_000)))
      else {
        const more = (): void => {
          while (sent < 500_000_000 && !response.destroyed) {
            sent += 65_536
            if (!response.write(Buffer.alloc(65_536))) break
          }
        }
        response.on('drain', more)
        more()
      }
    })
    for (const path of ['/header', '/endless', '/gzip'])
      expect(await failing(safe().get({ url: base + path, maxBytes }))).toMatchObject({
        failure: 'too-large',
        message: expect.stringMatching(/larger than 100 kB/),
      })
    expect(sent).toBeLessThan(100_000_000)
  })

  it('gives up on a server that drips, and on one that says nothing', async () => {
    const base = await serve((request, response) => {
      if (request.url === '/silent') return
      response.write('a')
      const drip = setInterval(() => response.write('a'), 10)
      response.on('close', () => clearInterval(drip))
    })
    for (const path of ['/drip', '/silent'])
      expect(await failing(safe().get({ url: base + path, maxBytes, timeoutMs: 150 }))).toMatchObject({
        failure: 'too-slow',
      })
  })

  it('gives up on a body in pieces of one byte, each of which costs as much as a long one', async () => {
    const base = await serve((_, response) => {
      for (let piece = 0; piece < 10_000; piece += 1) response.write('a')
    })
    const inPieces = { failure: 'too-slow', message: expect.stringContaining('in pieces of a few bytes') }
    expect(await failing(open({ allowPrivate: true }).get({ url: base, maxBytes }))).toMatchObject(inPieces)
  })

  it('gives up on announcements of an answer that never comes', async () => {
    const base = await serve((request) => {
      const announce = (): void => {
        while (request.socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)));
      }
      request.socket.on('drain', announce)
      announce()
    })
    const announced = { failure: 'too-slow', message: expect.stringContaining('goes on announcing') }
    expect(await failing(safe().get({ url: base, maxBytes }))).toMatchObject(announced)
  })

  it('takes an answer that was announced', async () => {
    const base = await serve((_request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' })
      response.end('hello')
    })
    expect(Buffer.from((await safe().get({ url: base, maxBytes })).body).toString()).toBe('hello')
  })

  it('keeps no connection, whatever the server asks: a blog may name a host for each image', async () => {
    let isOpen = 0
    const base = await serve((_request, response) =>
      response.writeHead(404, { connection: 'keep-alive', 'keep-alive': 'timeout=600' }).end(),
    )
    const [server] = servers
    if (server) server.keepAliveTimeout = 0
    server?.on('connection', (socket) => {
      isOpen += 1
      socket.once('close', () => (isOpen -= 1))
    })
    const fetching = safe()
    for (let n = 0; n < 5; n += 1) await fetching.download({ url: base, maxBytes }, join(folder, 'a'))
    await expect.poll(() => isOpen).toBe(0)
  })

  it('stops when the caller does, with the caller’s reason', async () => {
    const base = await serve(() => {})
    const control = new AbortController()
    const work = failing(safe().get({ url: base, maxBytes, signal: control.signal }))
    control.abort(new Error('stopping'))
    expect(await work).toMatchObject({ message: 'stopping' })
  })

  it('says in words that nobody is there', async () => {
    const base = await serve((request) => request.socket.destroy())
    expect(await failing(safe().get({ url: base, maxBytes }))).toMatchObject({
      failure: 'unreachable',
      message: expect.stringMatching(/broke off/),
    })
    const nobody = `http://127.0.0.1:${await freePort()}`
    expect(await failing(safe().get({ url: nobody, maxBytes }))).toMatchObject({
      failure: 'unreachable',
      message: expect.stringMatching(/refuses connections/),
    })
    const lost = open({
      resolve: () => Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })),
    })
    expect(await failing(lost.get({ url: 'http://nobody.invalid/', maxBytes }))).toMatchObject({
      failure: 'unreachable',
      message: expect.stringMatching(/no site called nobody.invalid/),
    })
  })

  it('downloads into a new file that only its owner reads', async () => {
    const base = await serve((_request, response) =>
      response.writeHead(200, { 'content-type': 'image/png' }).end('picture'),
    )
    const path = join(folder, 'a')
    expect(await safe().download({ url: base, maxBytes }, path)).toMatchObject({
      status: 200,
    })
    expect(await readFile(path, 'utf8')).toBe('picture')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('leaves no file behind for a refusal, a body that is too large or a broken connection', async () => {
    const base = await serve((request, response) => {
      if (request.url === '/404') response.writeHead(404).end('none')
      else if (request.url === '/large') response.end(Buffer.alloc(200_000))
      else response.writeHead(200, { 'content-length': 1000 }).write('half', () => response.destroy())
    })
    expect(await safe().download({ url: `${base}/404`, maxBytes }, join(folder, 'a'))).toMatchObject({
      status: 404,
    })
    expect(
      await failing(safe().download({ url: `${base}/large`, maxBytes }, join(folder, 'b'))),
    ).toMatchObject({ failure: 'too-large' })
    expect(
      await failing(safe().download({ url: `${base}/half`, maxBytes }, join(folder, 'c'))),
    ).toMatchObject({ failure: 'unreachable' })
    expect(await readdir(folder)).toEqual([])
  })
})
