/** A server that speaks Blogger's feed format, for tests; its posts and its moods are set from outside. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface TestPost {
  readonly id: string
  readonly title?: string
  readonly content?: string
  readonly summary?: string
  readonly published?: string
  readonly updated?: string
  readonly thumbnail?: string
  readonly draft?: boolean
}

export interface TestBlog {
  readonly url: string
  posts: TestPost[]
  /** the most that a page holds, whatever is asked for */
  cap: number
  /** says nothing about how many posts there are */
  silentAboutTotal: boolean
  /** gives an entity tag and honours it */
  conditional: boolean
  /** called before each answer; true when it has answered itself */
  interfere: (request: IncomingMessage, response: ServerResponse) => boolean
  /** paths asked for, in order */
  readonly asked: string[]
  readonly close: () => Promise<void>
}

export const postsOf = (count: number): TestPost[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `tag:blogger.com,1999:blog-7.post-${count - i}`,
    title: `Post ${count - i}`,
    content: `<p>Text of post ${count - i}</p>`,
    published: new Date(Date.UTC(2024, 0, 1) + (count - i) * 86_400_000).toISOString(),
  }))

const text = (value: string, type?: string): object =>
  type === undefined ? { $t: value } : { type, $t: value }

const entryOf = (post: TestPost, url: string): object => ({
  id: text(post.id),
  ...(post.published === undefined ? {} : { published: text(post.published) }),
  ...(post.updated === undefined ? {} : { updated: text(post.updated) }),
  ...(post.title === undefined ? {} : { title: text(post.title, 'text') }),
  ...(post.content === undefined ? {} : { content: text(post.content, 'html') }),
  ...(post.summary === undefined ? {} : { summary: text(post.summary, 'text') }),
  link: [
    { rel: 'replies', href: `${url}/feeds/comments` },
    { rel: 'alternate', type: 'text/html', href: `${url}/post/${post.id.replace(/^.*-/, '')}.html` },
  ],
  ...(post.thumbnail === undefined
    ? {}
    : { media$thumbnail: { url: post.thumbnail, width: '72', height: '72' } }),
  ...(post.draft === true ? { app$control: { app$draft: text('yes') } } : {}),
})

export async function startTestBlog(posts: TestPost[] = []): Promise<TestBlog> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (blog.interfere(request, response)) return
    const url = new URL(request.url ?? '/', blog.url)
    if (url.pathname !== '/feeds/posts/default' || url.searchParams.get('alt') !== 'json') {
      response.writeHead(404).end('Not found')
      return
    }
    const start = Number(url.searchParams.get('start-index') ?? 1)
    const size = Math.min(Number(url.searchParams.get('max-results') ?? 25), blog.cap)
    const page = blog.posts.slice(start - 1, start - 1 + size)
    const more = start - 1 + page.length < blog.posts.length
    const body = JSON.stringify({
      version: '1.0',
      feed: {
        id: text('tag:blogger.com,1999:blog-7'),
        title: text('Studio Notes', 'text'),
        link: more
          ? [{ rel: 'next', href: `${blog.url}/feeds/posts/default?start-index=${start + page.length}` }]
          : [],
        ...(blog.silentAboutTotal ? {} : { openSearch$totalResults: text(String(blog.posts.length)) }),
        openSearch$startIndex: text(String(start)),
        openSearch$itemsPerPage: text(String(size)),
        ...(page.length === 0 ? {} : { entry: page.map((post) => entryOf(post, blog.url)) }),
      },
    })
    const etag =
      `"${Buffer.from(body).length}-${body.length}-${blog.posts.map((post) => `${post.title}${post.updated}`).join()}"`
        .replaceAll(/[^\w",-]/gu, '')
        .slice(0, 4_000)
    if (blog.conditional && request.headers['if-none-match'] === etag) response.writeHead(304).end()
    else
      response
        .writeHead(200, {
          'content-type': 'application/json; charset=UTF-8',
          ...(blog.conditional ? { etag } : {}),
        })
        .end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server on TCP has an address of this shape once it listens.
  const { port } = server.address() as AddressInfo
  const blog: TestBlog = {
    url: `http://127.0.0.1:${port}`,
    posts,
    cap: 150,
    silentAboutTotal: false,
    conditional: false,
    interfere: () => false,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return blog
}
