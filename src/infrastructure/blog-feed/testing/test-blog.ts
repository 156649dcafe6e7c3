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

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const element = (name: string, value: string | undefined, attributes = ''): string =>
  value === undefined ? '' : `<${name}${attributes}>${escaped(value)}</${name}>`

const entryOf = (post: TestPost, url: string): string =>
  [
    '<entry>',
    element('id', post.id),
    element('published', post.published),
    element('updated', post.updated),
    post.draft === true ? '<app:control><app:draft>yes</app:draft></app:control>' : '',
    element('title', post.title, ' type="text"'),
    element('content', post.content, ' type="html"'),
    element('summary', post.summary, ' type="text"'),
    `<link rel="replies" href="${url}/feeds/comments"/>`,
    `<link rel="alternate" type="text/html" href="${url}/post/${escaped(post.id.replace(/^.*-/, ''))}.html"/>`,
    post.thumbnail === undefined
      ? ''
      : `<media:thumbnail url="${escaped(post.thumbnail)}" width="72" height="72"/>`,
    '</entry>',
  ].join('')

/** A page as Blogger gives it. @param inside what says how many posts there are, and the entries */
export const atomPage = (inside: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:openSearch="http://a9.com/-/spec/opensearchrss/1.0/" xmlns:app="http://www.w3.org/2007/app" xmlns:media="http://search.yahoo.com/mrss/"><id>tag:blogger.com,1999:blog-7</id><title type="text">Studio Notes</title><generator version="7.00" uri="https://www.blogger.com">Blogger</generator>${inside}</feed>`

export const startTestBlog = async (posts: TestPost[] = []): Promise<TestBlog> => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (blog.interfere(request, response)) return
    const url = new URL(request.url ?? '/', blog.url)
    if (url.pathname !== '/feeds/posts/default') {
      response.writeHead(404).end('Not found')
      return
    }
    const start = Number(url.searchParams.get('start-index') ?? 1)
    const size = Math.min(Number(url.searchParams.get('max-results') ?? 25), blog.cap)
    const page = blog.posts.slice(start - 1, start - 1 + size)
    const more = start - 1 + page.length < blog.posts.length
    const body = atomPage(
      [
        more
          ? `<link rel="next" href="${blog.url}/feeds/posts/default?start-index=${start + page.length}"/>`
          : '',
        blog.silentAboutTotal ? '' : element('openSearch:totalResults', String(blog.posts.length)),
        element('openSearch:startIndex', String(start)),
        element('openSearch:itemsPerPage', String(size)),
        ...page.map((post) => entryOf(post, blog.url)),
      ].join(''),
    )
    const etag =
      `"${Buffer.from(body).length}-${body.length}-${blog.posts.map((post) => `${post.title}${post.updated}`).join()}"`
        .replaceAll(/[^\w",-]/gu, '')
        .slice(0, 4_000)
    if (blog.conditional && request.headers['if-none-match'] === etag) response.writeHead(304).end()
    else
      response
        .writeHead(200, {
          'content-type': 'application/atom+xml; charset=UTF-8',
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
