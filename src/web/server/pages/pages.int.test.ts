import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { PageData, PageRenderer, RenderInput } from '#web/contract/pages.ts'
import { makePageData, uuid } from '#web/contract/testing/make-page-data.ts'
import { hashSource } from '../door/headers.ts'
import type { PageAnswer } from '../door/cached-page.ts'
import { answerTo, ReaderLeft } from '../door/errors.ts'
import { moduleErrors } from '../module-errors.ts'
import { createPages, type Pages, type PagesOptions } from './pages.ts'

const br = { session: false, acceptEncoding: 'gzip, br' }
const gzip = { session: false, acceptEncoding: 'gzip' }
const visitors = { session: false }
const firstArtwork = `/artwork/study-0-of-the-monsoon-${uuid(0)}`

const htmlOf = (answer: PageAnswer): string => {
  const encoding = answer.headers['content-encoding']
  if (encoding === 'br') return brotliDecompressSync(answer.body).toString()
  return (encoding === 'gzip' ? gunzipSync(answer.body) : answer.body).toString()
}

/** Shows in its text what it was given, so that a test sees what was rendered from what. */
const fakeRender = async ({ page, data, contact }: RenderInput) => ({
  status:
    page.kind === 'not-found'
      ? (404 as const)
      : contact?.status === 'refused'
        ? (422 as const)
        : (200 as const),
  html: `<!doctype html><html lang="en-IN"><head><style>b{}</style></head><body>${JSON.stringify({
    page,
    contact,
    version: data.version,
  })}${' '.repeat(2000)}</body></html>`,
  styles: ['b{}'],
  scripts: [],
})

let version = '1'
let data: PageData = makePageData(3)
const render = vi.fn<PageRenderer['render']>(fakeRender)
const loadRenderer = vi.fn<() => Promise<PageRenderer>>(async () => ({
  render,
  siteNames: () => ({ title: 'Leela Marathe: paintings', artist: 'Leela Marathe', description: 'Wall' }),
}))
const onError = vi.fn<(error: unknown) => void>()

const opened: Pages[] = []

const pagesWith = (change: Partial<PagesOptions> = {}): Pages => {
  const pages = createPages({
    readPageData: () => ({ ...data, version }),
    versions: () => version,
    loadRenderer,
    assets: {
      build: 'b1',
      scripts: ['/e.js'],
      styles: [],
      below: [],
      artwork: { modules: [], styles: [] },
      admin: [],
      fonts: { href: '', text: '' },
      inline: '',
    },
    publicUrl: 'https://art.example',
    settings: { blogUrl: '' },
    onError,
    debounceMs: 0,
    ...change,
  })
  opened.push(pages)
  return pages
}

beforeEach(() => {
  version = '1'
  data = makePageData(3)
  vi.clearAllMocks()
})
// Nothing may still be written when the next test, or the folder's removal, begins.
const settleAll = () => Promise.all(opened.splice(0).map((pages) => pages.settled()))
afterEach(settleAll)

