import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import type { Middleware } from 'koa'
import type { Listener, Reason } from './ports.ts'
import { createBootListener } from './boot-listener.ts'
import { createDoor } from './door.ts'
import { exchangeOf } from './exchange.ts'
import { createHealthListener } from './health.ts'
import type { PageAnswer } from './cached-page.ts'
import { serverOf } from './server.ts'

const settings = { version: '1.2.3', publicUrl: 'http://art.example', trustProxy: 0 } as const

const servers: Server[] = []
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

const answer: PageAnswer = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: Buffer.from('<html>'),
}
const fromApp: Middleware = (ctx) => {
  ctx.body = 'from the app'
}

/** Gives the address of a server that asks it. */
const serve = async (listener: Listener): Promise<string> => {
  const server = serverOf(listener, settings.publicUrl)
  // Who is let go is let go by the listener alone.
  server.keepAliveTimeout = 0
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The door alone: `loads` counts how often the app was asked for. */
const open = async (
  options: {
    readonly closed?: 'starting' | 'lost'
    readonly report?: () => Promise<{ reasons: Reason[]; degraded: Reason[] }>
    readonly isInsider?: boolean
    readonly loadApp?: () => Promise<Middleware>
    readonly ready?: (path: string) => PageAnswer | Promise<PageAnswer | null> | null
  } = {},
) => {
  const lines: object[] = []
  const counted = { loads: 0, requests: 0 }
  const log = { info: (line: object) => void lines.push(line), warn: () => {}, error: () => {} }
  const ready = options.ready ?? ((path) => (path.startsWith('/api/') ? null : answer))
  const listener = createDoor({
    settings,
    log,
    ready: (_request, { path }) => ready(path),
    readiness: {
      closed: () => options.closed ?? null,
      report: options.report ?? (async () => ({ reasons: [], degraded: [] })),
    },
    isInsider: () => options.isInsider ?? false,
    loadApp: async () => {
      counted.loads += 1
      return options.loadApp ? options.loadApp() : fromApp
    },
  })
  const url = await serve((request, response) => {
    counted.requests += 1
    listener(request, response)
  })
  return { url, lines, counted }
}

describe('the door', () => {
  it.each([
    ['at once', () => answer],
    ['a moment later', async () => answer],
  ])('answers what stands ready %s, without the app', async (_when, ready) => {
    const { url, counted } = await open({ ready })
    const response = await fetch(url)
    expect([response.status, await response.text()]).toEqual([200, '<html>'])
    expect(response.headers.get('x-request-id')).not.toBeNull()
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(counted.loads).toBe(0)
  })

  it.each([
    ['what does not stand ready', 'GET', () => null],
    ['what turns out not to', 'GET', async () => null],
    ['what is no reading', 'POST', () => answer],
  ])('leaves %s to the app, loaded once', async (_what, method, ready) => {
    const { url, counted } = await open({ ready })
    for (let n = 0; n < 2; n += 1) {
      const response = await fetch(`${url}/api/x`, { method })
      expect(await response.text()).toBe('from the app')
    }
    expect(counted.loads).toBe(1)
  })

  it('loads the app again after that has failed', async () => {
    let fails = 1
    const { url } = await open({
      loadApp: async () => {
        if (fails > 0) {
          fails -= 1
          throw new Error('not there yet')
        }
        return fromApp
      },
    })
    const failed = await fetch(`${url}/api/x`)
    expect(failed.status).toBe(503)
    expect(failed.headers.get('retry-after')).not.toBeNull()
    expect(await (await fetch(`${url}/api/x`)).text()).toBe('from the app')
  })

  it.each([
    [
      'at once',
      () => {
        throw new Error('away')
      },
    ],
    ['a moment later', () => Promise.reject(new Error('away'))],
  ])('tells the app what failed %s, which knows the words', async (_when, ready) => {
    const { url } = await open({
      ready,
      loadApp: async () => (ctx) => {
        ctx.body = String(exchangeOf(ctx.req).failure)
      },
    })
    expect(await (await fetch(url)).text()).toBe('Error: away')
  })
})

describe('a body that nobody reads', () => {
  const door = async (options: Parameters<typeof open>[0]): Promise<string> => (await open(options)).url
  const boot = (): Promise<string> => serve(createBootListener(settings))
  const withoutWeb = (): Promise<string> =>
    serve(
      createHealthListener({
        settings,
        log: { info: () => {}, warn: () => {}, error: () => {} },
        readiness: { closed: () => null, report: async () => ({ reasons: [], degraded: [] }) },
        isInsider: () => false,
      }),
    )

  it.each([
    ['GET', '/x', 'of the site', () => door({})],
    ['OPTIONS', '/x', 'of the site', () => door({})],
    ['POST', '/x', 'of a site that is lost', () => door({ closed: 'lost' })],
    ['POST', '/x', 'while the engines are opened', boot],
    ['GET', '/healthz', 'while the engines are opened', boot],
    ['POST', '/x', 'of a process without the web role', withoutWeb],
    ['GET', '/healthz', 'of a process without the web role', withoutWeb],
  ] as const)('is answered, and ends its connection where it goes on: %s %s %s', async (...row) => {
    const [method, path, , begin] = row
    const socket = connect(Number(new URL(await begin()).port), '127.0.0.1')
    sockets.push(socket)
    // A reset is one way of being let go.
    socket.on('error', () => undefined)
    socket.write(`${method} ${path} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n`)
    const [head] = await once(socket, 'data')
    expect(String(head)).toMatch(/^HTTP\/1\.1 (?:200|503) /)
    const gone = new Promise((resolve) => socket.once('close', resolve))
    socket.resume().write('1\r\na\r\n'.repeat(2_000))
    await gone
    expect(socket.destroyed).toBe(true)
  })
})

describe('readers who begin and never go on', () => {
  const size = 16 * 1024 * 1024
  /** each a version of its own, as of a list that changes all the while */
  const version = (): Buffer => Buffer.alloc(size)

  /** Asks for as many addresses below one, each on a connection of its own, and reads none. */
  const begin = async (below: string, many: number): Promise<void> => {
    const { port, pathname } = new URL(below)
    for (let n = 0; n < many; n += 1) {
      const socket = connect(Number(port), '127.0.0.1')
      sockets.push(socket)
      socket.on('error', () => undefined)
      socket.write(`GET ${pathname.replace(/\/$/, '')}/${n} HTTP/1.1\r\nhost: x\r\n\r\n`)
      await once(socket, 'readable')
    }
  }

  it.each([
    ['ready bytes', { ready: (): PageAnswer => ({ ...answer, body: version() }) }],
    [
      'what the app answers',
      {
        ready: (): null => null,
        loadApp: async (): Promise<Middleware> => (ctx) => {
          ctx.body = version()
        },
      },
    ],
  ])('hold no more than 64 MB of %s: the first are let go', async (_what, options) => {
    const { url, lines } = await open(options)
    await begin(url, 8)
    // A request is told of once it is over.
    await expect.poll(() => lines).toMatchObject([0, 1, 2, 3].map((n) => ({ path: `/${n}` })))
  })

  it('are no more than 256 of files that are sent while they are read, and as many as come of answers without an end', async () => {
    const piece = Buffer.alloc(64 * 1024)
    const { url, lines } = await open({
      ready: () => null,
      loadApp: async () => (ctx) => {
        ctx.body = new Readable({ read: () => void ctx.body.push(piece) })
        if (ctx.path !== '/endless/0') ctx.length = 100 * piece.length
      },
    })
    await begin(`${url}/endless`, 1)
    await begin(url, 258)
    await expect.poll(() => lines).toMatchObject([{ path: '/0' }, { path: '/1' }])
  })
})

it('warns of nothing while a file is sent as it is read', async () => {
  const warnings: string[] = []
  const hear = ({ message }: Error): void => void warnings.push(message)
  process.on('warning', hear)
  const bytes = Buffer.alloc(200_000)
  const { url } = await open({
    ready: () => null,
    loadApp: async () => (ctx) => {
      ctx.body = Readable.from([bytes])
      ctx.length = bytes.length
    },
  })
  expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(bytes.length)
  process.off('warning', hear)
  expect(warnings).toEqual([])
})

describe('what waits in a line for those who have left', () => {
  const most = 5_000

  /** So many ask for something that is still being made, and leave. */
  const askAndLeave = async (
    { url, counted, lines }: Awaited<ReturnType<typeof open>>,
    path: string,
  ): Promise<void> => {
    const { hostname, port } = new URL(url)
    const ask = async (): Promise<Socket> => {
      const socket = connect(Number(port), hostname)
      sockets.push(socket)
      socket.resume().write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
      await once(socket, 'connect')
      return socket
    }
    while (counted.requests < most) {
      const asked = counted.requests + 500
      const asking = await Promise.all(Array.from({ length: 500 }, ask))
      await expect.poll(() => counted.requests).toBe(asked)
      for (const socket of asking) socket.destroy()
    }
    // One line for each of which it is known that nobody waits.
    await expect.poll(() => lines.length).toBe(most)
  }

  it('is nothing where an answer is made for others as well, and the app is asked as ever', async () => {
    const door = await open({ ready: (path) => (path === '/slow' ? new Promise(() => {}) : null) })
    await askAndLeave(door, '/slow')
    expect(await (await fetch(`${door.url}/api/x`)).text()).toBe('from the app')
  })

  it('is no more than a process has room for: the app is asked for nothing else then, and what stands ready is answered', async () => {
    const gate = Promise.withResolvers<void>()
    const waits: Middleware = async (ctx) => {
      await gate.promise
      ctx.body = 'from the app'
    }
    const ready = (path: string) => {
      if (path === '/slow') return new Promise<null>(() => {})
      return path.startsWith('/api/') ? null : answer
    }
    const door = await open({ loadApp: async () => waits, ready })
    const { url } = door
    await askAndLeave(door, '/api/x')
    const refused = await fetch(`${url}/api/x`)
    expect([refused.status, refused.headers.get('retry-after'), (await refused.json()).message]).toEqual([
      503,
      '2',
      'Many people are looking at the site just now. Please try again in a moment',
    ])
    expect((await fetch(`${url}/slow`)).status).toBe(503)
    expect(await (await fetch(url)).text()).toBe('<html>')
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    gate.resolve()
    expect(await (await fetch(`${url}/api/x`)).text()).toBe('from the app')
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

  it('a browser is told so by a page, before and after the engines are open', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
    const { url } = await open({ closed: 'starting' })
    const booting = await serve(createBootListener({ version: '1.2.3', publicUrl: 'http://localhost' }))
    for (const at of [url, booting]) {
      const response = await fetch(at, { headers: { accept } })
      expect(response.status).toBe(503)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(await response.text()).toContain('<h1>The site is starting. Please try again in a moment</h1>')
      const call = await fetch(`${at}/api/artworks`, { headers: { accept } })
      expect(call.headers.get('content-type')).toBe('application/json; charset=utf-8')
    }
  })

  it('says before the engines are open why it waits, to strangers without their places', async () => {
    const waits = 'The start waits for a server. EventStoreDB (EVENTSTORE_URL): log:2113: connection refused'
    const settings = { version: '1.2.3', publicUrl: 'http://localhost' }
    const reasons = async (...more: readonly [boolean, string | null]): Promise<unknown> => {
      const [isInsider, words] = more
      const at = await serve(
        createBootListener(
          settings,
          () => isInsider,
          () => words,
        ),
      )
      const response = await fetch(`${at}/readyz`)
      expect(response.status).toBe(503)
      return (await response.json()).reasons
    }
    expect(await reasons(true, null)).toEqual(['The site is starting'])
    expect(await reasons(true, waits)).toEqual(['The site is starting', waits])
    expect(await reasons(false, waits)).toEqual(['The site is starting', 'An engine does not answer'])
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

  it('a proxy is told to send nobody yet, and of what is lost that whoever comes is told so', async () => {
    const told = { starting: [503, { open: false }], lost: [200, { open: true }] } as const
    for (const closed of ['starting', 'lost'] as const) {
      const { url, lines } = await open({ closed })
      const response = await fetch(`${url}/openz`)
      expect([response.status, await response.json()]).toEqual(told[closed])
      // Asked each second.
      expect(lines).toEqual([])
    }
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
