import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CrawlResult } from '#application/ports/blog-feed.ts'
import { openSafeFetch } from '../safe-fetch/safe-fetch.ts'
import { openBlogFeed } from './blog-feed.ts'
import { atomPage, postsOf, startTestBlog, type TestBlog } from './testing/test-blog.ts'

const safeFetch = openSafeFetch({ allowPrivate: true })
const feed = openBlogFeed(safeFetch)
const servers: Server[] = []
let blog: TestBlog

beforeEach(async () => {
  blog = await startTestBlog()
})
afterEach(async () => {
  await blog.close()
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})
afterAll(() => safeFetch.close())

/** A site of fixed pages by path; a number is answered as a status alone. @param asked is told of each request */
const site = async (
  pages: (base: string) => Record<string, string | number>,
  asked?: (path: string | undefined) => void,
): Promise<string> => {
  const server = createServer((request, response) => {
    asked?.(request.url)
    const page = pages(base)[request.url ?? ''] ?? 404
    if (typeof page === 'number') response.writeHead(page).end()
    else
      response
        .writeHead(200, {
          'content-type': page.startsWith('<!doctype html') ? 'text/html' : 'application/xml',
        })
        .end(page)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server on TCP has an address of this shape once it listens.
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return base
}
const crawled = (result: CrawlResult): Exclude<CrawlResult, { unchanged: true }> => {
  if (result.unchanged) throw new Error('The crawl says that nothing has changed')
  return result
}
const failing = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'came through',
    (error: unknown) => error,
  )

describe('a blog of Blogger’s', () => {
  it.each([0, 1, 3, 150, 1000])('with %i posts is read whole', async (count) => {
    blog.posts = postsOf(count)
    const told: string[] = []
    const result = crawled(
      await feed.crawl(blog.url, { onProgress: (received, total) => told.push(`${received}/${total}`) }),
    )
    expect(result.entries.map((entry) => entry.externalId)).toEqual(blog.posts.map((post) => post.id))
    expect(result.complete).toBe(true)
    expect(told.at(-1)).toBe(`${count}/${count}`)
  })

  it('goes on by what it received when a page holds less than it asked for', async () => {
    blog.posts = postsOf(23)
    blog.cap = 7
    const result = crawled(await feed.crawl(blog.url))
    expect([result.entries.length, result.complete]).toEqual([23, true])
    expect(blog.asked.map((path) => new URL(path, blog.url).searchParams.get('start-index'))).toEqual([
      '1',
      '8',
      '15',
      '22',
    ])
  })

  it('reads a post of every kind', async () => {
    blog.posts = [
      {
        id: 'tag:blogger.com,1999:blog-7.post-9',
        title: ' Haldi & <light> ',
        content: '<p>Turmeric <script>alert(1)</script></p>',
        published: '2024-03-05T09:00:00.000+05:30',
        updated: '2024-03-06T09:00:00.000+05:30',
        thumbnail: 'https://4.bp.blogspot.com/-a/s72-c/haldi.jpg',
      },
      { id: 'tag:8', summary: 'Only a snippet' },
    ]
    const { entries } = crawled(await feed.crawl(blog.url))
    expect(entries).toEqual([
      {
        externalId: 'tag:blogger.com,1999:blog-7.post-9',
        title: 'Haldi &',
        contentHtml: '<p>Turmeric <script>alert(1)</script></p>',
        excerpt: 'Turmeric',
        publishedAt: '2024-03-05T03:30:00.000Z',
        url: `${blog.url}/post/9.html`,
        imageUrl: 'https://4.bp.blogspot.com/-a/s1600/haldi.jpg',
      },
      {
        externalId: 'tag:8',
        title: '',
        contentHtml: '',
        excerpt: 'Only a snippet',
        publishedAt: null,
        url: `${blog.url}/post/tag:8.html`,
        imageUrl: null,
      },
    ])
  })

  it('keeps a title as it is read, also where it speaks of HTML', async () => {
    const post = { title: 'Haldi & <light>', contentHtml: '<p>A</p>', url: null }
    expect((await feed.readPost(post, new AbortController().signal)).title).toBe(post.title)
  })

  it('never shows a draft, and is complete without it', async () => {
    blog.posts = [{ id: 'a', title: 'Not yet', draft: true }, ...postsOf(2)]
    const result = crawled(await feed.crawl(blog.url))
    expect([result.entries.length, result.complete]).toEqual([2, true])
  })

  it('is not proven complete when a post slipped from one page to the next meanwhile', async () => {
    blog.posts = postsOf(10)
    blog.cap = 5
    blog.interfere = (request) => {
      if (request.url?.includes('start-index=6') === true)
        blog.posts = [{ id: 'new' }, ...blog.posts.slice(0, 9)]
      return false
    }
    const result = crawled(await feed.crawl(blog.url))
    expect(result.complete).toBe(false)
    expect(new Set(result.entries.map((entry) => entry.externalId)).size).toBe(result.entries.length)
  })

  it('is not proven complete when the pages end before the count is reached', async () => {
    blog.posts = postsOf(10)
    blog.cap = 5
    blog.interfere = (request, response) => {
      if (request.url?.includes('start-index=6') !== true) return false
      response.end(atomPage('<openSearch:totalResults>10</openSearch:totalResults>'))
      return true
    }
    expect(crawled(await feed.crawl(blog.url))).toMatchObject({ complete: false })
  })

  it('without a count is complete when its pages were followed to the end, and a single page proves nothing', async () => {
    blog.silentAboutTotal = true
    blog.posts = postsOf(4)
    expect(crawled(await feed.crawl(blog.url)).complete).toBe(false)
    blog.cap = 2
    expect(crawled(await feed.crawl(blog.url))).toMatchObject({ complete: true, entries: { length: 4 } })
  })

  it('fails as a whole when a page in the middle fails', async () => {
    blog.posts = postsOf(30)
    blog.cap = 10
    blog.interfere = (request, response) => {
      if (request.url?.includes('start-index=11') !== true) return false
      response.writeHead(500).end('oops')
      return true
    }
    expect(await failing(feed.crawl(blog.url))).toMatchObject({
      name: 'BlogFeedError',
      failure: 'unreachable',
      message: expect.stringMatching(/error of its own \(500\)/),
    })
  })

  it('fails when a page is not there to its end', async () => {
    blog.posts = postsOf(30)
    blog.cap = 10
    blog.interfere = (request, response) => {
      if (request.url?.includes('start-index=11') !== true) return false
      response.end(atomPage('<entry><id>a</id></entry>').slice(0, -7))
      return true
    }
    expect(await failing(feed.crawl(blog.url))).toMatchObject({ failure: 'broken-feed' })
  })

  it('asks for fewer posts a page when a page is too large', async () => {
    blog.posts = postsOf(40).map((post) => ({ ...post, content: 'x'.repeat(1_000) }))
    const small = openBlogFeed(safeFetch, { pageBytes: 38_000 })
    const result = crawled(await small.crawl(blog.url))
    expect([result.entries.length, result.complete]).toEqual([40, true])
  })

  it('with more text than is kept comes with the beginnings of its older posts', async () => {
    const paragraph = `<p>${'word '.repeat(100)}</p>`
    const long = postsOf(5).map((post) => ({ ...post, content: paragraph.repeat(20) }))
    blog.posts = [...long.slice(0, 4), ...postsOf(1)]
    const result = crawled(await openBlogFeed(safeFetch, { mostText: 25_000 }).crawl(blog.url))
    const [first, second, third, fourth, short] = result.entries.map(({ contentHtml }) => contentHtml)
    expect([first, second]).toEqual([paragraph.repeat(20), paragraph.repeat(20)])
    for (const begun of [third, fourth]) {
      expect(begun).toMatch(/^<p>word .+<\/p><p><a href="[^"]+"[^>]*>Read on in the blog<\/a><\/p>$/)
      expect(begun?.length).toBeLessThan(2_500)
    }
    expect(short).toBe('<p>Text of post 1</p>')
    expect(result.complete).toBe(true)
  })

  it('says when keys, titles and addresses are longer than can be mirrored', async () => {
    blog.posts = postsOf(3)
    const small = openBlogFeed(safeFetch, { mostNames: 100 })
    expect(await failing(small.crawl(blog.url))).toMatchObject({
      failure: 'too-large',
      message: expect.stringMatching(/titles and addresses/),
    })
  })

  it('gives up on 100 MB, on a drip, and on a crawl without end', async () => {
    let sent = 0
    blog.interfere = (_request, response) => {
      const more = (): void => {
        while (sent < 300_000_000 && !response.destroyed) {
          sent += 65_536
          if (!response.write(' '.repeat(65_536))) break
        }
      }
      response.on('drain', more)
      more()
      return true
    }
    expect(await failing(openBlogFeed(safeFetch, { pageBytes: 1_000_000 }).crawl(blog.url))).toMatchObject({
      failure: 'too-large',
    })
    expect(sent).toBeLessThan(100_000_000)

    blog.interfere = (_request, response) => {
      const drip = setInterval(() => response.write(' '), 10)
      response.on('close', () => clearInterval(drip))
      return true
    }
    expect(await failing(openBlogFeed(safeFetch, { requestMs: 150 }).crawl(blog.url))).toMatchObject({
      failure: 'too-slow',
    })
    expect(await failing(openBlogFeed(safeFetch, { crawlMs: 150 }).crawl(blog.url))).toMatchObject({
      failure: 'too-slow',
      message: expect.stringMatching(/Reading the blog took longer/),
    })

    blog.interfere = () => false
    blog.posts = postsOf(60)
    expect(await failing(openBlogFeed(safeFetch, { mostPosts: 50 }).crawl(blog.url))).toMatchObject({
      failure: 'too-large',
    })
  })

  it('goes to no private network, neither by itself nor by a redirect', async () => {
    const guarded = openSafeFetch({ isAllowed: (address) => address === '127.0.0.1' })
    blog.interfere = (_request, response) => {
      response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end()
      return true
    }
    expect(await failing(openBlogFeed(guarded).crawl(blog.url))).toMatchObject({
      failure: 'unreachable',
      message: expect.stringMatching(/private network/),
    })
    expect(await failing(openBlogFeed(openSafeFetch()).crawl(blog.url))).toMatchObject({
      message: expect.stringMatching(/private network/),
    })
    await guarded.close()
  })

  it('stops when the caller does', async () => {
    blog.interfere = () => true
    const control = new AbortController()
    const work = failing(feed.crawl(blog.url, { signal: control.signal }))
    control.abort(new Error('stopping'))
    expect(await work).toMatchObject({ message: 'stopping' })
  })

  it('asks conditionally, page by page, and reads everything again when one page changed', async () => {
    blog.conditional = true
    blog.posts = postsOf(12)
    blog.cap = 5
    const first = crawled(await feed.crawl(blog.url))
    expect(first.memory?.pages).toHaveLength(3)
    blog.asked.length = 0
    expect(await feed.crawl(blog.url, { memory: first.memory })).toEqual({ unchanged: true })
    expect(blog.asked).toHaveLength(3)

    blog.posts = blog.posts.map((post, i) => (i === 11 ? { ...post, title: 'Edited' } : post))
    const again = crawled(await feed.crawl(blog.url, { memory: first.memory }))
    expect(again.entries.at(-1)?.title).toBe('Edited')
    // Another blog's memory is none.
    expect(
      crawled(
        await feed.crawl(blog.url, {
          memory: { blogUrl: 'https://other.example', pages: first.memory?.pages ?? [] },
        }),
      ).unchanged,
    ).toBe(false)
  })

  it('remembers nothing of a server that gives nothing to remember', async () => {
    blog.posts = postsOf(2)
    expect(crawled(await feed.crawl(blog.url)).memory).toBeNull()
  })
})

describe('finding the feed', () => {
  const atom = (id: string, next = ''): string =>
    `<feed xmlns="http://www.w3.org/2005/Atom"><title>Notes</title>${next}<entry><id>${id}</id><title>${id}</title></entry></feed>`

  it('takes Blogger’s own place from the home page or from any of its feed addresses', async () => {
    const feedUrl = `${blog.url}/feeds/posts/default`
    for (const address of ['', '/', '/2024/03/a-post.html', '/feeds/posts/default?alt=rss'])
      expect(await feed.discover(blog.url + address)).toEqual({
        feedUrl,
        kind: 'blogger',
        title: 'Studio Notes',
      })
  })

  it('follows the link in the head of another blog’s home page, not to the comments', async () => {
    const base = await site(() => ({
      '/blog/':
        '<!doctype html><head><link rel="alternate" type="application/rss+xml" title="Comments" href="comments/feed"><link rel="ALTERNATE" type="application/atom+xml" href="feed.atom"></head>',
      '/blog/feed.atom': atom('1'),
    }))
    expect(await feed.discover(`${base}/blog/`)).toEqual({
      feedUrl: `${base}/blog/feed.atom`,
      kind: 'feed',
      title: 'Notes',
    })
    expect(crawled(await feed.crawl(`${base}/blog/`))).toMatchObject({
      complete: false,
      entries: [{ externalId: '1' }],
    })
  })

  it('finds the feed of a host that sends who asks for what is not there in circles', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/feed.atom') response.writeHead(200).end(atom('1'))
      else if (request.url === '/')
        response
          .writeHead(200)
          .end('<!doctype html><link rel="alternate" type="application/atom+xml" href="/feed.atom">')
      else response.writeHead(302, { location: '/404.html' }).end()
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    for (const address of ['/', '/feed.atom'])
      expect(await feed.discover(base + address)).toMatchObject({ feedUrl: `${base}/feed.atom` })
    expect(await failing(feed.discover(`${base}/nowhere`))).toMatchObject({
      failure: 'unreachable',
      message: expect.stringContaining('redirects in circles'),
    })
  })

  const alternate = (href: string, title: string): string =>
    `<link rel="alternate" type="application/rss+xml" title="${title}" href="${href}">`

  it.each([
    ['busy', 503, { failure: 'unreachable', message: expect.stringContaining('busy (503)') }],
    ['gone', 404, { failure: 'no-feed', message: expect.stringMatching(/ names .*\(404\)/) }],
    [
      'private',
      403,
      { failure: 'no-feed', message: expect.stringMatching(/ names .*Is the blog private\?/) },
    ],
    [
      'one that cannot be read',
      '<rss version="2.0"><channel>',
      { failure: 'no-feed', message: expect.stringMatching(/ names .*not a feed that can be read/) },
    ],
  ])('does not take comments for posts while the blog’s own feed is %s', async (_, own, failed) => {
    const base = await site(() => ({
      '/': `<!doctype html><head>${alternate('/feed/', 'Notes » Feed')}${alternate('/comments/feed/', 'Notes » Comments Feed')}</head>`,
      '/feed/': own,
      '/comments/feed/': atom('Comment on Lotus by Stranger'),
    }))
    expect(await failing(feed.crawl(base))).toMatchObject(failed)
  })

  it.each([
    ['without readable addresses', '/?feed=comments-rss2', 'Notes » Отзывы'],
    ['in German', '/start/feed/', 'Notes » Start Kommentar-Feed'],
    ['in French', '/accueil/feed/', 'Notes » Accueil Flux des commentaires'],
    ['in English', '/home/feed/', 'Notes » Home Comments Feed'],
  ])(
    'never takes comments for posts that WordPress names %s, with or without a feed beside them',
    async (_, path, title) => {
      for (const own of ['', alternate('/feed/', 'Notes » Feed')]) {
        const base = await site(() => ({
          '/': `<!doctype html><head>${own}${alternate(path, title)}</head>`,
          [path]: atom('Comment on Lotus by Stranger'),
        }))
        expect(await failing(feed.crawl(base))).toMatchObject({
          failure: 'no-feed',
          message: expect.stringMatching(/ive the address/),
        })
      }
    },
  )

  it.each([
    ['Comments on Art', 'Comments on Art'],
    ['No Comment', 'No Comment'],
    ['Urban Commentary', 'Urban Commentary'],
    ['Urban Commentary', 'Urban Commentary » Feed'],
    ['Kommentar', 'Kommentar » Feed'],
  ])('takes the posts of a blog that is called “%s”, whose feed is named “%s”', async (name, title) => {
    const base = await site(() => ({
      '/': `<!doctype html><head>${alternate('/comment/feed/', title)}${alternate('/comments/feed/', `${name} » Comments Feed`)}<link rel="alternate" type="application/json" title="JSON" href="/wp-json/wp/v2/pages/2"></head>`,
      '/comment/feed/': atom('1'),
      '/comments/feed/': atom('Comment on Lotus by Stranger'),
      '/wp-json/wp/v2/pages/2': '{"id":2,"title":{"rendered":"Home"},"content":{"rendered":"<p>Hello</p>"}}',
    }))
    expect(crawled(await feed.crawl(base)).entries).toMatchObject([{ externalId: '1' }])
  })

  it('goes on to the next feed where the first is none, and not where it is only away', async () => {
    const answers: { first: number } = { first: 404 }
    const base = await site(() => ({
      '/': `<!doctype html><head>${alternate('/first', 'Notes')}${alternate('/second', 'Of one kind')}</head>`,
      '/first': answers.first,
      '/second': atom('2'),
    }))
    expect(crawled(await feed.crawl(base)).entries).toMatchObject([{ externalId: '2' }])
    for (const status of [429, 500, 503]) {
      answers.first = status
      expect(await failing(feed.crawl(base))).toMatchObject({ failure: 'unreachable' })
    }
  })

  it('takes the address of a feed as it is, and follows its pages', async () => {
    const base = await site((own) => ({
      '/feed': atom('1', `<link rel="next" href="${own}/feed2"/>`),
      '/feed2': atom('2', '<link rel="next" href="/feed3"/>'),
      '/feed3': atom('3'),
    }))
    const result = crawled(await feed.crawl(`${base}/feed`))
    expect([result.entries.map((entry) => entry.externalId), result.complete]).toEqual([
      ['1', '2', '3'],
      true,
    ])
  })

  it('does not follow pages in a circle', async () => {
    const base = await site(() => ({
      '/feed': atom('1', '<link rel="next" href="/feed2"/>'),
      '/feed2': atom('2', '<link rel="next" href="/feed"/>'),
    }))
    expect(crawled(await feed.crawl(`${base}/feed`))).toMatchObject({
      complete: false,
      entries: { length: 2 },
    })
  })

  it('reads a feed at Blogger’s place whose pages have no numbers', async () => {
    blog.interfere = (request, response) => {
      if (request.url?.startsWith('/feeds/posts/default') !== true) return false
      response.end(atom('tag:1'))
      return true
    }
    expect(crawled(await feed.crawl(blog.url)).entries).toMatchObject([{ externalId: 'tag:1' }])
  })

  it('says in words that there is none', async () => {
    const base = await site(() => ({ '/': '<!doctype html><p>Hello</p>' }))
    expect(await failing(feed.discover(base))).toMatchObject({
      failure: 'no-feed',
      message: expect.stringMatching(/No feed was found.*home page/),
    })
    expect(await failing(feed.discover(`${base}/nowhere`))).toMatchObject({ failure: 'no-feed' })
    expect(await failing(feed.discover('not an address'))).toMatchObject({ failure: 'unreachable' })
  })

  it('asks for few of the feeds that a home page names without end, the best first', async () => {
    const link = (type: string, n: number) => `<link rel="alternate" type="application/${type}" href="/${n}">`
    const links = Array.from({ length: 1_000 }, (_, n) => link(n === 999 ? 'atom+xml' : 'rss+xml', n))
    const asked: string[] = []
    const base = await site(
      () => ({ '/': `<!doctype html><head>${links.join('')}` }),
      (path) => asked.push(path ?? ''),
    )
    expect(await failing(feed.discover(base))).toMatchObject({
      failure: 'no-feed',
      message: expect.stringMatching(/names cannot be read.*another feed/),
    })
    expect(asked.slice(1)).toEqual(['/', '/999', ...Array.from({ length: 9 }, (_, n) => `/${n}`)])
  })

  it('reads a feed in the encoding it names', async () => {
    const server = createServer((request, response) => {
      if (request.url !== '/feed') response.writeHead(404).end()
      else
        response.end(
          Buffer.from(
            '<?xml version="1.0" encoding="iso-8859-1"?><rss version="2.0"><channel><title>Caf\xe9</title><item><link>https://a.b/</link></item></channel></rss>',
            'latin1',
          ),
        )
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    // A server on TCP has an address of this shape once it listens.
    const { port } = server.address() as AddressInfo
    expect(await feed.discover(`http://127.0.0.1:${port}/feed`)).toMatchObject({ title: 'Café' })
  })
})
