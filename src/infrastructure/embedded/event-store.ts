import { setImmediate as turn } from 'node:timers/promises'
import {
  beyondEnd,
  DiskFull,
  EngineAway,
  RevisionConflict,
  type AppendResult,
  type EventStore,
  type ExpectedRevision,
  type Position,
  type RecordedEvent,
  type StreamAppend,
} from '#application/kernel/ports/event-store.ts'
import { openPage } from '#application/kernel/event-page.ts'
import { takesAway } from '#domain/events.ts'
import type { Database, Growth } from './database.ts'
import { isConstraint } from './sqlite-errors.ts'
import { encodeEvents, type EventText } from '../encode-events.ts'
import { eventColumns, fromPosition, toPosition, toRecorded, type EventRow } from './event-rows.ts'
import { recentEvents, type SizedEvent } from './recent-events.ts'

/** An append that was checked and is text already. */
interface Append {
  readonly stream: string
  readonly expected: ExpectedRevision
  readonly events: readonly EventText[]
}

/** An append that waits for the next flush. */
interface Pending extends Append {
  readonly resolve: (result: AppendResult) => void
  readonly reject: (error: unknown) => void
}

/** How one append of a group ended, told only once the group is on the disk. */
type Outcome = { readonly result: AppendResult } | { readonly error: unknown }

/** @throws TypeError {RangeError} for what cannot be appended at all */
const checked = ({ stream, expected, events }: StreamAppend): Append => {
  if (expected !== 'no-stream' && !(Number.isSafeInteger(expected) && expected >= 0))
    throw new TypeError(`The expected revision of ${stream} must be 'no-stream' or a whole number from 0 on`)
  return { stream, expected, events: encodeEvents(stream, events) }
}

/** Whether an append only takes something away: room is kept for those. */
const isDeletion = ({ events }: Append): boolean => events.every(({ type }) => takesAway(type))

/** The last revision of a stream in numbers: -1 where there is no stream. */
const lastIn = (expected: ExpectedRevision): number => (expected === 'no-stream' ? -1 : expected)
const expectedAt = (last: number): ExpectedRevision => (last < 0 ? 'no-stream' : last)

/** Ends of so many streams are remembered. */
const mostEnds = 10_000

/** An event that was just written, as it would be read. */
const sized = (stream: string, revision: number, position: number, encoded: EventText): SizedEvent => {
  const { id, type, schemaVersion, occurredAt, meta, data } = encoded
  const event = toRecorded([position, stream, revision, id, type, schemaVersion, occurredAt, meta, data])
  return { event, characters: meta.length + data.length }
}

/** Of a page so many events are read, then it is seen whether it is long enough. */
const rowsAtOnce = 32
/** For SQLite: no limit. */
const everything = -1

/** What stands in the log. */
const readsOf = ({ sql, lists, reading }: Database) => {
  const rows = (which: string, ...values: readonly (string | number)[]): readonly EventRow[] =>
    reading(() => {
      const found = lists(`SELECT ${eventColumns} FROM events WHERE ${which} LIMIT ?`).all(...values)
      return found as unknown as EventRow[] // the columns selected
    })

  const head = (): Position | null =>
    reading(() => {
      const row = sql('SELECT position FROM events ORDER BY position DESC LIMIT 1').get()
      return row ? toPosition(Number(row['position'])) : null
    })

  return {
    head,
    /** `isFull`: it ended at its bounds, so that more may stand behind it. */
    page: (after: Position | null, limit: number) => {
      const page = openPage(limit)
      for (let place = after === null ? 0 : fromPosition(after); !page.isFull(); ) {
        const asked = Math.min(rowsAtOnce, limit - page.events.length)
        const found = rows('position > ? ORDER BY position', place, asked)
        for (const row of found) page.add(toRecorded(row), row[8].length)
        place = found.at(-1)?.[0] ?? place
        if (found.length < asked) break
      }
      return { events: page.events, isFull: page.isFull() }
    },
    stream: (stream: string, fromRevision: number, limit: number): readonly RecordedEvent[] =>
      rows('stream = ? AND revision >= ? ORDER BY revision', stream, fromRevision, limit).map(toRecorded),
    /** Read models on a server may come from another log, or from a newer copy of this one. */
    check: (after: Position | null): void => {
      if (after === null) return
      const end = head()
      if (end === null || after > end) throw beyondEnd(after, end)
    },
  }
}

