import { othersFirst } from '#application/kernel/turns.ts'
import type { EventStore } from '#application/kernel/ports/event-store.ts'
import type { FoldGroup, Gathered } from './fold-group.ts'
import { readingAhead } from './read-ahead.ts'

const pageSize = 1_000
/** While catching up, changes are stored once this many events or documents have gathered, beside as many under way. */
const eventsPerWrite = 25_000
const documentsPerWrite = 10_000

export interface CatchUpOptions {
  readonly eventStore: Pick<EventStore, 'readAll'>
  readonly group: FoldGroup
  readonly signal: AbortSignal
  /** Called after each page with the events read so far. */
  readonly onProgress?: (events: number) => void
  /** Stores what was folded in; by itself unless given. */
  readonly store?: (gathered: Gathered) => Promise<void>
  /** Runs each reading; the projector repeats those that fail. */
  readonly retrying?: <Result>(call: () => Promise<Result>) => Promise<Result>
}

/**
 * Brings the views to the end of the log as it is now: many events in memory, each document written once for
 * many of its events. While what was gathered is stored the next events are read and folded in, and no more than
 * those, so that all is stored in its order and memory stays bounded. Used at start.
 * @throws {CheckpointMoved}, and what the engines throw where `retrying` lets it through
 */
export const catchUp = async (options: CatchUpOptions): Promise<void> => {
  const { eventStore, group, signal, onProgress } = options
  const { retrying = (call) => call(), store = (gathered) => gathered.store() } = options
  const readAll = readingAhead(eventStore.readAll)
  const storeNext = async (): Promise<void> => {
    const gathered = group.gather()
    if (gathered !== null) await store(gathered)
  }
  let storing = Promise.resolve()
  let read = 0
  let waiting = 0
  try {
    while (!signal.aborted) {
      const events = await retrying(() => readAll(group.position(), pageSize))
      await retrying(() => group.foldIn(events))
      read += events.length
      waiting += events.length
      onProgress?.(read)
      const end = events.length === 0
      // A page of few events is one of long texts, and so are the documents that are made of them.
      if (
        events.length < pageSize ||
        waiting >= eventsPerWrite ||
        group.changedCount() >= documentsPerWrite
      ) {
        await storing
        if (signal.aborted) return
        storing = storeNext()
        // Its failure is heard of where it is waited for.
        storing.catch(() => undefined)
        waiting = 0
      }
      if (end) {
        await storing
        for (const fold of group.folds()) fold.letGo()
        return
      }
      // Engines in the process answer without leaving it: others must get their turn between two pages.
      await othersFirst()
    }
  } finally {
    // Whoever opens the views anew finds nothing under way.
    await Promise.allSettled([storing])
  }
}