describe('a page', () => {
  it('is rendered once for any number of requests', async () => {
    const pages = pagesWith()
    await Promise.all([
      pages.page('/', '', br),
      pages.page('/', '', gzip),
      pages.page('/', 'utm=1', visitors),
    ])
    await pages.page('/', '', br)
    expect(render).toHaveBeenCalledTimes(1)
  })

  it('is answered without waiting once it is ready', async () => {
    const pages = pagesWith()
    await pages.page('/', '', br)
    expect(pages.page('/', '', br)).not.toBeInstanceOf(Promise)
  })

  it('is rendered anew on the very next request after a read model has moved', async () => {
    const pages = pagesWith()
    await pages.page('/', '', br)
    version = '2'
    expect(htmlOf(await pages.page('/', '', br))).toContain('"version":"2"')
  })

  it('is refused as of a busy site while what renders it cannot be loaded, and comes when it can', async () => {
    const pages = pagesWith()
    loadRenderer.mockRejectedValueOnce(new Error('too many open files'))
    const refused: unknown = await Promise.resolve(pages.page('/', '', br)).catch((error: unknown) => error)
    expect(answerTo(refused, moduleErrors, false, 'r')).toMatchObject({
      status: 503,
      body: { message: expect.stringMatching(/busy/) },
      retryAfter: 5,
      unexpected: true,
    })
    expect((await pages.page('/', '', br)).status).toBe(200)
  })

  it('comes in every form while many others are waited for, when it is the homepage', async () => {
    data = makePageData(60)
    const pages = pagesWith()
    await pages.page('/', '', br)
    const addresses = data.artworks.map(({ slug, id }) => `/artwork/${slug}-${id}`)
    const others = Promise.allSettled(addresses.map(async (path) => pages.page(path, '', br)))
    expect((await pages.page('/', '', gzip)).status).toBe(200)
    expect((await pages.page('/', '', { ...visitors, session: true })).status).toBe(200)
    const refused = (await others).filter(({ status }) => status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
  })

  it('has the headers of a shared page', async () => {
    const { status, headers } = await pagesWith().page('/', '', br)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, no-cache',
      vary: 'Cookie, Accept-Encoding',
      'content-encoding': 'br',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': 'max-age=31536000',
    })
    expect(headers['etag']).toMatch(/^"[\w-]+"$/)
    expect(headers).not.toHaveProperty('set-cookie')
  })

  it('allows exactly its own inline styles', async () => {
    const { headers } = await pagesWith().page('/', '', br)
    expect(headers['content-security-policy']).toContain(`style-src 'self' ${hashSource('b{}')} `)
    expect(headers['content-security-policy']).toContain("script-src 'self';")
  })

  it('says the same in every encoding, with a tag for each', async () => {
    const pages = pagesWith()
    const answers = await Promise.all(
      [br, gzip, visitors].map(async (context) => pages.page('/', '', context)),
    )
    expect(new Set(answers.map(htmlOf)).size).toBe(1)
    expect(new Set(answers.map(({ headers }) => headers['etag'])).size).toBe(3)
    expect(answers.map(({ headers, body }) => headers['content-length'] === String(body.length))).toEqual([
      true,
      true,
      true,
    ])
  })

  it('answers 304 to the tag of the encoding that is asked for, and to no other', async () => {
    const pages = pagesWith()
    const { headers } = await pages.page('/', '', br)
    const again = await pages.page('/', '', { ...br, ifNoneMatch: headers['etag'] })
    expect(again).toMatchObject({ status: 304, headers: { etag: headers['etag'] } })
    expect(again.body.length).toBe(0)
    expect(again.headers).not.toHaveProperty('content-length')
    expect(await pages.page('/', '', { ...gzip, ifNoneMatch: headers['etag'] })).toMatchObject({
      status: 200,
    })
  })

  it('goes out in its small form once that is there', async () => {
    const pages = pagesWith()
    const first = await pages.page('/', '', br)
    await pages.settled()
    const second = await pages.page('/', '', br)
    expect(second.headers['etag']).toMatch(/-br11"$/)
    expect(htmlOf(second)).toBe(htmlOf(first))
  })

  it('other than the homepage is shrunk once it is asked for again', async () => {
    const pages = pagesWith()
    const tags: unknown[] = []
    for (let time = 0; time < 3; time += 1) {
      tags.push((await pages.page(firstArtwork, '', br)).headers['etag'])
      await pages.settled()
    }
    expect(tags[1]).toBe(tags[0])
    expect(tags[2]).not.toBe(tags[0])
  })

  it('keeps tag and bytes through a change that it does not show', async () => {
    render.mockImplementation(async (input) => fakeRender({ ...input, data: { ...input.data, version: '' } }))
    const pages = pagesWith()
    await pages.page('/', '', br)
    await pages.settled()
    const before = await pages.page('/', '', br)
    version = '2'
    const after = await pages.page('/', '', { ...br, ifNoneMatch: before.headers['etag'] })
    render.mockImplementation(fakeRender)
    expect(after.status).toBe(304)
  })
})

