import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  atomPage,
  postsOf,
  startTestBlog,
  type TestBlog,
  type TestPost,
} from '#infrastructure/blog-feed/testing/test-blog.ts'
import { type Client, openWebSite, type WebSite } from '../../../../test/support/web-site.ts'

/** A blog in Blogger's format, mirrored by a whole site on real engines: what each walk begins with. */
const all = postsOf(150)
let blog: TestBlog
let site: WebSite
let owner: Client

beforeAll(async () => {
  blog = await startTestBlog()
  site = await openWebSite({ settings: { FETCH_ALLOW_PRIVATE: '1', BLOG_URL: blog.url } })
  owner = await site.owner()
})
afterAll(async () => {
  await site.close()
  await blog.close()
})

const sync = async () => (await owner.call('syncBlogPosts')).json
const journal = async (): Promise<readonly { readonly id: string; readonly title: string }[]> =>
  (await site.visitor().call('listBlogPosts')).json
const titles = async (): Promise<readonly string[]> => (await journal()).map(({ title }) => title)

beforeEach(async () => {
  blog.posts = [...all]
  blog.cap = 150
  blog.conditional = false
  blog.silentAboutTotal = false
  blog.interfere = () => false
  await sync()
})

describe('the mirror', () => {
  it('holds the whole blog, newest first', async () => {
    expect(await titles()).toEqual(all.map(({ title }) => title))
    expect(await sync()).toMatchObject({ created: 0, updated: 0, removed: 0, unchanged: 150, total: 150 })
  })

  it('minds neither another order nor smaller pages', async () => {
    blog.posts = all.toReversed()
    blog.cap = 7
    expect(await sync()).toMatchObject({ created: 0, updated: 0, removed: 0, unchanged: 150 })
    expect(await titles()).toEqual(all.map(({ title }) => title))
  })

  it('follows what is edited, unpublished, drafted and new', async () => {
    blog.posts = [
      { id: 'new', title: 'Haldi', content: '<p>Turmeric</p>', published: '2025-11-14T10:00:00.000+05:30' },
      { ...(all[0] as TestPost), title: 'Other words' },
      { ...(all[1] as TestPost), draft: true },
      ...all.slice(3),
    ]
    expect(await sync()).toMatchObject({ created: 1, updated: 1, removed: 2, unchanged: 147, total: 149 })
    expect((await titles()).slice(0, 3)).toEqual(['Haldi', 'Other words', 'Post 147'])
  })

  it('follows a blog that comes back to what it was, also when it asks conditionally', async () => {
    blog.conditional = true
    await sync()
    expect(await sync()).toMatchObject({ unchanged: 150 })
    blog.posts = [{ id: 'passing', title: 'For a day' }, ...all]
    expect(await sync()).toMatchObject({ created: 1 })
    blog.posts = [...all]
    expect(await sync()).toMatchObject({ removed: 1, unchanged: 150 })
    expect(await titles()).not.toContain('For a day')
    blog.asked.length = 0
    expect(await sync()).toMatchObject({ unchanged: 150 })
    // One question: has the one page changed?
    expect(blog.asked).toHaveLength(1)
  })

  it('takes posts under other ids and dates for other posts', async () => {
    blog.posts = all.slice(0, 5).map((post) => {
      const later = new Date(Date.parse(post.published ?? '') + 1_000)
      return { ...post, id: `${post.id}-moved`, published: later.toISOString() }
    })
    expect(await sync()).toMatchObject({ created: 5, removed: 150, total: 5 })
    expect(await titles()).toEqual(all.slice(0, 5).map(({ title }) => title))
  })

  it('keeps the owner’s words and her hiding, also through a post’s absence', async () => {
    const [first, second] = await journal()
    await owner.call('changeBlogPost', { params: { id: first?.id ?? '' }, body: { title: 'In my words' } })
    await owner.call('changeBlogPost', { params: { id: second?.id ?? '' }, body: { isVisible: false } })
    blog.posts = all.slice(2)
    expect(await sync()).toMatchObject({ removed: 2 })
    blog.posts = all.map((post) => ({ ...post, content: '<p>Edited</p>' }))
    await sync()
    expect((await titles()).slice(0, 2)).toEqual(['In my words', 'Post 148'])
    await owner.call('changeBlogPost', { params: { id: first?.id ?? '' }, body: { title: null } })
    await owner.call('changeBlogPost', { params: { id: second?.id ?? '' }, body: { isVisible: true } })
  })

  it.each<[string, () => void, number]>([
    [
      'a page in the middle fails',
      () => {
        blog.cap = 40
        blog.interfere = (request, response) => {
          if (request.url?.includes('start-index=81') !== true) return false
          response.writeHead(500).end()
          return true
        }
      },
      502,
    ],
    [
      'its pages end before its own count',
      () => {
        blog.cap = 40
        blog.interfere = (request, response) => {
          if (request.url?.includes('start-index=81') !== true) return false
          response.end(atomPage('<openSearch:totalResults>150</openSearch:totalResults>'))
          return true
        }
      },
      200,
    ],
    [
      'it says nothing of how many there are',
      () => {
        blog.posts = all.slice(0, 3)
        blog.silentAboutTotal = true
      },
      200,
    ],
    [
      'it leads out of the web',
      () => {
        blog.interfere = (_request, response) => {
          response.writeHead(302, { location: 'ftp://10.0.0.1/' }).end()
          return true
        }
      },
      502,
    ],
  ])('loses nothing when %s', async (_, upset, status) => {
    upset()
    const answer = await owner.call('syncBlogPosts')
    expect(answer.status).toBe(status)
    if (status === 502) expect((await owner.call('getBlogSync')).json.error).toBe(answer.json.message)
    expect(await titles()).toEqual(all.map(({ title }) => title))
  })

  it('is empty when the blog is', async () => {
    blog.posts = []
    expect(await sync()).toMatchObject({ removed: 150, total: 0 })
    expect(await titles()).toEqual([])
  })

  it('shows a post harmless and whole, with its picture kept here when the blog is gone', async () => {
    const webp = await sharp({ create: { width: 500, height: 300, channels: 3, background: '#a05020' } })
      .webp()
      .toBuffer()
    blog.interfere = (request, response) => {
      if (request.url !== '/lotus.webp') return false
      response.writeHead(200, { 'content-type': 'image/webp' }).end(webp)
      return true
    }
    const content =
      `<script>alert(1)</script><p onclick="alert(2)">Lotus <a href="javascript:alert(3)">tank</a></p>` +
      `<iframe src="https://evil.example"></iframe><img src="${blog.url}/lotus.webp" onerror="alert(4)">`
    blog.posts = [{ id: 'lotus', title: '<b>Lotus</b> <script>alert(5)</script>', content }]
    await sync()
    const own = async () => (await owner.call('listBlogPosts')).json[0]
    await expect.poll(async () => (await own()).imageUrl).toMatch(/^\/images\//)
    const post = await own()
    expect(post.content).toMatch(/<img[^>]+src="\/images\/[0-9a-f]{64}\/original-view\.jpg"/)
    const page = (await site.visitor().send('GET', '/')).text
    for (const text of [post.content, JSON.stringify(await journal())])
      expect(text).not.toMatch(/<script|onclick|onerror|javascript:|iframe|evil/i)
    expect(page).not.toMatch(/alert\(\d\)<\/script>|onerror="alert|<iframe/i)
    expect(page).toContain(post.imageUrl)

    blog.interfere = (_request, response) => {
      response.destroy()
      return true
    }
    expect((await owner.call('syncBlogPosts')).status).toBe(502)
    expect(await own()).toEqual(post)
    const image = await fetch(site.url + post.imageUrl)
    expect(image.status).toBe(200)
    expect(await sharp(Buffer.from(await image.arrayBuffer())).metadata()).toMatchObject({
      format: 'jpeg',
      width: 500,
      height: 300,
    })
  })
})
