import { randomUUID } from 'node:crypto'
import { parseFeed } from 'feedsmith'
import { postsOf, startTestBlog, type TestBlog } from '#infrastructure/blog-feed/testing/test-blog.ts'
import { signIn, startSite } from '../test/support/site.ts'
import { sqliteAppendTimes, withFolder } from './floors.ts'
import { median, timesOf } from './measure.ts'
import { type Bench, row } from './row.ts'

const posts = 1_000
/** A post of ordinary length: some paragraphs, about 4 kB. */
const content = `<p>${'The tank was dry this year, and the lotus with it. '.repeat(8)}</p>`.repeat(10)

/** The least that a mirror does: every page fetched and parsed, every post put on the disk, one after the other. */
const bareMirror = async (blog: TestBlog, folder: string): Promise<number> => {
  const [fetching = 0] = await timesOf(1, async () => {
    for (let start = 1; start <= posts; start += blog.cap) {
      const page = await fetch(`${blog.url}/feeds/posts/default?start-index=${start}&max-results=150`)
      parseFeed(await page.text())
    }
  })
  const writing = (await sqliteAppendTimes(folder, posts)).reduce((sum, ms) => sum + ms, 0)
  return fetching + writing
}

/** A new site that mirrors the blog three times: empty, as it is, with every post edited. */
const mirrorTimes = async (blog: TestBlog) => {
  const site = await startSite({ env: { FETCH_ALLOW_PRIVATE: '1', BLOG_URL: blog.url } })
  try {
    const cookie = await signIn(site)
    const sync = async (expected: string): Promise<void> => {
      const answer = await fetch(`${site.url}/api/blog-posts/sync`, { method: 'POST', headers: { cookie } })
      const counts = await answer.text()
      if (!counts.includes(expected)) throw new Error(`The sync answered ${answer.status} ${counts}`)
    }
    const first = await timesOf(1, () => sync(`"created":${posts}`))
    const again = await timesOf(1, () => sync(`"unchanged":${posts}`))
    blog.posts = blog.posts.map((post) => ({ ...post, title: `${post.title}, ${randomUUID()}` }))
    return { first, again, edited: await timesOf(1, () => sync(`"updated":${posts}`)) }
  } finally {
    await site.stop()
  }
}

/** A blog mirrored through the running site: asked for by the owner, answered when the journal shows it. */
const bench: Bench = {
  name: `A blog of ${posts} posts, mirrored by the running site`,
  run: () =>
    withFolder(async (folder) => {
      const rounds = 3
      const [first, again, edited, bare]: [number[], number[], number[], number[]] = [[], [], [], []]
      for (let round = 0; round < rounds; round += 1) {
        const blog = await startTestBlog(postsOf(posts).map((post) => ({ ...post, content })))
        try {
          bare.push(await bareMirror(blog, folder))
          const times = await mirrorTimes(blog)
          first.push(...times.first)
          again.push(...times.again)
          edited.push(...times.edited)
        } finally {
          await blog.close()
        }
      }
      return [
        row('first mirror of all posts', median(first), 'ms', {
          floor: { what: 'bare fetch, parse, append', value: median(bare) },
        }),
        row('the same again, nothing changed', median(again), 'ms'),
        row('every post edited', median(edited), 'ms'),
        row('posts mirrored', posts / (median(first) / 1000), '/s'),
      ]
    }),
}
export default bench
