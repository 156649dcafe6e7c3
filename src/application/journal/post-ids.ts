import { aloneBy, goesByAddress, lookAlikes, marksOfEntries, namedBy, titleOf } from './look-alikes.ts'
import { derivedId } from '../kernel/ids.ts'
import { othersFirst } from '../kernel/turns.ts'
import type { CrawlResult, FeedEntry } from '../ports/blog-feed.ts'
import type { MirroredPost } from '../ports/lookups.ts'
import { fieldLimits } from '#domain/field-limits.ts'
import { oneLine } from '#domain/field-rules.ts'

/** A post's id, from its stable key: that in the blog's feed, or a sample's. */
export const postId = (externalId: string): string => derivedId('post', externalId)

/** Keys of sample posts begin so. */
const samples = 'sample:'

/** The stable key of a sample post. */
export const sampleKey = (name: string): string => samples + name

/** The stable key of a post of the blog. One that looks like a sample's, which no blog has by itself, is another's. */
export const blogKey = (key: string): string => (key.startsWith(samples) ? derivedId('post key', key) : key)

/** A post's key in its feed as it is kept: one that no blog would make is named by a fingerprint. */
export const keptKey = (feedKey: string): string => {
  const key = blogKey(feedKey)
  const isKept = key.length <= fieldLimits.address && oneLine(key) === key
  return isKept ? key : derivedId('post key', key)
}

/** Keys as they are kept: each is asked for many times, and to look through a long one takes its time. */
const keptKeys = new WeakMap<FeedEntry, string>()

const keyOf = (entry: FeedEntry): string => {
  const known = keptKeys.get(entry)
  if (known !== undefined) return known
  const key = keptKey(entry.externalId)
  keptKeys.set(entry, key)
  return key
}

const idOfEntry = ({ externalId }: FeedEntry): string => postId(blogKey(externalId))

/** Blogs move to https, and their posts stay what they were. */
const addressOf = (url: string | null): readonly string[] =>
  url === null ? [] : [url.replace(/^https?:/i, '')]

/** The posts that go by a key, which is kept with each. Of a blog whose keys are but places many may go by one. */
const byKey = (all: readonly MirroredPost[]) => {
  const posts = Map.groupBy(all, ({ externalId }) => externalId)
  return (entry: FeedEntry): string | undefined => namedBy(entry, posts.get(keyOf(entry)) ?? [])?.id
}

/** The posts at an address, where post and entry are alone there. @param isSure whether the address says enough of the two */
const byAddress = (
  posts: readonly MirroredPost[],
  entries: readonly FeedEntry[],
  isSure: (entry: FeedEntry, post: MirroredPost) => boolean,
) => {
  const postsAt = aloneBy(posts, ({ externalUrl }) => addressOf(externalUrl))
  const found = [...aloneBy(entries, ({ url }) => addressOf(url))].map(([address, entry]) => {
    const post = postsAt.get(address)
    return [keyOf(entry), post && isSure(entry, post) ? post.id : undefined] as const
  })
  const ids = new Map(found)
  return (entry: FeedEntry): string | undefined => ids.get(keyOf(entry))
}

const newestFirst = (posts: readonly { readonly publishedAt: string | null }[]): readonly string[] =>
  posts
    .flatMap(({ publishedAt }) => publishedAt ?? [])
    .toSorted()
    .toReversed()

/** From when on posts are in a part of a blog, or were before its newest came: what is older is there still, and only not in it. */
const beginOfPart = (entries: readonly FeedEntry[], present: readonly MirroredPost[]): string => {
  const [now = '', before = ''] = [newestFirst(entries).at(-1), newestFirst(present)[entries.length - 1]]
  return now < before ? now : before
}

type Crawled = Pick<Extract<CrawlResult, { readonly unchanged: false }>, 'entries' | 'complete'>

