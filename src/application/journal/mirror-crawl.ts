import type { Application } from '../application.ts'
import { CodecError } from '../kernel/codec.ts'
import type { CommandContext } from '../kernel/envelope.ts'
import { send } from '../kernel/execute.ts'
import { eachOf } from '../kernel/turns.ts'
import { keptKey, postsOfEntries } from './post-ids.ts'
import type { BlogFeed, CrawlResult, FeedEntry } from '../ports/blog-feed.ts'
import type { MirroredPost } from '../ports/lookups.ts'
import { postAggregate, type PostCommand } from '#domain/journal/blog-post.ts'
import { fieldLimits } from '#domain/field-limits.ts'
import type { SourcePost } from '#domain/journal/events.ts'

/** A blog as it was read, where it is not as it was. */
type Crawl = Extract<CrawlResult, { readonly unchanged: false }>

/** Posts are streams of their own: several at once share what a commit to the disk costs. */
const atOnce = 8

/**
 * Brings the journal to what a crawl has found.
 * @param of.onBegin done before anything is changed
 * @returns what was done, the titles of the posts that the log does not take, and how many could not be read in time
 */
export const mirrorCrawl = async (
  { app, blogFeed }: { readonly app: Application; readonly blogFeed: BlogFeed },
  crawl: Crawl,
  of: {
    readonly blogUrl: string
    readonly context: (step: string) => CommandContext
    readonly signal: AbortSignal
    readonly progress: (done: number, total: number) => void
    readonly onBegin: () => Promise<void>
  },
) => {
  const { blogUrl, context, signal } = of
  const { idOf, past, unnamed, returning, deleted } = await compared(app, crawl, blogUrl)
  await of.onBegin()
  const tally = { created: 0, updated: 0, removed: 0, unchanged: 0 }
  const leftOut: string[] = []
  let [done, givenUp] = [0, 0]
  const change = async (id: string, command: PostCommand, step: string, words = '') => {
    const post = postAggregate(id)
    const outcome = await send(app, post, command, context(step + words))
    // Known from an earlier try of this run, behind which the blog may have had it otherwise for a while.
    if (outcome.repeated) await send(app, post, command, context(`${step} behind ${outcome.upTo}`))
    return outcome
  }
  /** A post that the log does not take, or of which something has rotted there, keeps no other from its turn. */
  const orLeftOut = async (title: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof CodecError)) throw error
      leftOut.push(title)
    }
  }
  const eachKnown = (posts: readonly KnownPost[], work: (post: KnownPost) => Promise<void>): Promise<void> =>
    eachOf(posts, atOnce, async (post) => {
      signal.throwIfAborted()
      await orLeftOut(post.title, () => work(post))
    })
  const removeOf = (gone: readonly KnownPost[]): Promise<void> =>
    eachKnown(gone, async (post) => {
      const reason = isSameBlog(post.blogUrl, blogUrl) ? 'gone' : 'other-blog'
      await change(post.id, { type: 'RemovePost', reason }, `gone-${post.id}`)
      tally.removed += 1
    })
  await removeOf(past)
  await eachKnown(returning, async ({ id }) => {
    // Kept over many runs they may be more than one brings; the rest comes with a later one.
    const room = await app.files.room()
    if (room !== null && room < fieldLimits.leastFreeBytes) return
    const { externalId, post } = await app.executor.load(postAggregate(id))
    const { written } = await change(id, { type: 'MirrorPost', blogUrl, externalId, post }, `back-${id}`)
    tally[mirrored(written)] += 1
  })
  await eachOf(crawl.entries, atOnce, async (entry) => {
    signal.throwIfAborted()
    const id = idOf(entry)
    const { isGivenUp, post } = await sourcePostOf(blogFeed, entry, signal)
    if (isGivenUp) givenUp += 1
    await orLeftOut(post.title, async () => {
      const mirror = { type: 'MirrorPost', blogUrl, externalId: keptKey(entry.externalId), post } as const
      // With its words: what the blog has edited since this run was cut off is another step.
      const { written } = await change(id, mirror, `post-${id}`, ` ${JSON.stringify(post)}`)
      tally[mirrored(written)] += 1
    })
    done += 1
    of.progress(done, crawl.entries.length)
  })
  if (crawl.complete) await removeOf(unnamed)
  // They are in no list: nothing was removed for her to hear of.
  await eachKnown(deleted, async ({ id }) => {
    await change(id, { type: 'RemovePost', reason: 'gone' }, `deleted-${id}`)
  })
  return { tally, leftOut, givenUp }
}

