import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { machineLimits } from '#domain/machine-limits.ts'
import { systemClock } from '#infrastructure/clock.ts'
import { calls } from '#web/contract/calls.ts'
import { type Call, isMutation } from '#web/contract/call.ts'
import { type Client, openWebSite, uploadImage, type WebSite } from '../../../test/support/web-site.ts'

let site: WebSite
let owner: Client
let imageUrl: string
beforeAll(async () => {
  site = await openWebSite()
  owner = await site.owner()
  imageUrl = await uploadImage(owner)
})
afterAll(async () => site.close())

const table = Object.values(calls) as readonly Call[]
const pathOf = (call: Call): string => call.path.replace(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000')

/** Sends a request as raw bytes and answers what comes back, for requests that no client would send. */
const rawRequest = (...lines: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(site.url)
    const socket = connect(Number(port), hostname, () => socket.write(lines.join('\r\n')))
    let answer = ''
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1')
    })
    socket.on('end', () => resolve(answer))
    socket.on('error', reject)
  })

describe('every call of the contract', () => {
  it.each(table.filter(({ access }) => access === 'owner'))('$name is for the owner only', async (call) => {
    const answer = await site.visitor().send(call.method, pathOf(call))
    expect(answer.status).toBe(401)
    expect(answer.json).toEqual({ message: 'Unauthorized' })
  })

  it.each(table.filter(isMutation))('$name is refused from another site', async (call) => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: site.url.replace(/:\d+$/, ':1') },
    ]) {
      const answer = await owner.send(call.method, pathOf(call), { headers })
      expect(answer.status).toBe(403)
      expect(answer.text).not.toContain('Unauthorized')
    }
  })

  it.each(table.filter(({ consumes }) => consumes === 'json'))(
    '$name takes JSON that is JSON',
    async ({ method, ...call }) => {
      const path = pathOf({ method, ...call })
      const json = { 'content-type': 'application/json' }
      const send = (raw: string, headers: Record<string, string> = json) =>
        owner.send(method, path, { raw, headers })
      expect((await send('{"title": "x')).status).toBe(400)
      const proto = await send('{"__proto__": {"isAdmin": true}}')
      expect(proto.status).toBe(422)
      expect(Object.keys(proto.json.fields)).toEqual(['__proto__'])
      const latin = { 'content-type': 'application/json; charset=iso-8859-1' }
      expect((await send('{}', latin)).status).toBe(415)
      expect((await send('title=x', { 'content-type': 'text/plain' })).status).toBe(415)
      expect((await send('[]')).status).toBe(422)
      expect((await send('"text"')).status).toBe(422)
      expect((await send('null')).status).toBe(422)
      const unknown = await send('{"constructor": 1, "surprise": 2}')
      expect(unknown.status).toBe(422)
      expect(unknown.json.fields).toHaveProperty('surprise')
    },
  )

  // Logging out would end the session that the others need; a sync without a blog is tested by its module.
  const bodiless = table.filter(
    ({ consumes, name }) => consumes === 'none' && name !== 'logout' && name !== 'syncBlogPosts',
  )
  it.each(bodiless)('$name needs no body and takes an empty one', async (call) => {
    const send = (raw: string, type = 'application/json') =>
      owner.send(call.method, pathOf(call), { raw, headers: { 'content-type': type } })
    expect([204, 404]).toContain((await send('{}')).status)
    expect((await send('{"a":1}')).status).toBe(422)
    expect((await send('a=1', 'application/x-www-form-urlencoded')).status).toBe(415)
  })
})

