import type { FeedPage } from './page.ts'

/**
 * Whether these pages are proven to be the whole blog: the feed's own count, the same on every
 * page, equals the posts received, each counted once; or a feed without a count was followed page by page to
 * its end; or it says itself that it is whole. A single page without any of that is only the newest posts.
 */
export function isComplete(pages: readonly FeedPage[], received: number, unique: number): boolean {
  if (received !== unique) return false
  const totals = new Set(pages.map((page) => page.total))
  if (totals.size !== 1) return false
  const [total = null] = totals
  if (total !== null) return total === unique
  const last = pages.at(-1)
  if (last === undefined) return false
  return last.whole || (pages.length > 1 && (last.next === null || last.received === 0))
}
