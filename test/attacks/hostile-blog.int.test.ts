import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
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

type Journal = ReadonlyMap<string, string>

/**
 * Syncs, and waits until the journal is as it has to be: a busy machine may be answered before its list has followed.
 * @param holds throws while it is not
 * @returns what the journal holds then, by title
 */
const expectSynced = async (
  site: Site,
  cookie: string,
  holds: (journal: Journal) => void,
): Promise<Journal> => {
  const answer = await fetch(`${site.url}/api/blog-posts/sync`, {
    method: 'POST',
    headers: { cookie, origin: site.url },
    // Within the time of a test: on a machine with much else to do the log's answers come too late, and the sync is gone on with.
    signal: AbortSignal.timeout(270_000),
  })
  if (!answer.ok) throw new Error(`The sync was answered ${answer.status} ${await answer.text()}`)
  return vi.waitFor(
    async () => {
      const posts = await fetch(`${site.url}/api/blog-posts`, { headers: { cookie } })
      // The contract's own shape.
      const list = (await posts.json()) as { title: string; content: string }[]
      const journal = new Map(list.map(({ title, content }) => [title, content]))
      holds(journal)
      return journal
    },
    { timeout: 60_000, interval: 200 },
  )
}

/** Holds once all of these are in the journal. */
const has =
  (...titles: string[]) =>
  (journal: Journal): void =>
    expect([...journal.keys()]).toEqual(expect.arrayContaining(titles))

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
    const { result, waiting } = await whileAsking(site, () =>
      expectSynced(site, cookie, has('Post 1', 'Post 2', name)),
    )
    expect(result.get(name)).toContain('Read on in the blog')
    expect(waiting.longestMs).toBeLessThan(tooLongMs)
  })

  it('of more text than a list can hold comes as beginnings from there on, and its lists let nobody wait', async () => {
    const content = `<p>${'word '.repeat(200)}</p>`.repeat(200)
    blog.posts = postsOf(56).map((post) => ({ ...post, id: `${post.id}-of-many`, content }))
    const { result, waiting } = await whileAsking(site, async () => {
      const journal = await expectSynced(site, cookie, (list) => expect(list.size).toBe(56))
      const texts = [...journal.values()]
      await Promise.all(Array.from({ length: 10 }, () => fetch(`${site.url}/api/blog-posts`)))
      return texts
    })
    expect(result.filter((text) => text.includes('Read on in the blog')).length).toBe(7)
    expect(result.join('').length).toBeLessThan(10_100_000)
    expect(waiting.longestMs).toBeLessThan(tooLongMs)
  })

  it('whose keys, addresses, dates and texts are of no size and form is kept all the same, and followed', async () => {
    const [other] = postsOf(1)
    if (other === undefined) throw new Error('There is a post')
    const long = 'k'.repeat(1_000_000)
    const odd = { id: `tag-${long}`, title: 'Odd', published: '+275760-09-13T00:00:00Z' }
    const halves = '\ud800\u0000\u0001'
    const full = (filler: string) => ({
      ...odd,
      title: `${halves}Odd`,
      thumbnail: `https://blog.example/${long}`,
      content: `<p>${halves}<a href="https://blog.example/${long}">x</a></p><p>${filler}</p>`.concat(
        `<p>${filler.repeat(10)}</p>`.repeat(30_000),
      ),
    })
    blog.posts = [full('"'), other]
    await expectSynced(site, cookie, has('\ufffdOdd', 'Post 1'))
    // A revision holds a post twice.
    blog.posts = [full('\n'), { ...other, title: 'Post 1 again' }]
    await expectSynced(site, cookie, has('\ufffdOdd', 'Post 1 again'))
  })
})
