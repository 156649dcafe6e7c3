import { createHash } from 'node:crypto'
import { type ExportEnd, endLine, eventLine, lined } from './event-line.ts'
import { type EventStore, isForeign, type Position, type RecordedEvent } from '../ports/event-store.ts'
import { shareOfTheWay } from '../share-of-the-way.ts'

/** Events asked of the log at once. */
const pageSize = 200
/** Texts are handed on in pieces of at least so many characters, whatever pages an engine gives. */
const pieceSize = 65_536

/** How far the reading of a log is. */
export interface LogProgress {
  readonly events: number
  /** estimated, 0 to 1: what a position means is the engine's own business */
  readonly share: number
}

export interface ReadOptions {
  readonly signal?: AbortSignal
  /** told each event of another program's that is passed over */
  readonly onForeign?: (event: RecordedEvent) => void
  readonly onProgress?: (progress: LogProgress) => void
}

/**
 * Takes the events of other programs out of pages of a log: those behind them in a stream have the revisions that they have
 * without them, as in every log that is filled from an archive. One that is lost leaves its gap.
 */
const withoutForeign = (onForeign: NonNullable<ReadOptions['onForeign']>) => {
  const foreignIn = new Map<string, number>()
  const own = (event: RecordedEvent): readonly RecordedEvent[] => {
    const before = foreignIn.get(event.stream) ?? 0
    if (isForeign(event)) {
      foreignIn.set(event.stream, before + 1)
      onForeign(event)
      return []
    }
    if (before === 0) return [event]
    return [{ ...lined(event), position: event.position, revision: event.revision - before }]
  }
  return (page: readonly RecordedEvent[]): readonly RecordedEvent[] =>
    foreignIn.size > 0 || page.some(isForeign) ? page.flatMap(own) : page
}

/**
 * The whole log up to one position, page by page, as an archive has it: without what other programs have written into the
 * site's streams. What is appended meanwhile is left out.
 * @param until the log's head when the reading begins; null: an empty log
 * @throws the signal's reason when aborted
 */
export async function* eventsUpTo(
  eventStore: Pick<EventStore, 'readAll'>,
  until: Position | null,
  { signal, onProgress, onForeign = () => undefined }: ReadOptions = {},
): AsyncGenerator<readonly RecordedEvent[]> {
  const owned = withoutForeign(onForeign)
  let first: Position | null = null
  let position: Position | null = null
  let events = 0
  while (until !== null && (position === null || position < until)) {
    signal?.throwIfAborted()
    const page: readonly RecordedEvent[] = await eventStore.readAll(position, pageSize)
    const last = page.at(-1)
    if (last === undefined) throw new Error('The log ended before the position that it gave as its end')
    first ??= page[0]?.position ?? last.position
    ;({ position } = last)
    const wanted = owned(position <= until ? page : page.filter((event) => event.position <= until))
    events += wanted.length
    yield wanted
    onProgress?.({ events, share: shareOfTheWay(first, until, position) })
  }
}

/**
 * The whole log up to one position in the decided form, as text in pieces; the last line is
 * the last. The same log gives the same pieces on every engine.
 * @param until the log's head when the export begins; null: an empty log
 * @param options.onEvent told each event before its line is given
 * @returns the end line's content
 */
export async function* exportEvents(
  eventStore: Pick<EventStore, 'readAll'>,
  until: Position | null,
  options: ReadOptions & { readonly onEvent?: (event: RecordedEvent) => void } = {},
): AsyncGenerator<string, ExportEnd> {
  const hash = createHash('sha256')
  let events = 0
  let piece = ''
  for await (const page of eventsUpTo(eventStore, until, options)) {
    for (const event of page) {
      options.onEvent?.(event)
      events += 1
      piece += `${eventLine(event)}\n`
      if (piece.length < pieceSize) continue
      hash.update(piece)
      yield piece
      piece = ''
    }
  }
  hash.update(piece)
  const end = { events, sha256: hash.digest('hex') }
  yield `${piece}${endLine(end)}\n`
  return end
}

export interface LogStats extends ExportEnd {
  readonly streams: number
  /** of the lines of an export, uncompressed, in bytes */
  readonly bytes: number
  /** of the largest event's line, in bytes */
  readonly largest: number
  /** when the first and the last happened, ISO 8601; null in an empty log */
  readonly first: string | null
  readonly last: string | null
  /** how many of each type, the most frequent first */
  readonly types: Readonly<Record<string, number>>
}

/** Reads a log and counts. @param until as for {@link exportEvents} */
export const statsOf = async (
  eventStore: Pick<EventStore, 'readAll'>,
  until: Position | null,
  options: ReadOptions = {},
): Promise<LogStats> => {
  const hash = createHash('sha256')
  const streams = new Set<string>()
  const types = new Map<string, number>()
  let [events, bytes, largest] = [0, 0, 0]
  let first: string | null = null
  let last: string | null = null
  for await (const page of eventsUpTo(eventStore, until, options)) {
    for (const event of page) {
      const line = Buffer.from(`${eventLine(event)}\n`)
      hash.update(line)
      events += 1
      bytes += line.length
      largest = Math.max(largest, line.length)
      streams.add(event.stream)
      types.set(event.type, (types.get(event.type) ?? 0) + 1)
      first ??= event.occurredAt
      last = event.occurredAt
    }
  }
  return {
    events,
    sha256: hash.digest('hex'),
    streams: streams.size,
    bytes,
    largest,
    first,
    last,
    types: Object.fromEntries([...types].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))),
  }
}
