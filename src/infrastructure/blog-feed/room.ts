import type { FeedEntry } from '#application/ports/blog-feed.ts'
import { readOn } from '../html/cut.ts'

/** Of a post that comes as a beginning, in characters of its HTML: enough for what a list says of it. */
const beginningOfPost = 2_000

/** What is shown of a post past what all of them may hold: its beginning, and where to read on. */
const beginningOf = (entry: FeedEntry): FeedEntry => {
  const contentHtml = entry.contentHtml.slice(0, beginningOfPost)
  return {
    ...entry,
    contentHtml: contentHtml.slice(0, contentHtml.lastIndexOf('<')) + readOn(entry.url),
    summary: entry.summary.slice(0, beginningOfPost),
  }
}

/** What may be long of a post. */
export const textsOf = ({ contentHtml, summary }: FeedEntry) => [contentHtml, summary]
/** What is needed of each post, however many there are. */
export const namesOf = ({ externalId, title, url, imageUrl }: FeedEntry) => [externalId, title, url, imageUrl]

type PartsOf = (entry: FeedEntry) => readonly (string | null)[]

const sizeOf = (entry: FeedEntry, partsOf: PartsOf): number =>
  partsOf(entry).reduce((size, part) => size + (part?.length ?? 0), 0)

/** What parts of the posts of a page take together, in characters. */
export const sizeOfAll = (entries: readonly FeedEntry[], partsOf: PartsOf): number =>
  entries.reduce((size, entry) => size + sizeOf(entry, partsOf), 0)

/** The posts of a page: whole as far as there is room for their texts, as their beginnings behind that. @param room in characters */
export const withinRoom = (entries: readonly FeedEntry[], room: number): readonly FeedEntry[] => {
  let left = room
  return entries.map((entry) => {
    const size = sizeOf(entry, textsOf)
    left -= size
    return left >= 0 || size <= beginningOfPost ? entry : beginningOf(entry)
  })
}
