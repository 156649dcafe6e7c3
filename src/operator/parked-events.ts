import type { UnreadableEvents } from '#application/kernel/archive/unreadable-events.ts'
import { counted } from '#domain/list-in-words.ts'

/**
 * Says of events that views could not take in what to do. Where the log has some that nobody can read, a view that is built
 * anew would lack them, which it may show now: what is said of those is said beside.
 */
export const parkedInWords = (count: number, unreadable: UnreadableEvents | null): string => {
  const words = `${counted(count, 'event')} could not be projected`
  return unreadable === null
    ? `${words}: update Atelier, then run "atelier projections rebuild --all"`
    : `${words}, as the log has some that cannot be read`
}
