import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '#infrastructure/clock.ts'
import { type Client, imageBytes, openWebSite, type WebSite } from '../../../../test/support/web-site.ts'

/** A blog of our own: an RSS feed whose posts a test sets. */
let posts: readonly { readonly id: string; readonly title: string; readonly date?: Date }[] = []
/** ms by which the site's clock is ahead */
let ahead = 0
let held: Promise<void> | null = null
let blog: Server
let blogUrl: string
let site: WebSite
let owner: Client

const feed = (): string =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>Studio</title><link>${blogUrl}</link><description/>${posts
    .map(
      ({ id, title, date = new Date('2025-01-06T10:00:00Z') }) =>
        `<item><guid isPermaLink="false">${id}</guid><title>${title}</title><link>${blogUrl}${id}</link>` +
        `<pubDate>${date.toUTCString()}</pubDate><description>&lt;p onclick="x()"&gt;About ${title}&lt;/p&gt;</description></item>`,
    )
    .join('')}</channel></rss>`

beforeAll(async () => {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    await held
    if (request.url === '/feed.xml') {
      response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(feed())
    } else {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<link rel="alternate" type="application/rss+xml" href="/feed.xml">')
    }
  }
  blog = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => blog.listen(0, '127.0.0.1', resolve))
  blogUrl = `http://127.0.0.1:${(blog.address() as AddressInfo).port}/`
  const clock = { ...systemClock, now: () => new Date(Date.now() + ahead) }
  site = await openWebSite({ settings: { FETCH_ALLOW_PRIVATE: '1' }, clock })
  owner = await site.owner()
})
afterEach(() => {
  held = null
})
afterAll(async () => {
  await site.close()
  blog.close()
})

const titles = async (client: Client): Promise<string[]> =>
  (await client.call('listBlogPosts')).json.map(({ title }: { title: string }) => title)

describe('the journal', () => {
  it('cannot be synced without a blog', async () => {
    const answer = await owner.call('syncBlogPosts')
    expect(answer.status).toBe(409)
    expect(answer.json.message).toMatch(/blog/i)
  })

  it('mirrors the blog and says what it did', async () => {
    await owner.call('changeSiteContent', { body: { blogUrl } })
    posts = [
      { id: 'one', title: 'First rain' },
      { id: 'two', title: 'Second rain' },
    ]
    const answer = await owner.call('syncBlogPosts', { body: {} })
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ created: 2, updated: 0, removed: 0, unchanged: 0, total: 2 })
    expect((await titles(site.visitor())).toSorted()).toEqual(['First rain', 'Second rain'])
    const status = (await owner.call('getBlogSync')).json
    expect(status).toMatchObject({ running: false, created: 2, total: 2, error: null })
    expect(status.finishedAt).toBe(answer.json.finishedAt)
  })

  it('keeps content for the owner, made harmless', async () => {
    const [post] = (await owner.call('listBlogPosts')).json
    expect(post.content).toContain('About')
    expect(post.content).not.toContain('onclick')
    expect((await site.visitor().call('listBlogPosts')).json[0]).not.toHaveProperty('content')
  })

  it('takes back what she said about a post', async () => {
    const [post] = (await owner.call('listBlogPosts')).json
    const params = { id: post.id }
    const changed = await owner.call('changeBlogPost', {
      params,
      body: { title: 'My own', isVisible: false },
    })
    expect(changed.json).toMatchObject({ title: 'My own', isVisible: false })
    const act = changed.headers.get('x-activity') ?? ''
    const undone = await owner.call('undoActivity', { params: { id: act } })
    expect(undone.json).toMatchObject({ id: post.id, title: post.title, isVisible: true })
    expect(undone.json.overrides.title).toBeNull()
    const again = await owner.call('undoActivity', { params: { id: act } })
    expect([again.status, again.json.current]).toMatchObject([409, { id: post.id, title: post.title }])
  })

  it('follows edits', async () => {
    posts = [
      { id: 'one', title: 'First rain' },
      { id: 'two', title: 'Second thoughts' },
    ]
    expect((await owner.call('syncBlogPosts')).json).toMatchObject({ created: 0, updated: 1, unchanged: 1 })
    expect(await titles(site.visitor())).toContain('Second thoughts')
  })

  it('lets one sync run at a time', async () => {
    const door = Promise.withResolvers<void>()
    held = door.promise
    const first = owner.call('syncBlogPosts')
    await expect.poll(async () => (await owner.call('getBlogSync')).json.running).toBe(true)
    const second = await owner.call('syncBlogPosts')
    expect(second.status).toBe(409)
    door.resolve()
    expect((await first).status).toBe(200)
  })

  it('says in words when the blog fails, and loses nothing', async () => {
    const before = await titles(site.visitor())
    await owner.call('changeSiteContent', { body: { blogUrl: 'http://127.0.0.1:1/' } })
    const answer = await owner.call('syncBlogPosts')
    expect(answer.status).toBe(502)
    expect(answer.json.message.length).toBeGreaterThan(10)
    expect(await titles(site.visitor())).toEqual(before)
    expect((await owner.call('getBlogSync')).json.error).toBe(answer.json.message)
    await owner.call('changeSiteContent', { body: { blogUrl } })
  })

  it('is synced by the owner only', async () => {
    expect((await site.visitor().call('syncBlogPosts')).status).toBe(401)
    expect((await site.visitor().call('getBlogSync')).status).toBe(401)
  })
})

