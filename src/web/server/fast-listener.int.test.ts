import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { Listener, Reason } from './door/deps.ts'
import { createFastListener } from './fast-listener.ts'
import { createPublicLists } from './public-lists.ts'
import { memoryDocuments } from '#projections/testing/memory-documents.ts'

const settings = {
  version: '1.2.3',
  publicUrl: 'http://art.example',
  publicUrlIsSet: true,
  trustProxy: 0,
  mail: 'off',
  blogUrl: '',
} as const

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** The listener in front, alone: `loads` counts how often the app was asked for. */
const open = async (
  options: {
    readonly closed?: 'starting' | 'lost'
    readonly report?: () => Promise<{ reasons: Reason[]; degraded: Reason[] }>
    readonly isInsider?: boolean
    readonly loadApp?: () => Promise<Listener>
    readonly page?: () => never
  } = {},
) => {
  const lines: object[] = []
  const counted = { loads: 0, requests: 0 }
  const log = { info: (line: object) => void lines.push(line), warn: () => {}, error: () => {} }
  const documents = memoryDocuments()
  const readModels = { shows: async () => true, version: () => '1' }
  const html = { siteText: (text: string) => text }
  const answer = { status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from('<html>') }
  const app: Listener = (_request, response) => response.end('from the app')
  const listener = createFastListener({
    documents,
    html,
    readModels,
    settings,
    log,
    builtFiles: { answer: (path) => (path.endsWith('.js') ? Promise.resolve(answer) : null) },
    lists: createPublicLists({ documents, html, readModels, settings, log }),
    pages: {
      page: () => (options.page ? options.page() : answer),
      contactRefused: async () => answer,
      settled: async () => {},
    },
    readiness: {
      closed: () => options.closed ?? null,
      report: options.report ?? (async () => ({ reasons: [], degraded: [] })),
    },
    isInsider: () => options.isInsider ?? false,
    loadApp: async () => {
      counted.loads += 1
      return options.loadApp ? options.loadApp() : app
    },
  })
  const server = createServer((request, response) => {
    counted.requests += 1
    listener(request, response)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, lines, counted }
}

describe('the listener in front', () => {
  it.each([
    '/',
    '/admin',
    '/artwork/sea-1',
    '/robots.txt',
    '/api/artworks',
    '/api/categories',
    '/assets/a-1.js',
    '/healthz',
  ])('answers %s without the app', async (path) => {
    const { url, counted } = await open()
    expect((await fetch(url + path)).status).toBe(200)
    expect(counted.loads).toBe(0)
  })

  it.each([
    ['GET', '/api/auth/user', {}],
    ['GET', '/api/artworks', { cookie: 'other=1; atelier=x' }],
    ['GET', '/api/artworks?deleted=true', {}],
    ['POST', '/api/artworks', {}],
    ['GET', '/favicon.ico', {}],
    ['GET', '/assets/no.txt', {}],
  ])('leaves %s %s to the app, loaded once', async (method, path, headers) => {
    const { url, counted } = await open()
    for (let n = 0; n < 2; n += 1) {
      const response = await fetch(url + path, { method, headers: { ...headers } })
      expect(await response.text()).toBe('from the app')
      expect(response.headers.get('x-request-id')).not.toBeNull()
    }
    expect(counted.loads).toBe(1)
  })

  it('is not misled by a cookie that is named alike', async () => {
    const { url, counted } = await open()
    await fetch(`${url}/api/artworks`, { headers: { cookie: 'not-atelier=1; atelier.sig=2' } })
    expect(counted.loads).toBe(0)
  })

  it('loads the app again after that has failed', async () => {
    let fails = 1
    const { url } = await open({
      loadApp: async () => {
        if (fails > 0) {
          fails -= 1
          throw new Error('not there yet')
        }
        return (_request, response) => response.end('loaded')
      },
    })
    const failed = await fetch(`${url}/api/x`)
    expect(failed.status).toBe(503)
    expect(failed.headers.get('retry-after')).not.toBeNull()
    expect(await (await fetch(`${url}/api/x`)).text()).toBe('loaded')
  })

  it('leaves a page that cannot be made to the app, which knows the words', async () => {
    const { url } = await open({
      page: () => {
        throw new Error('away')
      },
    })
    expect(await (await fetch(url)).text()).toBe('from the app')
  })
})

describe('before the site is ready', () => {
  it.each(['/', '/api/artworks', '/api/auth/user', '/images/x'])('%s has to wait', async (path) => {
    const { url } = await open({ closed: 'starting' })
    const response = await fetch(url + path)
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('2')
    expect((await response.json()).message).toMatch(/starting/)
  })

  it('nothing is shown or taken either while what it keeps is lost, and it says so in other words', async () => {
    const { url } = await open({ closed: 'lost' })
    for (const method of ['GET', 'POST']) {
      const response = await fetch(url, { method })
      expect([response.status, (await response.json()).message]).toEqual([
        503,
        'The site cannot be shown just now. Please try again later',
      ])
    }
  })

  it('the process is alive all the same', async () => {
    const { url } = await open({ closed: 'starting' })
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok', version: '1.2.3' })
  })
})

describe('readiness', () => {
  const lost: Reason = { short: 'Something is lost', full: 'The log in /srv/data/atelier.db ends at 7' }
  const slow: Reason = { short: 'Late', full: 'Late by an hour' }

  it('names every reason why not', async () => {
    const report = async () => ({ reasons: [lost], degraded: [slow] })
    const { url } = await open({ report, isInsider: true })
    const response = await fetch(`${url}/readyz`)
    expect(response.status).toBe(503)
    expect(await response.json()).toEqual({ ready: false, reasons: [lost.full], degraded: [slow.full] })
  })

  it('tells a stranger no more than a word, and asks the engines once for all who wait', async () => {
    const asked = Promise.withResolvers<void>()
    let asks = 0
    const report = async () => {
      asks += 1
      await asked.promise
      return { reasons: [lost], degraded: [slow] }
    }
    const { url, counted } = await open({ report })
    const waiting = Array.from({ length: 20 }, async () => (await fetch(`${url}/readyz`)).json())
    await expect.poll(() => counted.requests).toBe(20)
    asked.resolve()
    expect(new Set((await Promise.all(waiting)).map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify({ ready: false, reasons: [lost.short], degraded: [slow.short] })]),
    )
    expect(asks).toBe(1)
  })

  it('is denied when it cannot be told', async () => {
    const { url } = await open({ report: () => Promise.reject(new Error('secret')) })
    const response = await fetch(`${url}/readyz`)
    expect(response.status).toBe(503)
    expect(await response.text()).not.toContain('secret')
  })
})

describe('the log of requests', () => {
  it('has one line for each, with its id and without its query', async () => {
    const { url, lines } = await open()
    const response = await fetch(`${url}/?email=asha@example.org`)
    await response.text()
    await (await fetch(`${url}/api/x?token=secret`)).text()
    await expect.poll(() => lines.length).toBe(2)
    expect(lines[0]).toMatchObject({
      requestId: response.headers.get('x-request-id'),
      method: 'GET',
      path: '/',
      status: 200,
    })
    expect(lines[1]).toMatchObject({ path: '/api/x', status: 200 })
    expect(JSON.stringify(lines)).not.toMatch(/asha|secret/)
  })
})
