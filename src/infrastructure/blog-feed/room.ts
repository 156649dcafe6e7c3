import type { FeedEntry } from '#application/ports/blog-feed.ts'
import { readOn } from '../html/cut.ts'

/** Of a post that comes as a beginning, in characters of its HTML: enough for what a list says of it. */
const beginningOfPost = 2_000

/** What is shown of a post past what all of them may hold: its beginning, and where to read on. */
const beginningOf = (entry: FeedEntry): FeedEntry => {
  const begun = entry.contentHtml.slice(0, beginningOfPost)
  return { ...entry, contentHtml: begun.slice(0, begun.lastIndexOf('<')) + readOn(entry.url) }
}

const sum = (sizes: readonly number[]): number => sizes.reduce((one, other) => one + other, 0)

/** What the texts of posts take together, in characters. */
export const sizeOfTexts = (entries: readonly FeedEntry[]): number =>
  sum(entries.map(({ contentHtml }) => contentHtml.length))

/** What is needed of each post, however many there are, takes together, in characters. */
export const sizeOfNames = (entries: readonly FeedEntry[]): number =>
  sum(
    entries.flatMap(({ externalId, title, excerpt, url, imageUrl }) =>
      [externalId, title, excerpt, url ?? '', imageUrl ?? ''].map(({ length }) => length),
    ),
  )

/** The posts of a page: whole as far as there is room for their texts, as their beginnings behind that. @param room in characters */
export const withinRoom = (entries: readonly FeedEntry[], room: number): readonly FeedEntry[] => {
  let left = room
  return entries.map((entry) => {
    const { length } = entry.contentHtml
    left -= length
    return left >= 0 || length <= beginningOfPost ? entry : beginningOf(entry)
  })
}
