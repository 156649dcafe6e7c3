import { asError } from '#application/kernel/reason.ts'
import type { EventStore, Position, RecordedEvent } from '#application/kernel/ports/event-store.ts'

/** Events that are kept for views which are slower than others; who falls further behind reads the log by itself. */
const defaultKept = 5_000
/** So many of the last pages stay for views that ask for the same while they catch up; small ones do not. */
const mostPages = 4
const smallestPage = 1_000

/** Some events of the log in a row. */
interface Stretch {
  readonly events: readonly RecordedEvent[]
  readonly last: Position
}

interface Reader {
  at: Position | null
  wake: () => void
}

/** One reading of the end of the log. */
interface Tail {
  readonly stopping: AbortController
  readonly readers: Set<Reader>
  readonly kept: Stretch[]
  events: number
  /** everything behind this place is in `kept` or still to come */
  from: Position | null
  ended: { readonly error: Error | null } | null
}

const isBefore = (a: Position | null, b: Position | null): boolean => (a ?? '') < (b ?? '')

/** Lets go of what every reader has, and of what a slow one has left lying for too long. */
const trim = (tail: Tail, keptEvents: number): void => {
  const isTaken = ({ last }: Stretch): boolean => [...tail.readers].every(({ at }) => !isBefore(at, last))
  for (
    let [oldest] = tail.kept;
    oldest && (tail.events > keptEvents || isTaken(oldest));
    [oldest] = tail.kept
  ) {
    tail.kept.shift()
    tail.events -= oldest.events.length
    tail.from = oldest.last
  }
}

/** What has come behind a place, together: about `limit` events, or a whole stretch. */
const nextOf = ({ kept }: Tail, at: Position | null, limit: number): Stretch | null => {
  const first = kept.findLastIndex(({ last }) => !isBefore(at, last)) + 1
  let next = kept[first] ?? null
  for (const { events, last } of kept.slice(first + 1, first + limit)) {
    if (next === null || next.events.length + events.length > limit) break
    next = { events: [...next.events, ...events], last }
  }
  return next
}

const untilWoken = async (reader: Reader, signal: AbortSignal): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  reader.wake = () => resolve()
  signal.addEventListener('abort', reader.wake)
  await promise
  signal.removeEventListener('abort', reader.wake)
}

/**
 * A log that several views of a process read as one: they share its subscription, and the pages of a long way. A view
 * that is slow or fails holds nobody up: it falls behind what is kept, and reads by itself until it is there again.
 */
export const shareLog = (eventStore: EventStore, keptEvents = defaultKept): EventStore => {
  let current: Tail | null = null

  const pump = async (tail: Tail, after: Position | null, limit: number): Promise<void> => {
    const { signal } = tail.stopping
    try {
      for await (const events of eventStore.subscribe(after, { limit, signal })) {
        const last = events.at(-1)?.position
        if (last === undefined) continue
        tail.kept.push({ events, last })
        tail.events += events.length
        trim(tail, keptEvents)
        for (const { wake } of tail.readers) wake()
      }
      tail.ended = { error: null }
    } catch (error) {
      tail.ended = { error: asError(error) }
    }
    if (current === tail) current = null
    for (const { wake } of tail.readers) wake()
  }

  const begin = (after: Position | null, limit: number): Tail => {
    const tail: Tail = {
      stopping: new AbortController(),
      readers: new Set(),
      kept: [],
      events: 0,
      from: after,
      ended: null,
    }
    current = tail
    void pump(tail, after, limit)
    return tail
  }

  const leave = (tail: Tail, reader: Reader): void => {
    tail.readers.delete(reader)
    if (tail.readers.size > 0) return
    if (current === tail) current = null
    tail.stopping.abort()
  }

  async function* subscribe(
    after: Position | null,
    { limit, signal }: Parameters<EventStore['subscribe']>[1],
  ): AsyncGenerator<readonly RecordedEvent[]> {
    const tail = current ?? begin(after, limit)
    const reader: Reader = { at: after, wake: () => undefined }
    tail.readers.add(reader)
    try {
      while (!signal.aborted) {
        const { from } = tail
        if (isBefore(reader.at, from)) {
          const page = await readAll(reader.at, limit)
          if (page.length > 0) yield page
          reader.at = page.at(-1)?.position ?? from
          continue
        }
        const next = nextOf(tail, reader.at, limit)
        if (next !== null) {
          yield next.events
          reader.at = next.last
          trim(tail, keptEvents)
          continue
        }
        if (tail.ended?.error) throw tail.ended.error
        if (tail.ended !== null) return
        await untilWoken(reader, signal)
      }
    } finally {
      leave(tail, reader)
    }
  }

  const pages = new Map<string, Promise<readonly RecordedEvent[]>>()
  const readAll: EventStore['readAll'] = async (after, limit) => {
    if (limit < smallestPage) return eventStore.readAll(after, limit)
    const key = `${after} ${limit}`
    const asked = pages.get(key)
    const page = asked ?? eventStore.readAll(after, limit)
    pages.delete(key)
    pages.set(key, page)
    const [oldest] = pages.keys()
    if (pages.size > mostPages && oldest !== undefined) pages.delete(oldest)
    const events = await page.catch((error: unknown) => {
      pages.delete(key)
      throw error
    })
    if (events.length > 0) return events
    pages.delete(key)
    // It tells the end as it was when it was asked for first. Whoever came later may know of more by now.
    return asked === undefined ? events : eventStore.readAll(after, limit)
  }

  return { ...eventStore, subscribe, readAll }
}
