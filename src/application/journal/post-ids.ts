import { derivedId } from '../kernel/ids.ts'
import type { CrawlResult, FeedEntry } from '../ports/blog-feed.ts'
import type { MirroredPost } from '../ports/lookups.ts'

/** A post's id, from its stable key: that in the blog's feed, or a sample's. */
export const postId = (externalId: string): string => derivedId('post', externalId)

/** Keys of sample posts begin so. */
const samples = 'sample:'

/** The stable key of a sample post. */
export const sampleKey = (name: string): string => samples + name

/** The stable key of a post of the blog. One that looks like a sample's, which no blog has by itself, is another's. */
export const blogKey = (key: string): string => (key.startsWith(samples) ? derivedId('post key', key) : key)

/** Blogs move to https, and their posts stay what they were. */
const withoutScheme = (url: string): string => url.replace(/^https?:/i, '')

const idOfEntry = ({ externalId }: FeedEntry): string => postId(blogKey(externalId))

/** What alone stands at its address, by that: where many have one, it says of none which it is. */
const aloneAt = <T>(all: readonly T[], urlOf: (each: T) => string | null): ReadonlyMap<string, T> => {
  const byAddress = Map.groupBy(all, (each) => withoutScheme(urlOf(each) ?? ''))
  byAddress.delete('')
  return new Map(
    [...byAddress].flatMap(([address, [only, ...more]]) =>
      only && more.length === 0 ? [[address, only]] : [],
    ),
  )
}

/**
 * Which post each entry of a blog is: the one with its key, else the one at its address whose key the blog has no more, as
 * where another program makes its feed by now. So what the owner has done with it stays.
 * @param crawl of a part of the blog nobody knows which keys it has no more, unless all of them are others
 * @param before every post of the journal
 * @returns the id of an entry's post
 */
export const postsOfEntries = (
  { entries, complete }: Pick<Extract<CrawlResult, { readonly unchanged: false }>, 'entries' | 'complete'>,
  before: readonly MirroredPost[],
): ((entry: FeedEntry) => string) => {
  const [named, known] = [new Set(entries.map(idOfEntry)), new Set(before.map(({ id }) => id))]
  if (!complete && known.intersection(named).size > 0) return idOfEntry
  const posts = aloneAt(before, ({ externalUrl }) => externalUrl)
  const moved = new Map<string, string>()
  for (const [address, entry] of aloneAt(entries, ({ url }) => url)) {
    const [id, there] = [idOfEntry(entry), posts.get(address)?.id]
    if (there !== undefined && !named.has(there) && !known.has(id)) moved.set(id, there)
  }
  return (entry) => moved.get(idOfEntry(entry)) ?? idOfEntry(entry)
}