/** Writes appends inside an open transaction. */
const writesOf = ({ sql }: Database) => {
  const tip = (stream: string): number =>
    Number(
      sql('SELECT max(revision) AS revision FROM events WHERE stream = ?').get(stream)?.['revision'] ?? -1,
    )

  /** The place of an append that is already there whole, with these ids; null when it is not. */
  const known = (append: Append): AppendResult | null => {
    const first = lastIn(append.expected) + 1
    const rows = sql(
      'SELECT id, revision, position FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?',
    ).all(append.stream, first, append.events.length) as unknown as {
      readonly id: string
      readonly revision: number
      readonly position: number
    }[] // the columns selected
    const last = rows.at(-1)
    const same =
      rows.length === append.events.length && rows.every((row, at) => row.id === append.events[at]?.id)
    return same && last ? { revision: last.revision, position: toPosition(last.position) } : null
  }

  const insert = (stream: string, revision: number, event: EventText): number => {
    const { id, type, schemaVersion, occurredAt, meta, data } = event
    try {
      const { lastInsertRowid } = sql(
        'INSERT INTO events (stream, revision, id, type, schema_version, occurred_at, meta, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      ).run(stream, revision, id, type, schemaVersion, occurredAt, meta, data)
      return Number(lastInsertRowid)
    } catch (error) {
      if (!isConstraint(error)) throw error
      throw new Error(`The event id ${id} (${type}) stands elsewhere in the log already`, { cause: error })
    }
  }

  /** Writes one append, and adds its events to `written`. */
  const write = (append: Append, written: SizedEvent[]): AppendResult => {
    const current = tip(append.stream)
    if (current !== lastIn(append.expected)) {
      const earlier = known(append)
      if (earlier) return earlier
      throw new RevisionConflict(append.stream, append.expected, expectedAt(current))
    }
    let position = 0
    let revision = current
    for (const event of append.events) {
      revision += 1
      position = insert(append.stream, revision, event)
      written.push(sized(append.stream, revision, position, event))
    }
    return { revision, position: toPosition(position) }
  }

  /** Writes one append so that its failure leaves the rest of the group as it is. */
  const writeAlone = (append: Append, written: SizedEvent[]): Outcome => {
    const before = written.length
    sql('SAVEPOINT append').run()
    try {
      const result = write(append, written)
      sql('RELEASE append').run()
      return { result }
    } catch (error) {
      // a constraint or a conflict is this append's own; anything else SQLite says concerns them all
      if (error instanceof Error && 'errcode' in error) throw error
      sql('ROLLBACK TO append').run()
      sql('RELEASE append').run()
      written.length = before
      return { error }
    }
  }

  return { write, writeAlone }
}

/** What is known of the log without reading it, and who waits for more; nobody else writes. */
const newestOf = () => {
  const recent = recentEvents()
  /** the newest revision of streams that were appended to lately */
  const ends = new Map<string, number>()
  const listeners = new Set<() => void>()

  return {
    after: recent.after,
    /** Whether a stream is known to hold nothing from this revision on. */
    endsBefore: (stream: string, revision: number) =>
      revision > (ends.get(stream) ?? Number.POSITIVE_INFINITY),
    /** Takes over that these are on the disk. */
    add: (written: readonly SizedEvent[]): void => {
      recent.add(written)
      if (ends.size > mostEnds) ends.clear()
      for (const { event } of written) ends.set(event.stream, event.revision)
      for (const wake of listeners) wake()
    },
    listeners,
  }
}

type Newest = ReturnType<typeof newestOf>

/**
 * Whatever is asked for in one turn of the event loop is written as a group and shares one fsync. Nobody hears of his
 * append before the whole group is on the disk.
 */
const inGroups = (database: Database, newest: Newest) => {
  const { write, writeAlone } = writesOf(database)
  let queue: Pending[] = []

  const commit = (group: readonly Pending[], growth: Growth): void => {
    const written: SizedEvent[] = []
    let outcomes: readonly Outcome[]
    try {
      const [only] = group
      const writeAll = (): readonly Outcome[] => {
        written.length = 0
        return group.length === 1 && only
          ? [{ result: write(only, written) }]
          : group.map((append) => writeAlone(append, written))
      }
      outcomes = database.transaction('durable', writeAll, growth)
    } catch (error) {
      const deletions = error instanceof DiskFull && growth === 'growing' ? group.filter(isDeletion) : []
      for (const append of group) if (!deletions.includes(append)) append.reject(error)
      if (deletions.length > 0) commit(deletions, 'small')
      return
    }
    for (const [at, append] of group.entries()) {
      const outcome = outcomes[at]
      if (outcome && 'result' in outcome) append.resolve(outcome.result)
      else append.reject(outcome?.error)
    }
    newest.add(written)
  }

  const flush = (): void => {
    const group = queue
    queue = []
    if (group.length > 0) commit(group, group.every(isDeletion) ? 'small' : 'growing')
  }

  return {
    flush,
    add: (append: Pending): void => {
      if (queue.length === 0) setImmediate(flush)
      queue.push(append)
    },
    /** All of them or none, behind what was asked for before. */
    writeAtOnce: (appends: readonly Append[]): void => {
      flush()
      const written: SizedEvent[] = []
      const writeAll = (): void => {
        for (const append of appends) write(append, written)
      }
      database.transaction('durable', writeAll, 'growing')
      newest.add(written)
    },
  }
}

/** Pages behind a position, and whatever is added to the log from then on. */
async function* follow(
  { check, page }: ReturnType<typeof readsOf>,
  newest: Newest,
  after: Position | null,
  limit: number,
  stopped: AbortSignal,
): AsyncGenerator<readonly RecordedEvent[]> {
  check(after)
  let wake = (): void => undefined
  const woken = (): void => wake()
  newest.listeners.add(woken)
  stopped.addEventListener('abort', woken)
  try {
    let position = after
    while (!stopped.aborted) {
      const recent = newest.after(position, limit)
      const { events, isFull } = recent
        ? { events: recent, isFull: recent.length === limit }
        : page(position, limit)
      const last = events.at(-1)
      if (last) {
        position = last.position
        yield events
        if (isFull) await turn()
        continue
      }
      // no turn of the event loop lies between the empty page and this, so no commit is missed
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  } finally {
    newest.listeners.delete(woken)
    stopped.removeEventListener('abort', woken)
  }
}

/** The log in SQLite. One writer, so the order of positions is the order of commits and nothing can be skipped. */
export const openEventStore = (database: Database): EventStore => {
  const reads = readsOf(database)
  const newest = newestOf()
  const groups = inGroups(database, newest)
  const ended = new AbortController()

  const accepted = (append: StreamAppend): Append => {
    if (ended.signal.aborted) throw new EngineAway('log', 'The log is closed: the server is stopping')
    return checked(append)
  }

  return {
    append: (stream, expected, events) =>
      new Promise((resolve, reject) => {
        groups.add({ ...accepted({ stream, expected, events }), resolve, reject })
      }),
    appendInOrder: async (appends) => {
      groups.writeAtOnce(appends.map(accepted))
      await turn()
    },
    // A command looks for what came after the state it knows: almost always nothing.
    readStream: async (stream, fromRevision, limit = everything) => {
      if (newest.endsBefore(stream, fromRevision)) return []
      const events = reads.stream(stream, fromRevision, limit)
      if (events.length === limit) await turn()
      return events
    },
    readAll: async (after, limit) => {
      const { events, isFull } = reads.page(after, limit)
      if (events.length === 0) reads.check(after)
      // a whole page means that more will be asked for: let others have their turn between pages
      if (isFull) await turn()
      return events
    },
    subscribe: (after, { limit, signal }) =>
      follow(reads, newest, after, limit, AbortSignal.any([signal, ended.signal])),
    head: async () => reads.head(),
    close: async () => {
      groups.flush()
      ended.abort()
    },
  }
}
