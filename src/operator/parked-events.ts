import {
  unreadableAdvice,
  unreadableIn,
  unreadableInWords,
} from '#application/kernel/archive/unreadable-events.ts'
import type { EventStore } from '#application/kernel/ports/event-store.ts'

/**
 * Says of events that views could not take in what to do. Where the log has some that nobody can read, a view that is built
 * anew would lack them, which it may show now.
 */
export const parkedInWords = async (
  count: number,
  eventStore: Pick<EventStore, 'readAll' | 'head'>,
  signal?: AbortSignal,
): Promise<string> => {
  const unreadable = unreadableInWords(await unreadableIn(eventStore, await eventStore.head(), signal))
  const words = `${count} events could not be projected`
  return unreadable === ''
    ? `${words}: update Atelier, then run "atelier projections rebuild --all"`
    : `${words}. ${unreadable}. ${unreadableAdvice}`
}
