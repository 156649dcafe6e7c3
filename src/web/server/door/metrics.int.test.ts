import { once } from 'node:events'
import { createServer, get as ask } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createMetricsListener } from './metrics.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const serve = async (
  token: string | null,
  {
    publicUrl = 'http://localhost:3000',
    trustProxy = 0,
  }: { readonly publicUrl?: string; readonly trustProxy?: number } = {},
  render = async () => ({ contentType: 'text/plain', text: 'a 1\n' }),
) => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const listener = createMetricsListener({ token, publicUrl, trustProxy, render, log })
  const server = createServer(listener).listen(0, '127.0.0.1')
  closing.push(() => server.close())
  await once(server, 'listening')
  // a TCP server has an address of this kind
  const { port } = server.address() as AddressInfo
  const get = (headers: Record<string, string> = {}) => fetch(`http://127.0.0.1:${port}/metrics`, { headers })
  // `fetch` sets the host by itself.
  const under = (host: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      ask({ port, host: '127.0.0.1', path: '/metrics', headers: { host } }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      }).once('error', reject)
    })
  return { get, under }
}

describe('/metrics', () => {
  it('without a token is for this machine only, and only without a proxy in between', async () => {
    const { get } = await serve(null)
    const answer = await get()
    expect([answer.status, await answer.text()]).toEqual([200, 'a 1\n'])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip']) {
      const refused = await get({ [name]: '127.0.0.1' })
      expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('METRICS_TOKEN')])
    }
  })

  it('without a token answers to names of this machine only', async () => {
    const { under } = await serve(null)
    for (const host of ['localhost', 'localhost:3000', '127.0.0.1:9', '[::1]:3000', 'studio.localhost']) {
      expect([host, await under(host)]).toEqual([host, 200])
    }
    for (const host of ['rebound.example', 'localhost.rebound.example:3000', '192.168.0.7', 'a b']) {
      expect([host, await under(host)]).toEqual([host, 403])
    }
  })

  it.each([
    ['a public address', { publicUrl: 'https://art.example' }],
    ['an address in the house', { publicUrl: 'http://192.168.0.7:3000' }],
    ['a trusted proxy', { trustProxy: 1 }],
  ])('with %s always wants a token', async (_, site) => {
    const open = await serve(null, site)
    expect((await open.get()).status).toBe(403)
    const { get } = await serve('a-token-of-some-length', site)
    expect((await get()).status).toBe(401)
    expect((await get({ authorization: 'Bearer a-token-of-some-length' })).status).toBe(200)
  })

  it('with a token wants that token, from everywhere', async () => {
    const { get } = await serve('a-token-of-some-length')
    expect((await get()).status).toBe(401)
    expect((await get({ authorization: 'Bearer another-token-of-size' })).status).toBe(401)
    const through = { authorization: 'Bearer a-token-of-some-length', 'x-forwarded-for': '192.0.2.1' }
    expect((await get(through)).status).toBe(200)
  })

  it('says in words that it cannot tell', async () => {
    const { get } = await serve(null, {}, () => Promise.reject(new Error('broken')))
    const answer = await get()
    expect([answer.status, await answer.json()]).toEqual([503, { message: expect.stringContaining('log') }])
  })
})