describe('a post', () => {
  const first = async () => (await owner.call('listBlogPosts')).json[0]

  it('is hidden and shown', async () => {
    const { id, title } = await first()
    const hidden = await owner.call('changeBlogPost', { params: { id }, body: { isVisible: false } })
    expect(hidden.json.isVisible).toBe(false)
    expect(await titles(site.visitor())).not.toContain(title)
    await owner.call('changeBlogPost', { params: { id }, body: { isVisible: true } })
    expect(await titles(site.visitor())).toContain(title)
  })

  it('keeps her own title over later syncs, until she drops it', async () => {
    const { id, title } = await first()
    const own = await owner.call('changeBlogPost', { params: { id }, body: { title: 'In my words' } })
    expect(own.json).toMatchObject({
      title: 'In my words',
      overrides: { title: 'In my words', excerpt: null },
    })
    await owner.call('syncBlogPosts')
    expect(await titles(site.visitor())).toContain('In my words')
    const dropped = await owner.call('changeBlogPost', { params: { id }, body: { title: null } })
    expect(dropped.json).toMatchObject({ title, overrides: { title: null } })
  })

  it('takes the record as GET answered it', async () => {
    const post = await first()
    const answer = await owner.call('changeBlogPost', { params: { id: post.id }, body: post })
    expect(answer.status).toBe(200)
    expect(answer.json.version).toBe(post.version)
  })

  it('refuses a stale version with the post as it is now', async () => {
    const { id, version } = await first()
    await owner.call('changeBlogPost', { params: { id }, body: { excerpt: 'newer' } })
    const body = { excerpt: 'older', expectedVersion: version }
    const answer = await owner.call('changeBlogPost', { params: { id }, body })
    expect(answer.status).toBe(409)
    expect(answer.json.current.excerpt).toBe('newer')
  })

  it('that never was is not there', async () => {
    const params = { id: '00000000-0000-4000-8000-000000000000' }
    expect((await owner.call('changeBlogPost', { params, body: { isVisible: true } })).status).toBe(404)
  })
})

describe('many posts', () => {
  it('is listed as the page shows it, and for the dashboard without its content', async () => {
    const part = async (client: Client, query: string) =>
      (await client.call('listBlogPosts', { query })).json as { readonly title: string }[]
    posts = Array.from({ length: 6 }, (_, n) => ({ id: `many ${n}`, title: `Many ${n}` }))
    await owner.call('syncBlogPosts')
    const [hidden] = await part(owner, 'part=rows')
    await owner.call('changeBlogPost', { params: { id: Object(hidden).id }, body: { isVisible: false } })
    const page = await part(site.visitor(), 'part=page')
    expect(page).toHaveLength(4)
    expect(page).not.toContainEqual(expect.objectContaining({ title: hidden?.title }))
    expect(await part(owner, 'part=page')).toEqual(page)
    const rows = await part(owner, 'part=rows')
    expect(rows.map(({ title }) => title)).toEqual(await titles(owner))
    for (const row of rows) expect(row).not.toHaveProperty('content')
    expect(rows[0]).toHaveProperty('overrides')
    expect(await part(site.visitor(), 'part=rows')).toEqual(await part(site.visitor(), ''))
    expect((await site.visitor().call('listBlogPosts', { query: 'part=some' })).status).toBe(422)
  })

  it('shows a post from its date on, in the lists and on the page, which both are new then', async () => {
    const date = new Date(Date.now() + 60 * 60_000)
    posts = [{ id: 'coming', title: 'Tomorrow in my studio', date }]
    await owner.call('syncBlogPosts')
    const visitor = site.visitor()
    const addresses = ['/', '/api/blog-posts', '/api/blog-posts?part=page']
    const seen = () => Promise.all(addresses.map((address) => visitor.send('GET', address)))
    const before = await seen()
    for (const { status, text } of before) {
      expect(status).toBe(200)
      expect(text).not.toContain('Tomorrow in my studio')
    }
    expect(await titles(owner)).toContain('Tomorrow in my studio')
    const tags = before.map(({ headers }) => headers.get('etag') ?? '')
    const asked = (n: number) =>
      visitor.send('GET', addresses[n] ?? '', { headers: { 'if-none-match': tags[n] ?? '' } })
    expect(await Promise.all(addresses.map(async (_, n) => (await asked(n)).status))).toEqual([304, 304, 304])
    ahead = 2 * 60 * 60_000
    for (const n of addresses.keys()) expect((await asked(n)).text).toContain('Tomorrow in my studio')
  })
})

// Last: an image that is taken in makes lists and pages new once more when its sizes are there.
it('changes a post in the order in which it was asked: what is put back and saved is not changed behind it', async () => {
  const slowHost = createServer().listen(0, '127.0.0.1')
  const asked = once(slowHost, 'request')
  const [{ id, title, version }] = (await owner.call('listBlogPosts')).json
  const { port } = slowHost.address() as AddressInfo // it listens at a port
  const change = (fields: object) =>
    owner.call('changeBlogPost', { params: { id }, body: { ...fields, expectedVersion: version } })
  const wrong = change({ imageUrl: `http://127.0.0.1:${port}/a.jpg`, title: 'A slip' })
  const [, image] = (await asked) as [unknown, ServerResponse] // of its 'request'
  const back = change({ title })
  await titles(owner)
  image.writeHead(200, { 'content-type': 'image/png' }).end(await imageBytes({ colour: '#112233' }))
  expect((await wrong).status).toBe(200)
  expect((await back).status).toBe(409)
  slowHost.close()
})
