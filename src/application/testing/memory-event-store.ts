import { setImmediate as nextTurn } from 'node:timers/promises'
import { charactersIn, openPage } from '../kernel/event-page.ts'
import {
  type AppendResult,
  beyondEnd,
  type EventStore,
  type NewEvent,
  type Position,
  type RecordedEvent,
  RevisionConflict,
} from '../kernel/ports/event-store.ts'

/** Positions of this log: zero-padded, so that they compare as strings. Only it makes them, so only it may name them so. */
export const positionOf = (n: number): Position => String(n).padStart(12, '0') as Position

export interface MemoryEventStore extends EventStore {
  readonly events: RecordedEvent[]
  /** Ends the running subscription of every reader with this error, as a lost connection would. */
  readonly cut: (error: Error) => void
}

const mostBytes = 1_048_576
const isId = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** @throws {TypeError} for what no engine takes */
const refuseMalformed = (stream: string, added: readonly NewEvent[]): void => {
  const isWrong =
    stream === '' || added.length === 0 || added.some(({ id, type }) => type === '' || !isId(id))
  if (isWrong || Buffer.byteLength(JSON.stringify(added)) > mostBytes)
    throw new TypeError('No log takes these events')
}

/** A log in memory; `beforeAppend` lets a test get in between. */
export const memoryEventStore = (
  options: { readonly beforeAppend?: (stream: string) => void | Promise<void> } = {},
): MemoryEventStore => {
  const events: RecordedEvent[] = []
  const waiting = new Set<() => void>()
  let broken: Error | null = null
  const wake = (): void => {
    for (const each of waiting) each()
  }

  const ofStream = (stream: string) => events.filter((event) => event.stream === stream)
  const behind = (after: Position | null, limit: number): readonly RecordedEvent[] => {
    const page = openPage(limit)
    for (let at = after === null ? 0 : Number(after) + 1; at < events.length && !page.isFull(); at += 1) {
      const event = events[at]
      if (event !== undefined) page.add(event, charactersIn(event.data))
    }
    return page.events
  }
  const resultAt = (last: RecordedEvent): AppendResult => ({
    revision: last.revision,
    position: last.position,
  })

  const append: EventStore['append'] = async (stream, expected, added) => {
    await options.beforeAppend?.(stream)
    refuseMalformed(stream, added)
    const there = ofStream(stream)
    const first = expected === 'no-stream' ? 0 : expected + 1
    const same = there.slice(first, first + added.length)
    const last = same.at(-1)
    // Sent once more: answered as the first time.
    if (last !== undefined && same.length === added.length && added.every(({ id }, n) => same[n]?.id === id))
      return resultAt(last)
    const actual = there.at(-1)?.revision ?? 'no-stream'
    if (actual !== expected) throw new RevisionConflict(stream, expected, actual)
    if (added.some(({ id }) => events.some((event) => event.id === id)))
      throw new TypeError('An event with this id stands in the log')
    for (const [n, event] of added.entries()) {
      // A copy through JSON, as every engine makes.
      const copy = JSON.parse(JSON.stringify(event)) as NewEvent
      events.push({ ...copy, stream, revision: first + n, position: positionOf(events.length) })
    }
    wake()
    return { revision: first + added.length - 1, position: positionOf(events.length - 1) }
  }

  return {
    events,
    cut: (error) => {
      broken = error
      wake()
    },
    append,
    appendInOrder: async (appends) => {
      for (const each of appends) await append(each.stream, each.expected, each.events)
    },
    readStream: async (stream, from, limit = Infinity) => ofStream(stream).slice(from, from + limit),
    readAll: async (after, limit) => {
      const end = events.at(-1)?.position ?? null
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
        waiting.add(resolve)
        signal.addEventListener('abort', () => resolve(), { once: true })
        await promise
        waiting.delete(resolve)
      }
    },
    head: async () => events.at(-1)?.position ?? null,
    close: async () => {},
  }
}