/** What has to be known of a post for as long as a run goes on: all of thousands would fill the memory meanwhile. */
type KnownPost = Pick<MirroredPost, 'id' | 'blogUrl' | 'title'>

const known = ({ id, blogUrl, title }: MirroredPost): KnownPost => ({ id, blogUrl, title })

/** The posts of the journal that a blog has brought. */
export const blogPosts = async ({
  lookups,
}: Pick<Application, 'lookups'>): Promise<readonly MirroredPost[]> =>
  (await lookups.mirroredPosts()).filter((post) => !post.sample)

/** A blog by its address, however that is typed in: with http or https, with www or without, with a slash at the end or none. */
const blogAt = (address: string): string =>
  address
    .toLowerCase()
    .replace(/^https?:\/\/(?:www\.)?/, '')
    .replace(/\/$/, '')

const isSameBlog = (one: string, other: string): boolean => blogAt(one) === blogAt(other)

/**
 * Which post each entry of a crawl is, and the posts that none is: `past` are those for which there is no room, `unnamed` the
 * others. Of those that went because the journal followed another blog for a while, `returning` are what a feed of
 * the newest names no more: nothing says that they are gone from their own blog. `deleted` are what a whole blog has no more.
 */
const compared = async (app: Pick<Application, 'lookups'>, crawl: Crawl, blogUrl: string) => {
  const before = await blogPosts(app)
  const gone = (await app.lookups.removedPosts()).filter((post) => !post.sample)
  const idOf = await postsOfEntries(crawl, before, gone)
  const named = new Set(crawl.entries.map(idOf))
  const others = before.filter(({ id }) => !named.has(id))
  const isOurs = (post: MirroredPost): boolean => isSameBlog(post.blogUrl, blogUrl)
  const away = gone
    .filter((post) => post.removedFor === 'other-blog' && isOurs(post) && !named.has(post.id))
    .map(known)
  // Not in the place of what is this blog's as well, or hers.
  const staying = others.filter((post) => post.touched || isOurs(post)).length
  const returning = crawl.complete
    ? []
    : away.slice(0, Math.max(0, fieldLimits.blogPosts - named.size - staying))
  const past = Math.max(0, named.size + returning.length + others.length - fieldLimits.blogPosts)
  const unnamed = (past === 0 ? others : others.toSorted(goesFirst(isOurs))).map(known)
  const deleted = crawl.complete ? away : []
  return { idOf, past: unnamed.slice(0, past), unnamed: unnamed.slice(past), returning, deleted }
}

/**
 * Which of two posts that a crawl does not name goes first where the journal is full: what a blog names anew at every sync would
 * gather without an end, and else nothing new would be shown any more. Other blogs' go first, then the oldest; what the owner
 * has changed last.
 */
const goesFirst = (isOurs: (post: MirroredPost) => boolean) => {
  const rank = (post: MirroredPost): string =>
    [Number(post.touched), Number(isOurs(post)), post.publishedAt ?? '', post.id].join(' ')
  return (one: MirroredPost, other: MirroredPost): number => (rank(one) < rank(other) ? -1 : 1)
}

const mirrored = (written: readonly string[]): 'created' | 'updated' | 'unchanged' => {
  if (written.includes('BlogPostImported') || written.includes('BlogPostReturned')) return 'created'
  return written.includes('BlogPostRevised') ? 'updated' : 'unchanged'
}

/** A feed's entry as it is kept. */
const sourcePostOf = async (
  blogFeed: BlogFeed,
  entry: FeedEntry,
  signal: AbortSignal,
): Promise<{ readonly post: SourcePost; readonly isGivenUp: boolean }> => {
  const { isGivenUp = false, ...texts } = await blogFeed.readPost(entry, signal)
  const post = {
    ...texts,
    excerpt: entry.excerpt,
    pictureUrl: entry.imageUrl,
    publishedAt: entry.publishedAt,
    externalUrl: entry.url,
  }
  return { post, isGivenUp }
}