/**
 * Which post each entry of a blog is, so that what the owner has done with it stays. In this order, and those that are present
 * before those that were gone:
 * 1. the one that goes by its key, unless all else says that they are others
 * 2. the one whose first key that was, where the blog has its last one no more
 * 3. the one with its text, whatever else has changed
 * 4. the one that it looks like, as where a blog has moved
 * 5. the one at its address, as where another program makes its feed by now
 * 6. a new one
 * @param crawl of a part of the blog nobody knows which keys it has no more. There the date has to be the same for 4 and 5,
 * unless all keys are others; for 4 also where they are but addresses. And for 3 the post has to be of the time of that part,
 * or have the same title: what is told every year begins with the same words
 * @param present every post of the journal
 * @param removed those that were taken away; looked at where entries are none of those that are there
 * @returns the id of an entry's post
 */
export const postsOfEntries = async (
  crawl: Crawled,
  present: readonly MirroredPost[],
  removed: readonly MirroredPost[],
): Promise<(entry: FeedEntry) => string> => {
  // Nothing else of what was compared stays for as long as the answer is used.
  const ids = await idsByKey(crawl, present, removed)
  return (entry) => ids.get(keyOf(entry)) ?? idOfEntry(entry)
}

const idsByKey = async (
  { entries, complete }: Crawled,
  present: readonly MirroredPost[],
  removed: readonly MirroredPost[],
): Promise<ReadonlyMap<string, string>> => {
  const ids = new Map<string, string>()
  const unknown = (): readonly FeedEntry[] => entries.filter((entry) => !ids.has(keyOf(entry)))
  /** Each step goes through all entries, and others are served before it. */
  const take = async (idOf: (entry: FeedEntry) => string | undefined): Promise<void> => {
    await othersFirst()
    const taken = new Set(ids.values())
    for (const entry of unknown()) {
      const id = idOf(entry)
      if (id !== undefined && !taken.has(id)) ids.set(keyOf(entry), id)
    }
  }
  const marks = marksOfEntries(entries)
  const alike = [lookAlikes(present, marks)]
  /** What goes by a key, where nothing says that it is another. */
  const sure = (idOf: (entry: FeedEntry) => string | undefined) => (entry: FeedEntry) => {
    const id = idOf(entry)
    return id !== undefined && alike.some(({ differ }) => differ(entry, id)) ? undefined : id
  }
  await take(sure(byKey(present)))
  const gone = unknown().length > 0 ? removed : []
  alike.push(lookAlikes(gone, marks))
  await take(sure(byKey(gone)))
  const inFeed = new Set(entries.map(keyOf))
  const known = new Map([...present, ...gone].map((post) => [post.id, post]))
  /** The post goes by another key, which the blog has as well: its first one is another post's by now. */
  const isAnothers = (id: string): boolean => {
    const key = known.get(id)?.externalId
    return key !== undefined && inFeed.has(key)
  }
  await take(
    sure((entry) => {
      const id = idOfEntry(entry)
      return known.has(id) && !isAnothers(id) ? id : undefined
    }),
  )
  const named = new Set(ids.values())
  const noneIsKnown = complete || !present.some(({ id }) => named.has(id))
  const isSure = (entry: FeedEntry, post: MirroredPost): boolean =>
    noneIsKnown || (post.publishedAt !== null && post.publishedAt === entry.publishedAt)
  // Of all of a blog every post is of its time.
  const begin = noneIsKnown ? '' : beginOfPart(entries, present)
  const isInPart = ({ publishedAt }: MirroredPost): boolean => (publishedAt ?? '') >= begin
  for (const { withText } of alike)
    await take((entry) => {
      const post = known.get(withText(entry) ?? '')
      const isOne = post && (isInPart(post) || (post.title && post.title === titleOf(entry)))
      return isOne ? post?.id : undefined
    })
  for (const { postOf } of alike)
    await take((entry) => {
      const post = known.get(postOf(entry) ?? '')
      const isOne = noneIsKnown || goesByAddress(entry) || post?.publishedAt === entry.publishedAt
      return isOne ? post?.id : undefined
    })
  for (const posts of [present, gone]) await take(byAddress(posts, entries, isSure))
  const used = new Set(ids.values())
  await take((entry) => {
    let id = idOfEntry(entry)
    // By its own key at each step: where all went one way, as a blog can arrange it, each would pass all that others have.
    while (used.has(id) || isAnothers(id)) id = derivedId('post beside', id, keyOf(entry))
    used.add(id)
    return id
  })
  return ids
}
