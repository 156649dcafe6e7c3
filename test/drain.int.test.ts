import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { type Site, startSite } from './support/site.ts'

let site: Site | null = null
afterEach(() => site?.stop())

const ask = async (url: string, agent: Agent) => {
  const [answer] = (await once(get(url, { agent }), 'response')) as [IncomingMessage]
  answer.resume()
  await once(answer, 'end')
  return { status: answer.statusCode, connection: answer.headers.connection }
}

describe('a server that is to end', () => {
  it('goes on taking requests for a while, closes each connection behind its answer, then ends', async () => {
    site = await startSite({ env: { DRAIN_SECONDS: '3' } })
    const { url, process: server } = site
    const agent = new Agent({ keepAlive: true })
    for (const path of ['/', '/openz'])
      expect(await ask(url + path, agent)).toEqual({ status: 200, connection: 'keep-alive' })
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    await expect.poll(async () => (await ask(`${url}/readyz`, agent)).status).toBe(503)
    expect((await ask(`${url}/openz`, agent)).status).toBe(503)
    for (const path of ['/', '/api/artworks', '/healthz'])
      expect(await ask(url + path, agent)).toEqual({ status: 200, connection: 'close' })
    expect(await ended).toEqual([0, null])
    await expect(ask(`${url}/`, agent)).rejects.toThrow('ECONNREFUSED')
  })

  it('ends at once where nothing else is said', async () => {
    site = await startSite()
    const { url, process: server } = site
    const agent = new Agent({ keepAlive: true })
    expect((await ask(`${url}/`, agent)).status).toBe(200)
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    await expect
      .poll(() =>
        ask(`${url}/readyz`, new Agent()).then(
          () => 'answers',
          () => 'gone',
        ),
      )
      .toBe('gone')
    expect(await ended).toEqual([0, null])
  })
})