describe('a request with the session cookie', () => {
  it('gets the same page with the mark, kept by nobody', async () => {
    const pages = pagesWith()
    const shared = await pages.page('/', '', br)
    const owners = await pages.page('/', '', { ...br, session: true, ifNoneMatch: shared.headers['etag'] })
    expect(owners).toMatchObject({ status: 200, headers: { 'cache-control': 'private, no-store' } })
    expect(owners.headers).not.toHaveProperty('etag')
    expect(htmlOf(owners)).toBe(
      htmlOf(shared).replace('<html lang="en-IN"', '<html lang="en-IN" data-session'),
    )
    expect(htmlOf(await pages.page('/', '', br))).not.toContain('data-session')
    expect(render).toHaveBeenCalledTimes(1)
  })

  it('keeps the mark after recompression', async () => {
    const pages = pagesWith()
    await pages.page('/', '', br)
    await pages.settled()
    expect(htmlOf(await pages.page('/', '', { ...gzip, session: true }))).toContain('data-session')
  })
})

describe('addresses', () => {
  it('leads a wrong slug to the right one with 301, never kept unasked', async () => {
    const answer = await pagesWith().page(`/artwork/old-${uuid(0)}`, '', br)
    expect(answer).toMatchObject({
      status: 301,
      headers: { location: firstArtwork, 'cache-control': 'no-cache' },
    })
    expect(render).not.toHaveBeenCalled()
  })

  it('answers 404 for unknown paths and works, with one page for all of them', async () => {
    const pages = pagesWith()
    for (const path of ['/nope', '/other', `/artwork/x-${uuid(50)}`]) {
      expect(await pages.page(path, '', br)).toMatchObject({ status: 404 })
    }
    expect(render).toHaveBeenCalledTimes(1)
  })

  it('answers a work that has been hidden with 404 on the next request', async () => {
    const pages = pagesWith()
    expect(await pages.page(firstArtwork, '', br)).toMatchObject({ status: 200 })
    version = '2'
    data = { ...data, artworks: data.artworks.slice(1) }
    expect(await pages.page(firstArtwork, '', br)).toMatchObject({ status: 404 })
  })

  it('keeps known categories apart and keeps no unknown ones', async () => {
    const pages = pagesWith()
    await pages.page('/', 'category=Landscape', br)
    await pages.page('/', 'category=Landscape&utm=1', br)
    expect(render).toHaveBeenCalledTimes(1)
    await pages.page('/', 'category=nope', br)
    await pages.page('/', 'category=nope', br)
    expect(render).toHaveBeenCalledTimes(3)
  })

  it('makes pages of unknown categories only so often, then leads to the whole gallery', async () => {
    // All within one stretch of time, however long a busy machine takes.
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const pages = pagesWith()
    const answers: { status: number; headers: Readonly<Record<string, string>> }[] = []
    for (let n = 0; n < 60; n += 1) answers.push(await pages.page('/', `category=made-up-${n}`, br))
    expect(render.mock.calls.length).toBeLessThanOrEqual(30)
    expect(answers[0]?.status).toBe(200)
    expect(answers.at(-1)).toMatchObject({ status: 302, headers: { location: '/' } })
    expect(await pages.page('/', 'category=Landscape', br)).toMatchObject({ status: 200 })
  })

  it('says thanks on a page of its own after a form without script', async () => {
    const pages = pagesWith()
    await pages.page('/', '', br)
    expect(htmlOf(await pages.page('/', 'contact=sent', br))).toContain('"contact":{"status":"sent"}')
    expect(htmlOf(await pages.page('/', '', br))).not.toContain('contact')
  })
})

