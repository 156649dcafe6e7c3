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

interface Run {
  readonly app: Application
  readonly blogFeed: BlogFeed
  readonly blogUrl: string
  readonly context: (step: string) => CommandContext
  readonly signal: AbortSignal
  readonly progress: (done: number, total: number) => void
  /** done before anything is changed */
  readonly onBegin: () => Promise<void>
}

/** What became of a post in a run; null where it is not told. */
type Fate = 'created' | 'updated' | 'removed' | 'unchanged' | null

/**
 * Brings the journal to what a crawl has found.
 * @returns what was done, the titles of the posts that the log does not take, and how many could not be read in time
 */
export const mirrorCrawl = async (run: Run, crawl: Crawl) => {
  const { signal } = run
  const { idOf, past, unnamed, returning, deleted } = await compared(run.app, crawl, run.blogUrl)
  await run.onBegin()
  const tally = { created: 0, updated: 0, removed: 0, unchanged: 0 }
  const leftOut: string[] = []
  let [done, givenUp] = [0, 0]
  /** A post that the log does not take, or of which something has rotted there, keeps no other from its turn. */
  const tallied = async (title: string, work: () => Promise<Fate>): Promise<void> => {
    try {
      const fate = await work()
      if (fate !== null) tally[fate] += 1
    } catch (error) {
      if (!(error instanceof CodecError)) throw error
      leftOut.push(title)
    }
  }
  const eachKnown = (posts: readonly KnownPost[], work: (run: Run, post: KnownPost) => Promise<Fate>) =>
    eachOf(posts, atOnce, async (post) => {
      signal.throwIfAborted()
      await tallied(post.title, () => work(run, post))
    })
  await eachKnown(past, remove)
  await eachKnown(returning, bringBack)
  await eachOf(crawl.entries, atOnce, async (entry) => {
    signal.throwIfAborted()
    const id = idOf(entry)
    const { isGivenUp, post } = await sourcePostOf(run.blogFeed, entry, signal)
    if (isGivenUp) givenUp += 1
    // With its words: what the blog has edited since this run was cut off is another step.
    const words = ` ${JSON.stringify(post)}`
    const externalId = keptKey(entry.externalId)
    await tallied(post.title, () => mirror(run, id, { externalId, post }, `post-${id}`, words))
    done += 1
    run.progress(done, crawl.entries.length)
  })
  if (crawl.complete) await eachKnown(unnamed, remove)
  await eachKnown(deleted, forget)
  return { tally, leftOut, givenUp }
}

const change = async ({ app, context }: Run, id: string, command: PostCommand, step: string, words = '') => {
  const post = postAggregate(id)
  const outcome = await send(app, post, command, context(step + words))
  // Known from an earlier try of this run, behind which the blog may have had it otherwise for a while.
  if (outcome.repeated) await send(app, post, command, context(`${step} behind ${outcome.upTo}`))
  return outcome
}

const remove = async (run: Run, { id, blogUrl }: KnownPost): Promise<Fate> => {
  const reason = isSameBlog(blogUrl, run.blogUrl) ? 'gone' : 'other-blog'
  await change(run, id, { type: 'RemovePost', reason }, `gone-${id}`)
  return 'removed'
}

/** Of what is in no list nothing is removed for her to hear of. */
const forget = async (run: Run, { id }: KnownPost): Promise<Fate> => {
  await change(run, id, { type: 'RemovePost', reason: 'gone' }, `deleted-${id}`)
  return null
}

const mirror = async (
  run: Run,
  id: string,
  as: { readonly externalId: string; readonly post: SourcePost },
  step: string,
  words?: string,
): Promise<Fate> => {
  const command = { type: 'MirrorPost', blogUrl: run.blogUrl, ...as } as const
  const { written } = await change(run, id, command, step, words)
  if (written.includes('BlogPostImported') || written.includes('BlogPostReturned')) return 'created'
  return written.includes('BlogPostRevised') ? 'updated' : 'unchanged'
}

const bringBack = async (run: Run, { id }: KnownPost): Promise<Fate> => {
  // Kept over many runs they may be more than one brings; the rest comes with a later one.
  const room = await run.app.files.room()
  if (room !== null && room < fieldLimits.leastFreeBytes) return null
  const { externalId, post } = await run.app.executor.load(postAggregate(id))
  return mirror(run, id, { externalId, post }, `back-${id}`)
}

/** What has to be known of a post for as long as a run goes on: all of thousands would fill the memory meanwhile. */
type KnownPost = Pick<MirroredPost, 'id' | 'blogUrl' | 'title'>

const knownPost = ({ id, blogUrl, title }: MirroredPost): KnownPost => ({ id, blogUrl, title })

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
    .map(knownPost)
  // Not in the place of what is this blog's as well, or hers.
  const staying = others.filter((post) => post.touched || isOurs(post)).length
  const returning = crawl.complete
    ? []
    : away.slice(0, Math.max(0, fieldLimits.blogPosts - named.size - staying))
  const past = Math.max(0, named.size + returning.length + others.length - fieldLimits.blogPosts)
  const unnamed = (past === 0 ? others : others.toSorted(goesFirst(isOurs))).map(knownPost)
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
