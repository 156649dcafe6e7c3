import { createHash } from 'node:crypto'
import { maxEventBytes } from '../codec.ts'
import { openPage } from '../event-page.ts'
import { type ExportedEvent, type ExportEnd, eventLine, parseLine } from './event-line.ts'
import { eventsUpTo } from './export-events.ts'
import type { EventStore, RecordedEvent, StreamAppend } from '../ports/event-store.ts'
import { Refusal } from '#domain/refusal.ts'

/** One append holds at most so many events of a stream, and together no more bytes than one event may have. */
const mostEvents = 200
/** So many events at most are handed to the log together. */
const batchSize = 500

/**
 * Goes through an export without taking anything from it: every line has its form, each stream's revisions
 * follow each other, count and checksum are right, and nothing stands behind the last line.
 * @param lines without their line ends
 * @throws {Refusal} in words
 */
export const checkExport = async (
  lines: AsyncIterable<string>,
  onEvent: (event: ExportedEvent, number: number) => void = () => undefined,
): Promise<ExportEnd> => {
  const hash = createHash('sha256')
  const revisions = new Map<string, number>()
  let events = 0
  let end: ExportEnd | null = null
  for await (const text of lines) {
    if (end !== null)
      throw new Refusal('invalid', 'Something stands behind the last line: the file is damaged')
    const parsed = parseLine(text, events + 1)
    if ('end' in parsed) {
      ;({ end } = parsed)
      continue
    }
    const { event } = parsed
    events += 1
    const expected = revisions.get(event.stream) ?? 0
    if (event.revision !== expected) {
      throw new Refusal(
        'invalid',
        `Line ${events} is event ${event.revision} of ${event.stream}, but ${expected} comes next: lines are missing or doubled`,
      )
    }
    revisions.set(event.stream, expected + 1)
    hash.update(text).update('\n')
    onEvent(event, events)
  }
  if (end === null) throw new Refusal('invalid', 'The last line is missing: the file was cut short')
  if (end.events !== events) {
    throw new Refusal(
      'invalid',
      `The last line tells of ${end.events} events, there are ${events}: the file is damaged`,
    )
  }
  if (end.sha256 !== hash.digest('hex')) {
    throw new Refusal(
      'invalid',
      'The checksum in the last line is not that of the lines: the file is damaged',
    )
  }
  return end
}

/**
 * Refuses an event whose id another has had, of those that it is told one after the other: no log takes it twice. A log
 * that wrote its events itself has no such, so only who fills one asks.
 */
export const idsOnce = (): ((event: Pick<ExportedEvent, 'id'>) => void) => {
  const seen = new Set<string>()
  let line = 0
  return ({ id }) => {
    line += 1
    seen.add(id.toLowerCase())
    if (seen.size < line)
      throw new Refusal(
        'invalid',
        `Line ${line} has the id of another event (${id}): the file is no export of Atelier’s, or it was changed by hand`,
      )
  }
}

export interface Imported {
  /** events that stood in the log already, from an import that was broken off */
  readonly before: number
  readonly added: number
}

async function* wholeLog(eventStore: Pick<EventStore, 'readAll' | 'head'>): AsyncGenerator<RecordedEvent> {
  for await (const page of eventsUpTo(eventStore, await eventStore.head())) yield* page
}

/** Neighbours of one stream go into one append. */
const appendsOf = (events: readonly ExportedEvent[]): readonly StreamAppend[] => {
  const appends: { stream: string; expected: StreamAppend['expected']; events: ExportedEvent[] }[] = []
  let bytes = 0
  for (const event of events) {
    const size = Buffer.byteLength(JSON.stringify(event.data))
    const open = appends.at(-1)
    const fits =
      open?.stream === event.stream && open.events.length < mostEvents && bytes + size <= maxEventBytes
    if (fits) {
      open.events.push(event)
      bytes += size
    } else {
      const expected = event.revision === 0 ? 'no-stream' : event.revision - 1
      appends.push({ stream: event.stream, expected, events: [event] })
      bytes = size
    }
  }
  return appends
}

/**
 * Writes the events of an export into the log, in their order. What an import that was broken off has written
 * already is compared and passed over; the rest goes on from there.
 * @param lines of an export that {@link checkExport} has found whole
 * @throws {Refusal} when the log holds other events than the file; nothing is written then
 */
export const importEvents = async (
  eventStore: Pick<EventStore, 'readAll' | 'head' | 'appendInOrder'>,
  lines: AsyncIterable<string>,
  options: {
    readonly signal?: AbortSignal
    /** called once it is clear that the log will be written, before it is */
    readonly onBegin?: () => Promise<void>
    readonly onProgress?: (done: number) => void
  } = {},
): Promise<Imported> => {
  const there = wholeLog(eventStore)
  let known: RecordedEvent | null = (await there.next()).value ?? null
  let before = 0
  let added = 0
  let batch = openPage<ExportedEvent>(batchSize)
  const flush = async (): Promise<void> => {
    if (added === 0) await options.onBegin?.()
    await eventStore.appendInOrder(appendsOf(batch.events))
    added += batch.events.length
    batch = openPage(batchSize)
    options.onProgress?.(before + added)
  }
  for await (const text of lines) {
    options.signal?.throwIfAborted()
    const parsed = parseLine(text, before + added + batch.events.length + 1)
    // Nothing stands behind it; read on, so that whoever gives the lines comes to his end too.
    if ('end' in parsed) continue
    if (known !== null) {
      if (eventLine(known) !== eventLine(parsed.event)) {
        throw new Refusal(
          'invalid',
          `The log here holds other events than the file, from event ${before + 1} on: import into an empty log`,
        )
      }
      before += 1
      known = (await there.next()).value ?? null
      if (before % batchSize === 0) options.onProgress?.(before)
    } else {
      batch.add(parsed.event, text.length)
      if (batch.isFull()) await flush()
    }
  }
  if (batch.events.length > 0) await flush()
  if (known !== null) {
    throw new Refusal(
      'invalid',
      `The log here goes on behind the ${before} events of the file: there is nothing to import`,
    )
  }
  options.onProgress?.(before + added)
  return { before, added }
}