describe('many pages at once', () => {
  const artworks = 200
  const pathOf = (index: number): string => `/artwork/${data.artworks[index]?.slug}-${uuid(index)}`
  /** Renders when it is told to. */
  const held = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    render.mockImplementationOnce(async (input) => {
      await promise
      return fakeRender(input)
    })
    return resolve
  }
  const orRefusal = (answer: PageAnswer | Promise<PageAnswer>) =>
    Promise.resolve(answer).catch((error: unknown) => answerTo(error, moduleErrors, false, 'r'))

  beforeEach(() => {
    data = makePageData(artworks)
  })

  it('are made one after the other, with a turn of the event loop between two', async () => {
    const order: string[] = []
    const pages = pagesWith()
    await pages.page('/', '', visitors)
    render.mockImplementation(async (input) => {
      order.push('page')
      setImmediate(() => order.push('somebody else'))
      return fakeRender(input)
    })
    await Promise.all([0, 1, 2].map(async (index) => pages.page(pathOf(index), '', visitors)))
    render.mockImplementation(fakeRender)
    expect(order.slice(0, 5)).toEqual(['page', 'somebody else', 'page', 'somebody else', 'page'])
  })

  it('are refused in words above a short row, what there is one of never, and what is there already comes at once', async () => {
    const pages = pagesWith()
    await pages.page(pathOf(0), '', br)
    const go = held()
    const first = pages.page(pathOf(1), '', br)
    await expect.poll(() => render).toHaveBeenCalledTimes(2)
    const asked = data.artworks.slice(2).map((_, index) => orRefusal(pages.page(pathOf(index + 2), '', br)))
    const singles = ['/', '/admin', '/robots.txt', '/sitemap.xml', '/nowhere'].map(async (path) =>
      pages.page(path, '', br),
    )
    expect(pages.page(pathOf(0), '', br)).toMatchObject({ status: 200 })
    go()
    await first
    const answers = await Promise.all(asked)
    const refused = answers.filter((answer) => answer.status === 503)
    expect(refused).toContainEqual(
      expect.objectContaining({
        body: { message: expect.stringMatching(/try again/) },
        retryAfter: 2,
        unexpected: false,
      }),
    )
    expect(answers.length - refused.length).toBe(32)
    for (const single of singles) expect(await single).toMatchObject({ status: expect.toBeOneOf([200, 404]) })
    expect(onError).not.toHaveBeenCalled()
  })

  it('are not made for who has left, and for who waits with them they are', async () => {
    const pages = pagesWith()
    await pages.page('/', '', br)
    const go = held()
    const reader = { writable: true, address: 'a desk' }
    const first = pages.page(pathOf(0), '', { ...br, reader })
    const left = [1, 2, 3].map(async (index) => pages.page(pathOf(index), '', { ...br, reader }))
    const stays = pages.page(pathOf(3), '', { ...br, reader: { writable: true, address: 'a phone' } })
    await expect.poll(() => render).toHaveBeenCalledTimes(2)
    reader.writable = false
    go()
    await first
    const ends = await Promise.allSettled(left)
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect((await stays).status).toBe(200)
    expect(render).toHaveBeenCalledTimes(3)
  })

  it('are made once for all who wait, also where one of them has left meanwhile', async () => {
    const pages = pagesWith()
    await pages.page('/', '', br)
    const [go, goOn] = [held(), held()]
    const leaving = { writable: true, address: 'a desk' }
    const stays = { ...br, reader: { writable: true, address: 'a phone' } }
    const before = [0, 1].map(async (index) => pages.page(pathOf(index), '', stays))
    const left = pages.page(pathOf(2), '', { ...br, reader: leaving })
    const first = pages.page(pathOf(2), '', stays)
    await expect.poll(() => render).toHaveBeenCalledTimes(2)
    leaving.writable = false
    go()
    await expect(left).rejects.toThrow(ReaderLeft)
    const second = pages.page(pathOf(2), '', stays)
    goOn()
    const answers = await Promise.all([...before, first, second])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(render).toHaveBeenCalledTimes(4)
  })

  it('are refused although an older one is there, which may show what is hidden or sold by now', async () => {
    const pages = pagesWith()
    await pages.page(pathOf(199), '', br)
    version = '2'
    const go = held()
    const first = pages.page(pathOf(0), '', br)
    await expect.poll(() => render).toHaveBeenCalledTimes(2)
    const others = data.artworks
      .slice(1, 100)
      .map((_, index) => orRefusal(pages.page(pathOf(index + 1), '', br)))
    expect(await orRefusal(pages.page(pathOf(199), '', br))).toMatchObject({ status: 503 })
    go()
    await first
    await Promise.all(others)
    expect(onError).not.toHaveBeenCalled()
  })

  it('are made for others however many forms are refused', async () => {
    const pages = pagesWith()
    await pages.page('/', '', br)
    const go = held()
    const first = pages.page(pathOf(0), '', br)
    await expect.poll(() => render).toHaveBeenCalledTimes(2)
    const outcome = { status: 'refused', message: 'No', fields: {}, values: {} } as const
    const forms = Array.from({ length: 40 }, () => orRefusal(pages.contactRefused(outcome, br)))
    const page = pages.page(pathOf(1), '', br)
    go()
    expect([(await first).status, (await page).status]).toEqual([200, 200])
    const answers = await Promise.all(forms)
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(4)
    expect(answers.filter(({ status }) => status === 503)).toHaveLength(36)
    expect(await pages.contactRefused(outcome, br)).toMatchObject({ status: 422 })
  })
})

