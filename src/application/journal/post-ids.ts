import { derivedId } from '../kernel/ids.ts'
import type { FeedEntry } from '../ports/blog-feed.ts'
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

/**
 * Which post each entry of a blog is: the one with its key, else the one at its address whose key the blog has no more, as
 * where another program makes its feed by now. So what the owner has done with it stays.
 * @param before every post of the journal
 * @returns the id of an entry's post
 */
export const postsOfEntries = (
  entries: readonly FeedEntry[],
  before: readonly MirroredPost[],
): ((entry: FeedEntry) => string) => {
  const idOf = ({ externalId }: FeedEntry): string => postId(blogKey(externalId))
  const named = new Set(entries.map(idOf))
  const left = new Map(
    before.flatMap(({ id, externalUrl }) =>
      named.has(id) || externalUrl === null ? [] : [[withoutScheme(externalUrl), id] as const],
    ),
  )
  const known = new Set(before.map(({ id }) => id))
  const moved = new Map<string, string>()
  for (const entry of entries) {
    const address = entry.url === null ? null : withoutScheme(entry.url)
    const id = address === null || known.has(idOf(entry)) ? undefined : left.get(address)
    if (address === null || id === undefined) continue
    moved.set(idOf(entry), id)
    left.delete(address)
  }
  return (entry) => moved.get(idOf(entry)) ?? idOf(entry)
}
