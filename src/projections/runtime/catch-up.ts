import { reasonOf } from '#application/kernel/reason.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { decodeData } from '#application/kernel/codec.ts'
import type { Documents, ViewPlace } from '#application/kernel/ports/documents.ts'
import type { EventMeta, EventStore, Position, RecordedEvent } from '#application/kernel/ports/event-store.ts'
import type { DomainEvent } from '#domain/events.ts'
import type { ProjectedEvent, Projection } from './projection.ts'
import { readingAhead } from './read-ahead.ts'
import { type Delivery, foldView, type ParkedEvent, parkedView, type ViewFold } from './fold.ts'

const pageSize = 1_000
/** While catching up, changes are stored once this many events or documents have gathered. */
const eventsPerWrite = 50_000
const documentsPerWrite = 10_000

/** What came of storing a batch. */
export interface Stored {
  /** every view shows the log up to here */
  readonly position: Position
  readonly changed: readonly Projection[]
  /** events that a view could not take in and goes on without */
  readonly parked: readonly ParkedEvent[]
}

/** Several views on their way along the log, at one place or at several. */
export interface ViewFolds {
  readonly folds: () => readonly ViewFold[]
  /** the place of the view that is furthest behind, stored or not */
  readonly position: () => Position | null
  readonly changed: () => number
  /** Decodes events once and folds them into every view that has not seen them. */
  readonly take: (events: readonly RecordedEvent[]) => Promise<void>
  /**
   * Stores everything folded in so far, all views at once.
   * @param onLeft as for {@link Documents.write}
   * @throws {CheckpointMoved} and what the engine throws
   */
  readonly store: (onLeft?: (furthest: Position) => Promise<void>) => Promise<Stored | null>
  /** Lets others come along: from now on they take and store what these do. Called between two batches. */
  readonly follow: (others: readonly ViewFold[]) => void
  /** Lets the followers go, and puts others in the place of those with the same view. */
  readonly replace: (others: readonly ViewFold[]) => void
}

const isSameView = (one: ViewFold, other: ViewFold): boolean =>
  one.projection.view.name === other.projection.view.name

/** The earlier of two places; null is before the first event. */
const earlier = (a: Position | null, b: Position | null): Position | null =>
  a === null || b === null ? null : a < b ? a : b

/**
 * A decoded event that leaves the envelope where it was read: few views look at `meta`, and an engine may
 * parse it only when it is asked for.
 */
class DecodedEvent {
  readonly type: DomainEvent['type']
  readonly data: DomainEvent['data']
  readonly stream: string
  readonly revision: number
  readonly position: Position
  readonly occurredAt: string
  readonly #recorded: RecordedEvent

  constructor(event: DomainEvent, recorded: RecordedEvent) {
    this.type = event.type
    this.data = event.data
    this.stream = recorded.stream
    this.revision = recorded.revision
    this.position = recorded.position
    this.occurredAt = recorded.occurredAt
    this.#recorded = recorded
  }

  get id(): string {
    return this.#recorded.id
  }

  get meta(): EventMeta {
    return this.#recorded.meta
  }
}

const deliver = (recorded: RecordedEvent): Delivery => {
  try {
    const event = decodeData(recorded.type, recorded.schemaVersion, recorded.data)
    // Type and data were paired by the codec; a class cannot say that they belong together.
    const decoded = event && (new DecodedEvent(event, recorded) as unknown as ProjectedEvent)
    return { recorded, event: decoded, failure: null }
  } catch (thrown) {
    return { recorded, event: null, failure: reasonOf(thrown) }
  }
}

const nowhere: ViewPlace = { position: null, changedAt: null }

/** Makes room for the views and opens each at its own checkpoint. */
export const openViews = async (
  documents: Documents,
  projections: readonly Projection[],
): Promise<ViewFolds> => {
  const views = projections.map(({ view }) => view)
  const all = [...views, ...views.map(parkedView)]
  await documents.prepare(all)
  const places = await documents.places(all)
  // Where another runner moves a view in between, its checkpoint refuses what is written from here.
  const numbered = await documents.numbered(views)
  let folds: readonly ViewFold[] = projections.map((projection, n) =>
    foldView(
      projection,
      documents,
      places[n] ?? nowhere,
      places[views.length + n]?.position ?? null,
      numbered[n] ?? 0,
    ),
  )
  let followers: readonly ViewFold[] = []
  const position = (): Position | null =>
    folds.map((fold) => fold.position()).reduce(earlier, folds[0]?.position() ?? null)
  const withFollowers = (): readonly ViewFold[] => (followers.length === 0 ? folds : [...folds, ...followers])

  return {
    folds: () => folds,
    position,
    changed: () => folds.reduce((sum, fold) => sum + fold.changed(), 0),
    follow: (others) => {
      followers = others
    },
    replace: (others) => {
      followers = []
      folds = folds.map((fold) => others.find((other) => isSameView(other, fold)) ?? fold)
    },
    take: async (events) => {
      const last = events.at(-1)
      if (!last) return
      const behind = withFollowers().filter((fold) => (fold.position() ?? '') < last.position)
      const deliveries = events.filter(({ type }) => behind.some((fold) => fold.handles(type))).map(deliver)
      for (const fold of behind) await fold.take(deliveries, last.position)
    },
    store: async (onLeft) => {
      const all = withFollowers()
      const writes = all.flatMap((fold) => fold.writes())
      const reached = position()
      if (writes.length === 0 || reached === null) return null
      const changed = folds.filter((fold) => fold.changed() > 0).map(({ projection }) => projection)
      const parked = folds.flatMap((fold) => fold.parked())
      await documents.write(writes, onLeft)
      for (const fold of all) fold.stored()
      return { position: reached, changed, parked }
    },
  }
}

export interface CatchUpOptions {
  readonly eventStore: Pick<EventStore, 'readAll'>
  readonly views: ViewFolds
  readonly signal: AbortSignal
  /** Called after each page with the events read so far. */
  readonly onProgress?: (events: number) => void
  /** Stores what was folded in; `views.store` unless given. */
  readonly store?: () => Promise<Stored | null>
  readonly onStored?: (stored: Stored) => void
  /** Runs each call of an engine; the projector repeats those that fail. */
  readonly retrying?: <Result>(call: () => Promise<Result>) => Promise<Result>
}

/**
 * Brings the views to the end of the log as it is now: many events in memory, each document written once for
 * many of its events. Used at start, and for building a view anew beside the one that serves.
 * @throws {CheckpointMoved}, and what the engines throw where `retrying` lets it through
 */
export const catchUp = async (options: CatchUpOptions): Promise<void> => {
  const { eventStore, views, signal, onProgress, onStored } = options
  const retrying = options.retrying ?? ((call) => call())
  const readAll = readingAhead(eventStore.readAll)
  const store = async (): Promise<void> => {
    const stored = await retrying(options.store ?? (() => views.store()))
    if (stored) onStored?.(stored)
  }
  let read = 0
  let waiting = 0
  while (!signal.aborted) {
    const events = await retrying(() => readAll(views.position(), pageSize))
    await retrying(() => views.take(events))
    read += events.length
    waiting += events.length
    onProgress?.(read)
    const end = events.length < pageSize
    if (end || waiting >= eventsPerWrite || views.changed() >= documentsPerWrite) {
      await store()
      waiting = 0
    }
    if (end) {
      for (const fold of views.folds()) fold.rest()
      return
    }
    // Engines in the process answer without leaving it: others must get their turn between two pages.
    await nextTurn()
  }
}