describe('a refused form', () => {
  it('comes back as the page with 422, kept by nobody', async () => {
    const pages = pagesWith()
    const outcome = {
      status: 'refused',
      message: 'No',
      fields: { name: 'Name is required' },
      values: {},
    } as const
    const answer = await pages.contactRefused(outcome, br)
    expect(answer).toMatchObject({ status: 422, headers: { 'cache-control': 'private, no-store' } })
    expect(answer.headers).not.toHaveProperty('etag')
    expect(htmlOf(answer)).toContain('Name is required')
    expect(htmlOf(await pages.page('/', '', br))).not.toContain('Name is required')
  })
})

describe('when the engines are silent', () => {
  const silent = () => Promise.withResolvers<string>().promise

  it('sends the older page with a warning after a timeout', async () => {
    const versions = vi.fn<() => string | Promise<string>>(() => '1')
    const pages = pagesWith({ versions, timeoutMs: 1 })
    const before = await pages.page('/', '', br)
    versions.mockImplementation(silent)
    const stale = await pages.page('/', '', br)
    expect(stale.headers['warning']).toBe('110 - "Response is Stale"')
    expect(htmlOf(stale)).toBe(htmlOf(before))
    versions.mockImplementation(() => '1')
    expect((await pages.page('/', '', br)).headers).not.toHaveProperty('warning')
  })

  describe('and something has changed since a page was asked for, which may hide what it shows', () => {
    const away = () => Promise.reject(new Error('away'))
    const stale = { warning: '110 - "Response is Stale"' }
    const open = async () => {
      const versions = vi.fn<() => string | Promise<string>>(() => version)
      const at = { changed: Number.NEGATIVE_INFINITY, heard: Number.NEGATIVE_INFINITY }
      const heard = { changedAt: () => at.changed, heardAt: () => at.heard }
      const pages = pagesWith({ versions, timeoutMs: 1, ...heard })
      expect(htmlOf(await pages.page('/', '', br))).toContain('"version":"1"')
      const change = () => {
        version = '2'
        at.changed = performance.now() + 10
      }
      return { pages, versions, at, change }
    }

    it('sends it no more, but in the very moment of the change', async () => {
      const { pages, versions, at, change } = await open()
      versions.mockImplementation(away)
      at.heard = performance.now() + 5_000
      expect((await pages.page('/', '', br)).headers).toMatchObject(stale)
      change()
      await expect(pages.page('/', '', br)).rejects.toThrow('away')
      at.heard = at.changed
      expect((await pages.page('/', '', br)).headers).toMatchObject(stale)
    })

    it.each([
      ['long before the silence', 5_000],
      ['in the last second before it', 0],
    ])('sends the page of what was read behind the change: %s', async (_, laterMs) => {
      const { pages, versions, at, change } = await open()
      change()
      await vi.waitUntil(() => performance.now() > at.changed)
      await pages.readNewest()
      versions.mockImplementation(away)
      at.heard = performance.now() + laterMs
      const answer = await pages.page('/', '', br)
      expect(answer.headers).toMatchObject(stale)
      expect(htmlOf(answer)).toContain('"version":"2"')
    })
  })

  it('waits for engines that are slow and answer others meanwhile', async () => {
    const read = Promise.withResolvers<PageData>()
    const readPageData = vi.fn<() => PageData | Promise<PageData>>(() => ({ ...data, version }))
    const pages = pagesWith({ timeoutMs: 1, heardAt: () => performance.now(), readPageData })
    await pages.page('/', '', br)
    version = '2'
    readPageData.mockImplementationOnce(() => read.promise)
    const answer = pages.page('/', '', br)
    await new Promise((resolve) => setTimeout(resolve, 5))
    read.resolve({ ...data, version })
    expect((await answer).headers).not.toHaveProperty('warning')
    expect(htmlOf(await answer)).toContain('"version":"2"')
  })

  it('sends the older page when reading fails, tells why, and recovers', async () => {
    const readPageData = vi.fn<() => PageData>(() => ({ ...data, version }))
    const pages = pagesWith({ readPageData })
    await pages.page('/', '', br)
    version = '2'
    const gone = new Error('MongoDB is away')
    readPageData.mockImplementationOnce(() => {
      throw gone
    })
    expect((await pages.page('/', '', br)).headers).toHaveProperty('warning')
    expect(onError).toHaveBeenCalledWith(gone)
    expect(htmlOf(await pages.page('/', '', br))).toContain('"version":"2"')
  })

  it('does not count the time of rendering as silence', async () => {
    const pages = pagesWith({ timeoutMs: 0 })
    await pages.page('/', '', br)
    version = '2'
    render.mockImplementationOnce(async (input) => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      return fakeRender(input)
    })
    const answer = await pages.page('/', '', br)
    expect(answer.headers).not.toHaveProperty('warning')
    expect(htmlOf(answer)).toContain('"version":"2"')
  })

  it('fails when there is nothing older', async () => {
    const failing = pagesWith({ versions: () => Promise.reject(new Error('away')) })
    await expect(failing.page('/', '', br)).rejects.toThrow('away')
  })

  it('waits for a slow first page rather than failing', async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const answer = pagesWith({ versions: () => promise, timeoutMs: 1 }).page('/', '', br)
    resolve('1')
    expect(await answer).toMatchObject({ status: 200 })
  })
})

