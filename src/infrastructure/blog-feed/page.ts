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

/** An http or https address, resolved against a base; null for anything else. */
export function webAddress(text: string | undefined, base?: string): string | null {
  if (text === undefined || text.trim() === '') return null
  const url = URL.parse(text.trim(), base)
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : null
}

/** A date of a feed as ISO 8601 in UTC; null when it is none. */
export function isoDate(text: string | undefined): string | null {
  const date = new Date(text ?? '')
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
