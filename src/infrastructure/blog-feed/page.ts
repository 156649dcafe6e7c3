import type { FeedEntry } from '#application/ports/blog-feed.ts'

export interface FeedPage {
  /** the blog's title as plain text; empty when it has none */
  readonly title: string
  /** posts with a key, without drafts */
  readonly entries: readonly FeedEntry[]
  /** how many entries stood on the page, drafts and keyless ones included */
  readonly received: number
  /** keys of all entries, drafts included: what the feed's own count counts */
  readonly keys: readonly string[]
  /** how many posts the feed says that the blog has; null when it does not say */
  readonly total: number | null
  /** it says which post it begins with, as Blogger's does: the next page is asked for by that number */
  readonly isNumbered: boolean
  /** address of the next page; null when the feed names none */
  readonly next: string | null
  /** the feed says of itself that it holds everything (RFC 5005) */
  readonly whole: boolean
}

/** Years in which somebody may have written a post; ISO 8601 has four digits for each, and sorts as they do. */
const years = { first: 1900, last: 2199 } as const

/** A date of a feed as ISO 8601 in UTC; null when it is none, or none on which somebody wrote a post. */
export const isoMoment = (text: string | undefined): string | null => {
  const date = new Date(text ?? '')
  const year = date.getUTCFullYear()
  return year >= years.first && year <= years.last ? date.toISOString() : null
}

/**
 * Whether these pages are proven to be the whole blog: the feed's own count, the same on every
 * page, equals the posts received, each counted once; or a feed without a count was followed page by page to
 * its end; or it says itself that it is whole. A single page without any of that is only the newest posts.
 */
export const isComplete = (pages: readonly FeedPage[], received: number, unique: number): boolean => {
  if (received !== unique) return false
  const totals = new Set(pages.map((page) => page.total))
  if (totals.size !== 1) return false
  const [total = null] = totals
  if (total !== null) return total === unique
  const last = pages.at(-1)
  if (last === undefined) return false
  return last.whole || (pages.length > 1 && (last.next === null || last.received === 0))
}