describe('texts beside the pages', () => {
  it.each([
    ['/robots.txt', 'text/plain; charset=utf-8', 'Sitemap: https://art.example/sitemap.xml'],
    ['/sitemap.xml', 'application/xml; charset=utf-8', `<loc>https://art.example${firstArtwork}</loc>`],
    ['/feed.xml', 'application/rss+xml; charset=utf-8', 'Leela Marathe: new works'],
    ['/manifest.webmanifest', 'application/manifest+json; charset=utf-8', '"name":"Leela Marathe"'],
  ])('%s is answered like a page', async (path, contentType, content) => {
    const answer = await pagesWith().page(path, '', br)
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': contentType } })
    expect(answer.headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'")
    expect(htmlOf(answer)).toContain(content)
    expect(render).not.toHaveBeenCalled()
  })

  it('need no renderer where they show no text of the site', async () => {
    const pages = pagesWith()
    await pages.page('/robots.txt', '', br)
    await pages.page('/sitemap.xml', '', br)
    expect(loadRenderer).not.toHaveBeenCalled()
  })
})

describe('the folder', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atelier-pages-'))
  })
  afterEach(async () => {
    await settleAll()
    await rm(folder, { recursive: true, force: true })
  })

  const restart = async (change: Partial<PagesOptions> = {}) => {
    const before = pagesWith({ folder: join(folder, 'pages') })
    const answer = await before.page('/', '', br)
    await before.settled()
    vi.clearAllMocks()
    const readPageData = vi.fn<() => PageData>(() => ({ ...data, version }))
    return {
      answer,
      readPageData,
      after: pagesWith({ folder: join(folder, 'pages'), readPageData, ...change }),
    }
  }

  it('shows the homepage after a restart without rendering or reading anything', async () => {
    const { answer, readPageData, after } = await restart()
    const again = await after.page('/', '', br)
    expect(htmlOf(again)).toBe(htmlOf(answer))
    expect(again.headers).toMatchObject({
      'content-security-policy': answer.headers['content-security-policy'],
      'strict-transport-security': 'max-age=31536000',
    })
    expect(htmlOf(await after.page('/', '', { ...br, session: true }))).toContain('data-session')
    expect(htmlOf(await after.page('/', '', gzip))).toBe(htmlOf(answer))
    expect(htmlOf(await after.page('/', '', visitors))).toBe(htmlOf(answer))
    expect(loadRenderer).not.toHaveBeenCalled()
    expect(readPageData).not.toHaveBeenCalled()
  })

  it.each<[string, Partial<PagesOptions>]>([
    ['read models that moved', { versions: () => '2' }],
    ['another address', { publicUrl: 'https://other.example' }],
    ['another blog', { settings: { blogUrl: 'https://blog.example' } }],
    [
      'another build',
      {
        assets: {
          build: 'b2',
          scripts: ['/e.js'],
          styles: [],
          below: [],
          artwork: { modules: [], styles: [] },
          admin: [],
          fonts: { href: '', text: '' },
          inline: '',
        },
      },
    ],
  ])('is of no use for %s', async (_, change) => {
    const { after } = await restart(change)
    await after.page('/', '', br)
    expect(render).toHaveBeenCalledTimes(1)
  })

  it.each<[string, (file: Buffer) => Buffer]>([
    ['cut short', (file) => file.subarray(0, file.length - 10)],
    ['empty', () => Buffer.alloc(0)],
    ['something else', () => Buffer.from('hello\nworld')],
    ['rotten in its middle', (file) => Buffer.from(file).fill(0, file.length - 60, file.length - 50)],
    [
      'of another policy',
      (file) => Buffer.from(file.toString('latin1').replace("'none'", "'nine'"), 'latin1'),
    ],
  ])('is rendered anew when the file is %s', async (_, damage) => {
    const { after } = await restart()
    const file = join(folder, 'pages', 'home.page')
    await writeFile(file, damage(await readFile(file)))
    expect(await after.page('/', '', br)).toMatchObject({ status: 200 })
    expect(render).toHaveBeenCalledTimes(1)
  })

  it('is filled at a stop that comes before the small forms, which the next start makes', async () => {
    const before = pagesWith({ folder: join(folder, 'pages'), debounceMs: 60_000 })
    const answer = await before.page('/', '', br)
    await before.close()
    vi.clearAllMocks()
    const after = pagesWith({ folder: join(folder, 'pages') })
    const first = await after.page('/', '', br)
    expect(first).toEqual(answer)
    await after.page('/', '', br)
    await after.settled()
    const small = await after.page('/', '', br)
    expect(htmlOf(small)).toBe(htmlOf(answer))
    expect(small.headers['etag']).not.toBe(answer.headers['etag'])
    expect(loadRenderer).not.toHaveBeenCalled()
  })

  it('holds one file and no rests', async () => {
    await restart()
    expect(await readdir(join(folder, 'pages'))).toEqual(['home.page'])
  })

  it('costs nothing but speed when it cannot be written', async () => {
    const inTheWay = join(folder, 'file')
    await writeFile(inTheWay, '')
    const pages = pagesWith({ folder: join(inTheWay, 'pages') })
    expect(await pages.page('/', '', br)).toMatchObject({ status: 200 })
    await pages.settled()
    expect(onError).toHaveBeenCalled()
    expect(await pages.page('/', '', br)).toMatchObject({ status: 200 })
  })
})