describe('the description of the calls', () => {
  it('names exactly the addresses and methods that the server takes', async () => {
    const { paths } = (await site.visitor().call('getOpenApi')).json
    const described = Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(described.toSorted()).toEqual(table.map(({ method, path }) => `${method} ${path}`).toSorted())
    const listens = (method: string, target: string): boolean =>
      table.some(
        (call) =>
          call.method === method && new RegExp(`^${call.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(target),
      )
    for (const target of new Set(table.map(pathOf))) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
        // A stream stays open; who listens there has a test of its own.
        if (target === '/api/changes' && method === 'GET') continue
        const { status } = await site.visitor().send(method, target)
        const nobody = status === 405 || (target === '/contact' && status === 404)
        expect([method, target, nobody]).toEqual([method, target, !listens(method, target)])
      }
    }
  })

  it('is not sent again to who has it', async () => {
    const first = await site.visitor().call('getOpenApi')
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
    expect((await site.visitor().call('getOpenApi', { headers })).status).toBe(304)
  })
})

describe('a body that is no UTF-8', () => {
  const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
  const json = { 'content-type': 'application/json; charset=utf-8' }

  it('is refused and stored nowhere, packed or not', async () => {
    const { gzipSync } = await import('node:zlib')
    const raw = latin(JSON.stringify({ title: 'Café', imageUrl }))
    const plain = await owner.call('addArtwork', { raw, headers: json })
    expect(plain.status).toBe(400)
    expect(plain.json.message).toBe('The body cannot be read: it must be valid JSON in UTF-8')
    const compressed = {
      raw: new Uint8Array(gzipSync(raw)),
      headers: { ...json, 'content-encoding': 'gzip' },
    }
    expect((await owner.call('addArtwork', compressed)).status).toBe(400)
    expect((await owner.call('listArtworks')).text).not.toContain('Caf')
  })

  it('is refused as a form too', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const raw = latin('name=Café&email=a@b.in&subject=general&message=hello')
    const answer = await site.visitor().call('sendEnquiryForm', { raw, headers })
    expect(answer.status).toBe(400)
    expect(answer.json.message).toBe('The body cannot be read: it must be a form in UTF-8')
  })

  it('is none where the character for what is missing was meant', async () => {
    const raw = JSON.stringify({ title: 'Left open \ufffd', imageUrl })
    const answer = await owner.call('addArtwork', { raw, headers: json })
    expect([answer.status, answer.json.title]).toEqual([201, 'Left open \ufffd'])
  })
})

describe('requests that are too large', () => {
  it('are refused past 1 MB of JSON, and the connection lives on', async () => {
    const body = { title: 'x'.repeat(5 * 1024 * 1024) }
    const answer = await owner.call('addArtwork', { body })
    expect(answer.status).toBe(413)
    expect(answer.json.message).toMatch(/1 MB/)
    expect((await owner.call('getUser')).status).toBe(200)
  })

  it('are refused past 64 kB of whoever has no session', async () => {
    const newMessage = { name: 'A', email: 'a@b.in', subject: 'general', message: 'x'.repeat(65 * 1024) }
    const answer = await site.visitor().call('sendEnquiry', { body: newMessage })
    expect([answer.status, answer.json.message]).toEqual([413, expect.stringMatching(/64 kB/)])
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const raw = new URLSearchParams(newMessage)
    expect((await site.visitor().send('POST', '/contact', { raw, headers })).status).toBe(413)
  })

  it('are refused when they only become so by unpacking', async () => {
    const { gzipSync } = await import('node:zlib')
    const raw = new Uint8Array(gzipSync(JSON.stringify({ title: 'x'.repeat(5 * 1024 * 1024) })))
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    expect((await owner.call('addArtwork', { raw, headers })).status).toBe(413)
    const broken = { raw: new Uint8Array([1, 2, 3]), headers }
    expect((await owner.call('addArtwork', broken)).status).toBe(400)
  })
})

describe('sending twice under one Idempotency-Key', () => {
  const loseKeys = ({ dataDir }: WebSite): void => {
    const file = new DatabaseSync(join(dataDir, 'atelier.db'))
    file.exec('DELETE FROM idempotency_keys')
    file.close()
  }
  const headers = (key: string) => ({ 'idempotency-key': key })
  const body = () => ({ title: 'Once', imageUrl })
  const count = async (title: string): Promise<number> =>
    (await owner.call('listArtworks')).json.filter((artwork: { title: string }) => artwork.title === title)
      .length

  it('acts once and answers the same status and the entity as it is now', async () => {
    const first = await owner.call('addArtwork', { body: body(), headers: headers('one') })
    await owner.call('changeArtwork', { params: { id: first.json.id }, body: { price: 5 } })
    const second = await owner.call('addArtwork', { body: body(), headers: headers('one') })
    expect(second.status).toBe(201)
    expect(second.json).toMatchObject({ id: first.json.id, price: 5 })
    expect(await count('Once')).toBe(1)
  })

  it('acts once when both are under way at the same time', async () => {
    const sent = { body: { title: 'At once', imageUrl }, headers: headers('two') }
    const answers = await Promise.all([owner.call('addArtwork', sent), owner.call('addArtwork', sent)])
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(answers[0]?.json.id).toBe(answers[1]?.json.id)
    expect(await count('At once')).toBe(1)
  })

  it('is refused with another body', async () => {
    await owner.call('addArtwork', { body: body(), headers: headers('three') })
    const other = { body: { ...body(), price: 7 }, headers: headers('three') }
    expect((await owner.call('addArtwork', other)).status).toBe(422)
  })

  it('is refused when it is meant for another version', async () => {
    const { id, version } = (await owner.call('addArtwork', { body: body() })).json
    const sent = (expectedVersion: number) => ({
      params: { id },
      body: { price: 9, expectedVersion },
      headers: headers('versions'),
    })
    expect((await owner.call('changeArtwork', sent(version))).status).toBe(200)
    expect((await owner.call('changeArtwork', sent(version))).status).toBe(200)
    expect((await owner.call('changeArtwork', sent(version + 7))).status).toBe(422)
  })

  it('may correct what was refused', async () => {
    const wrong = { body: { name: 'all' }, headers: headers('four') }
    expect((await owner.call('addCategory', wrong)).status).toBe(422)
    const taken = { body: { name: 'Taken' }, headers: headers('five') }
    await owner.call('addCategory', { body: { name: 'taken' } })
    expect((await owner.call('addCategory', taken)).status).toBe(409)
    const right = { body: { name: 'Free' }, headers: headers('five') }
    expect((await owner.call('addCategory', right)).status).toBe(201)
  })

  it('answers a repeated deletion like the first one', async () => {
    const { id } = (await owner.call('addArtwork', { body: body() })).json
    const sent = { params: { id }, headers: headers('six') }
    expect((await owner.call('deleteArtwork', sent)).status).toBe(204)
    expect((await owner.call('deleteArtwork', sent)).status).toBe(204)
  })

  it('belongs to one address of one sender', async () => {
    const sent = { body: { name: 'Per path' }, headers: headers('seven') }
    expect((await owner.call('addCategory', sent)).status).toBe(201)
    expect((await owner.call('addMedium', sent)).status).toBe(201)
  })

  it('is another act once the key is forgotten, which a repeat does not double, whether or not it is remembered', async () => {
    let ahead = 0
    const clock = { ...systemClock, now: () => new Date(Date.now() + ahead) }
    const later = await openWebSite({ clock })
    try {
      const hers = await later.owner()
      const imageUrl = await uploadImage(hers)
      const { id } = (await hers.call('addArtwork', { body: { title: 'Nightly', imageUrl } })).json
      const path = { params: { id } }
      const show = () => hers.call('changeArtwork', { ...path, body: { isVisible: true } })
      const hide = () =>
        hers.call('changeArtwork', { ...path, body: { isVisible: false }, headers: headers('nightly') })
      const add = async () =>
        (await hers.call('addCategory', { body: { name: 'Daily' }, headers: headers('daily') })).json.id
      const rows = [{ fields: { title: 'Row', imageUrl } }]
      const batch = async () => {
        const sent = { body: { rows }, headers: headers('table') }
        return (await hers.call('batchArtworks', sent)).json.rows[0]
      }
      const acts: (string | null)[] = []
      const categories: string[] = []
      const tables: string[] = []
      for (const day of [0, 1, 2]) {
        ahead = day * machineLimits.keyKnownMs
        const hidden = await hide()
        expect(hidden.json).toMatchObject({ isVisible: false })
        acts.push(hidden.headers.get('x-activity'))
        categories.push(await add())
        const row = await batch()
        expect(row).toMatchObject({ status: 201 })
        tables.push(row.id)
        await show()
        // Within the day a repeat changes nothing, also where the key was lost.
        ahead += machineLimits.keyKnownMs - 600_000
        expect((await hide()).json).toMatchObject({ isVisible: true })
        expect((await hide()).headers.get('x-activity')).toBe(acts[day])
        expect(await add()).toBe(categories[day])
        expect((await batch()).id).toBe(tables[day])
        loseKeys(later)
        expect((await hide()).json).toMatchObject({ isVisible: true })
        expect(await add()).toBe(categories[day])
        expect((await batch()).id).toBe(tables[day])
        loseKeys(later)
        await hers.call('deleteArtwork', { params: { id: row.id } })
        await hers.call('deleteCategory', { params: { id: categories[day] ?? '' } })
      }
      expect(new Set(acts).size).toBe(3)
      expect(new Set(categories).size).toBe(3)
      expect(new Set(tables).size).toBe(3)
    } finally {
      await later.close()
    }
  })

  it('needs a key that is one', async () => {
    const answer = await owner.call('addArtwork', { body: body(), headers: headers('x'.repeat(201)) })
    expect(answer.status).toBe(422)
  })
})

describe('what is not there', () => {
  it.each(['/api', '/api/', '/api/nothing', '/api/artworks/x/y'])('%s is JSON', async (path) => {
    const answer = await owner.send('GET', path)
    expect(answer.status).toBe(404)
    expect(answer.json.message).not.toBe('')
  })

  it('is JSON for a method that a call does not take, with those it takes', async () => {
    const answer = await owner.send('PATCH', '/api/artworks')
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toMatch(/GET.*POST|POST.*GET/)
    expect(answer.json.message).not.toBe('')
  })

  it.each(['/nothing', '/artwork/nothing', '/admin/x', '/.vite/manifest.json', '/%E0%A4%A'])(
    '%s is a page',
    async (path) => {
      const answer = await site.visitor().send('GET', path)
      expect(answer.status).toBe(404)
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    },
  )

  it('is said to who posts to a page', async () => {
    const answer = await site.visitor().send('POST', '/', { raw: 'x' })
    expect(answer.status).toBe(405)
  })

  it('is a page in words for a browser', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
    const answer = await site.visitor().send('POST', '/', { raw: 'x', headers: { accept } })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.text).toContain('<h1>This address does not take that method</h1>')
  })

  it('looks for what a browser takes no further than a browser writes', async () => {
    const accept = `${'a/b,'.repeat(3_000)}text/html`
    const answer = await site.visitor().send('POST', '/', { raw: 'x', headers: { accept } })
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  })
})

describe('headers', () => {
  it.each([
    '/',
    '/admin',
    '/nothing',
    '/api/artworks',
    '/api/auth/user',
    '/api/nothing',
    '/healthz',
    '/favicon.svg',
    '/images/x',
    '/api/openapi.json',
    '/robots.txt',
    '/feed.xml',
    '/sitemap.xml',
    '/manifest.webmanifest',
  ])('%s carries an id and the safety headers', async (path) => {
    const answer = await site.visitor().send('GET', path)
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
    expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin')
    const isShownAnywhere = path === '/favicon.svg' || path.startsWith('/images/')
    const policy = isShownAnywhere ? 'cross-origin' : 'same-origin'
    expect(answer.headers.get('cross-origin-resource-policy')).toBe(policy)
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(answer.headers.get('strict-transport-security')).toBeNull()
  })

  it('are the same from ready bytes and from the app', async () => {
    const names = (headers: Headers) =>
      [...headers].filter(([name]) => !['date', 'x-request-id', 'connection', 'keep-alive'].includes(name))
    // An image is made, or a page takes its small form, between two requests: then they are asked again.
    for (const path of ['/', '/api/artworks', '/api/site-content', '/robots.txt'])
      await vi.waitFor(async () => {
        const fast = await fetch(site.url + path)
        const head = await fetch(site.url + path, { method: 'HEAD' })
        await fast.text()
        expect(names(head.headers)).toEqual(names(fast.headers))
      }, 20_000)
  })

  it('give the visitor no cookie', async () => {
    for (const path of ['/', '/api/artworks', '/api/auth/user', '/admin']) {
      const answer = await site.visitor().send('GET', path)
      expect(answer.headers.getSetCookie()).toEqual([])
    }
  })
})

describe('pages', () => {
  it('are marked for a session, and then kept by nobody', async () => {
    const open = await site.visitor().send('GET', '/')
    expect(open.headers.get('cache-control')).toBe('public, no-cache')
    expect(open.text).not.toContain('data-session>')
    const own = await owner.send('GET', '/')
    expect(own.headers.get('cache-control')).toBe('private, no-store')
    expect(own.text).toMatch(/<html[^>]* data-session/)
  })

  it('show a new work at once', async () => {
    await owner.call('addArtwork', { body: { title: 'Fresh from the easel', imageUrl } })
    expect((await site.visitor().send('GET', '/')).text).toContain('Fresh from the easel')
  })
})

describe('files of the client', () => {
  it('with a hash in their names are kept for ever', async () => {
    const page = await site.visitor().send('GET', '/')
    const [script = ''] = /\/assets\/[\w.-]+\.js/.exec(page.text) ?? []
    const answer = await site.visitor().send('GET', script, { headers: { 'accept-encoding': 'br' } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('content-encoding')).toBe('br')
  })

  it('hold a neutral profile picture', async () => {
    const answer = await site.visitor().send('GET', '/uploads/profile/default.webp')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/webp')
  })
})

describe('health', () => {
  it('says that the process lives, and its version', async () => {
    const answer = await site.visitor().send('GET', '/healthz')
    expect(answer.json).toEqual({ status: 'ok', version: '0.0.0-test' })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('says that the site is ready', async () => {
    const answer = await site.visitor().send('GET', '/readyz')
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ ready: true, reasons: [], degraded: [] })
  })
})

describe('odd requests', () => {
  it('with an absolute target are answered', async () => {
    const answer = await rawRequest(
      `GET ${site.url}/healthz HTTP/1.1`,
      'host: x',
      'connection: close',
      '',
      '',
    )
    expect(answer).toContain('200 OK')
  })

  it('that are no HTTP are refused', async () => {
    expect(await rawRequest('NONSENSE', '', '')).toContain('400 Bad Request')
  })

  it('with a host that is none are no other site', async () => {
    const answer = await rawRequest(
      'POST /api/logout HTTP/1.1',
      'host: a b',
      'origin: http://a',
      'connection: close',
      '',
      '',
    )
    expect(answer).toMatch(/^HTTP\/1.1 (400|403)/)
  })
})
