import { existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { isPublicAddress } from '#infrastructure/safe-fetch/addresses.ts'
import { openSafeFetch } from '#infrastructure/safe-fetch/safe-fetch.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A server for one test; answers its origin. */
const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Listening on a port, so its address is not a path.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const guarded = openSafeFetch({ allowPrivate: false })
const open = openSafeFetch({ allowPrivate: true })
const maxBytes = 1024
const newPath = (): string => join(mkdtempSync(join(tmpdir(), 'atelier-fetch-')), 'file')

describe('the guarded fetch', () => {
  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://127.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a00:1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://192.168.1.1/',
    'http://0.0.0.0/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
  ])('does not reach %s', async (url) => {
    await expect(guarded.get({ url, maxBytes })).rejects.toMatchObject({ failure: 'private' })
  })

  it('does not reach this machine behind a name', async () => {
    let asked = 0
    const origin = await serve((_, response) => {
      asked += 1
      response.end('secret')
    })
    const url = origin.replace('127.0.0.1', 'localhost')
    await expect(guarded.get({ url, maxBytes })).rejects.toMatchObject({ failure: 'private' })
    expect(asked).toBe(0)
  })

  it.each([
    'file:///etc/passwd',
    'ftp://a.example/',
    'javascript:1',
    'not an address',
    'http://me:secret@a.example/',
  ])('does not take %s for a web address', async (url) => {
    await expect(open.get({ url, maxBytes })).rejects.toMatchObject({ failure: 'address' })
  })

  it('checks every redirect anew', async () => {
    const origin = await serve((_, response) =>
      response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    )
    await expect(open.get({ url: origin, maxBytes })).rejects.toMatchObject({ failure: 'address' })
  })

  it('follows five redirects and no sixth', async () => {
    const origin = await serve((request, response) => {
      const left = Number(request.url?.slice(1))
      if (left === 0) response.end('there')
      else response.writeHead(302, { location: `/${left - 1}` }).end()
    })
    const found = await open.get({ url: `${origin}/5`, maxBytes })
    expect([Buffer.from(found.body).toString(), found.url]).toEqual(['there', `${origin}/0`])
    await expect(open.get({ url: `${origin}/6`, maxBytes })).rejects.toMatchObject({ failure: 'redirects' })
  })

  it('stops behind the limit, announced or not', async () => {
    const announced = await serve((_, response) => response.end('x'.repeat(2000)))
    const streamed = await serve((_, response) => {
      response.write('x'.repeat(900))
      response.end('x'.repeat(900))
    })
    for (const url of [announced, streamed]) {
      await expect(open.get({ url, maxBytes })).rejects.toMatchObject({ failure: 'too-large' })
    }
  })

  it('counts what a compressed body becomes', async () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000))
    const origin = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    )
    await expect(open.get({ url: origin, maxBytes: 100_000 })).rejects.toMatchObject({ failure: 'too-large' })
  })

  it('gives up on a body that drips', async () => {
    const origin = await serve((_, response) => response.write('x'))
    await expect(open.get({ url: origin, maxBytes, timeoutMs: 100 })).rejects.toMatchObject({
      failure: 'too-slow',
    })
  })

  it('says when nobody answers', async () => {
    const origin = await serve((request) => request.socket.destroy())
    await expect(open.get({ url: origin, maxBytes })).rejects.toMatchObject({ failure: 'unreachable' })
  })

  it('ends with the caller’s own reason', async () => {
    const origin = await serve((_, response) => response.write('x'))
    const signal = AbortSignal.abort(new Error('stopping'))
    await expect(open.get({ url: origin, maxBytes, signal })).rejects.toThrow('stopping')
  })

  it('asks conditionally and passes 304 on', async () => {
    const origin = await serve((request, response) => {
      response.writeHead(request.headers['if-none-match'] === '"a"' ? 304 : 200, { etag: '"a"' }).end()
    })
    const first = await open.get({ url: origin, maxBytes })
    expect(first.validators.etag).toBe('"a"')
    expect((await open.get({ url: origin, maxBytes, validators: first.validators })).status).toBe(304)
  })

  it('tells type and charset', async () => {
    const origin = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'Text/XML; charset=UTF-8' }).end(),
    )
    expect(await open.get({ url: origin, maxBytes })).toMatchObject({
      contentType: 'text/xml',
      charset: 'utf-8',
    })
  })

  it('downloads into a new private file', async () => {
    const origin = await serve((_, response) => response.end('picture'))
    const path = newPath()
    expect(await open.download({ url: origin, maxBytes }, path)).toMatchObject({ status: 200, bytes: 7 })
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['picture', 0o600])
  })

  it('leaves no file behind when a download fails or answers something else', async () => {
    const big = await serve((_, response) => response.end('x'.repeat(2000)))
    const missing = await serve((_, response) => response.writeHead(404).end('no'))
    const [one, other] = [newPath(), newPath()]
    await expect(open.download({ url: big, maxBytes }, one)).rejects.toMatchObject({ failure: 'too-large' })
    expect(await open.download({ url: missing, maxBytes }, other)).toMatchObject({ status: 404, bytes: 0 })
    expect([existsSync(one), existsSync(other)]).toEqual([false, false])
  })
})

describe('addresses', () => {
  it.each(['93.184.216.34', '8.8.8.8', '2606:4700::1111'])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it.each([
    '172.31.255.255',
    '100.64.0.1',
    '224.0.0.1',
    '::',
    '::ffff:192.168.0.1',
    '64:ff9b::7f00:1',
    'name',
  ])('%s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})
