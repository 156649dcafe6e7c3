import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  beyondEnd,
  type EventStore,
  type NewEvent,
  type Position,
  type RecordedEvent,
} from '#application/kernel/ports/event-store.ts'

/** Positions of this log: zero-padded, so that they compare as strings. */
export const positionOf = (n: number): Position => String(n).padStart(12, '0') as Position

export interface MemoryEventStore extends EventStore {
  readonly recorded: RecordedEvent[]
  /** Ends the running subscription of every reader with this error, as a lost connection would. */
  readonly cut: (error: Error) => void
}

/** A log in memory for tests of the projections: in order, without any of a real engine's guarantees. */
export const memoryEventStore = (): MemoryEventStore => {
  const recorded: RecordedEvent[] = []
  const wake = new Set<() => void>()
  let broken: Error | null = null

  const behind = (after: Position | null, limit: number): readonly RecordedEvent[] => {
    const start = after === null ? 0 : Number(after) + 1
    return recorded.slice(start, start + limit)
  }
  const revisionOf = (stream: string): number => recorded.filter((each) => each.stream === stream).length - 1

  const append: EventStore['append'] = async (stream, _expected, events: readonly NewEvent[]) => {
    let revision = revisionOf(stream)
    for (const event of events) {
      revision += 1
      recorded.push({ ...event, stream, revision, position: positionOf(recorded.length) })
    }
    for (const each of wake) each()
    return { revision, position: positionOf(recorded.length - 1) }
  }

  return {
    recorded,
    cut: (error) => {
      broken = error
      for (const each of wake) each()
    },
    append,
    appendInOrder: async (appends) => {
      for (const each of appends) await append(each.stream, each.expected, each.events)
    },
    readStream: async (stream, fromRevision) =>
      recorded.filter((each) => each.stream === stream && each.revision >= fromRevision),
    readAll: async (after, limit) => {
      const end = recorded.at(-1)?.position ?? null
      if (after !== null && (end === null || after > end)) throw beyondEnd(after, end)
      return behind(after, limit)
    },
    async *subscribe(after, { limit, signal }) {
      let cursor = after
      while (!signal.aborted) {
        if (broken) {
          const error = broken
          broken = null
          throw error
        }
        const batch = behind(cursor, limit)
        if (batch.length > 0) {
          cursor = batch.at(-1)?.position ?? cursor
          yield batch
          await nextTurn()
          continue
        }
        const { promise, resolve } = Promise.withResolvers<void>()
        wake.add(resolve)
        signal.addEventListener('abort', () => resolve(), { once: true })
        await promise
        wake.delete(resolve)
      }
    },
    head: async () => recorded.at(-1)?.position ?? null,
    close: async () => undefined,
  }
}
