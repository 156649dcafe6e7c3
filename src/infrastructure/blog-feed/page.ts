import type { FeedEntry } from '#application/journal/ports/blog-feed.ts'

/** One page of a feed, whatever its format. */
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
  /** address of the next page; null when the feed names none */
  readonly next: string | null
  /** the feed says of itself that it holds everything (RFC 5005) */
  readonly whole: boolean
}

/** Years in which somebody may have written a post; ISO 8601 has four digits for each, and sorts as they do. */
const years = { first: 1900, last: 2199 } as const

/** A date of a feed as ISO 8601 in UTC; null when it is none, or none on which somebody wrote a post. */
export function isoDate(text: string | undefined): string | null {
  const date = new Date(text ?? '')
  const year = date.getUTCFullYear()
  return year >= years.first && year <= years.last ? date.toISOString() : null
}
