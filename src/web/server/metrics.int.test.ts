import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createMetricsListener } from './metrics.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const serve = async (
  token: string | null,
  render = async () => ({ contentType: 'text/plain', text: 'a 1\n' }),
) => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const listener = createMetricsListener({ token, publicUrl: 'http://localhost', render, log })
  const server = createServer(listener).listen(0, '127.0.0.1')
  closing.push(() => server.close())
  await once(server, 'listening')
  // a TCP server has an address of this kind
  const { port } = server.address() as AddressInfo
  return (headers: Record<string, string> = {}) => fetch(`http://127.0.0.1:${port}/metrics`, { headers })
}

describe('/metrics', () => {
  it('without a token is for this machine only, and only without a proxy in between', async () => {
    const get = await serve(null)
    const answer = await get()
    expect([answer.status, await answer.text()]).toEqual([200, 'a 1\n'])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip']) {
      const refused = await get({ [name]: '127.0.0.1' })
      expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('METRICS_TOKEN')])
    }
  })

  it('with a token wants that token, from everywhere', async () => {
    const get = await serve('a-token-of-some-length')
    expect((await get()).status).toBe(401)
    expect((await get({ authorization: 'Bearer another-token-of-size' })).status).toBe(401)
    const through = { authorization: 'Bearer a-token-of-some-length', 'x-forwarded-for': '192.0.2.1' }
    expect((await get(through)).status).toBe(200)
  })

  it('says in words that it cannot tell', async () => {
    const get = await serve(null, () => Promise.reject(new Error('broken')))
    const answer = await get()
    expect([answer.status, await answer.json()]).toEqual([503, { message: expect.stringContaining('log') }])
  })
})
