import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { postsOf, startTestBlog, type TestBlog } from '#infrastructure/blog-feed/testing/test-blog.ts'
import { type Site, signIn } from '../support/site.ts'
import { describeAttacks, tooLongMs, whileAsking } from './under-attack.ts'

/** Of one hostile post, in characters: a page of the feed may have ten million bytes. */
const size = 3_000_000
const filled = (piece: string): string => piece.repeat(Math.floor(size / piece.length))

const hostile: readonly (readonly [string, string])[] = [
  ['nested without an end', `<p>Before</p>${filled('<b>')}`],
  [
    'nested and closed again',
    `<p>Before</p>${'<blockquote>'.repeat(120_000)}${'</blockquote>'.repeat(120_000)}`,
  ],
  ['nested past what closing tags count', filled('<p><div></p>')],
  ['of pictures without an address', filled('x<img>')],
]

/** Syncs and waits for the end. @returns what the journal holds then, by title */
const synced = async (site: Site, cookie: string): Promise<ReadonlyMap<string, string>> => {
  const answer = await fetch(`${site.url}/api/blog-posts/sync`, {
    method: 'POST',
    headers: { cookie, origin: site.url },
    signal: AbortSignal.timeout(120_000),
  })
  if (!answer.ok) throw new Error(`The sync was answered ${answer.status} ${await answer.text()}`)
  const posts = await fetch(`${site.url}/api/blog-posts`, { headers: { cookie } })
  // The contract's own shape.
  const list = (await posts.json()) as { title: string; content: string }[]
  return new Map(list.map(({ title, content }) => [title, content]))
}

await describeAttacks('a hostile blog', (start) => {
  let site: Site
  let blog: TestBlog
  let cookie: string
  beforeAll(async () => {
    blog = await startTestBlog()
    site = await start({ FETCH_ALLOW_PRIVATE: '1', BLOG_URL: blog.url })
    cookie = await signIn(site)
  })
  afterAll(async () => {
    await site?.stop()
    await blog?.close()
  })
  afterEach(() => {
    blog.posts = []
  })

  it.each(hostile)('with a post %s lets nobody wait, and its other posts come', async (name, content) => {
    const [first, last] = postsOf(2)
    if (first === undefined || last === undefined) throw new Error('There are two posts')
    const key = name.replaceAll(' ', '-')
    const middle = { ...first, id: `${first.id}-${key}`, title: name, content }
    blog.posts = [first, middle, last]
    const { result, waiting } = await whileAsking(site, () => synced(site, cookie))
    expect([...result.keys()]).toEqual(expect.arrayContaining(['Post 1', 'Post 2', name]))
    expect(result.get(name)).toContain('Read on in the blog')
    expect(waiting.longestMs).toBeLessThan(tooLongMs)
  })
})
