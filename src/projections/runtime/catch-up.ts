import { reasonOf } from '#application/kernel/reason.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { decodeData } from '#application/kernel/codec.ts'
import type { Documents, ViewPlace } from '#application/kernel/ports/documents.ts'
import {
  earlier,
  type EventMeta,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '#application/kernel/ports/event-store.ts'
import type { DomainEvent } from '#domain/events.ts'
import type { ProjectedEvent, Projection } from './projection.ts'
import { readingAhead } from './read-ahead.ts'
import { type Delivery, foldView, type ParkedEvent, parkedView, type ViewFold } from './fold.ts'

const pageSize = 1_000
/** While catching up, changes are stored once this many events or documents have gathered, beside as many under way. */
const eventsPerWrite = 25_000
const documentsPerWrite = 10_000

/** What views have folded in, to be stored together. */
export interface Gathered {
  /** once it is stored, every view shows the log up to here */
  readonly position: Position
  readonly changed: readonly Projection[]
  /** events that a view could not take in and goes on without */
  readonly parked: readonly ParkedEvent[]
  /** how far stored documents say they are that are further than that, by the names of their views */
  readonly ahead: ReadonlyMap<string, Position>
  /**
   * Stores it. May be called again after it threw.
   * @param onLeft as for {@link Documents.write}
   * @throws {CheckpointMoved} and what the engine throws
   */
  readonly store: (onLeft?: (furthest: Position) => Promise<void>) => Promise<void>
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
   * Everything folded in so far, of all views; null when nothing moved. More may be folded in while it is stored, and
   * gathered when it is.
   */
  readonly gather: () => Gathered | null
  /** Lets others come along: from now on they take and store what these do. Called between two batches. */
  readonly follow: (others: readonly ViewFold[]) => void
  /** Lets the followers go, and puts others in the place of those with the same view. */
  readonly replace: (others: readonly ViewFold[]) => void
}

const isSameView = (one: ViewFold, other: ViewFold): boolean =>
  one.projection.view.name === other.projection.view.name

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
    gather: () => {
      const reached = position()
      if (reached === null) return null
      const all = withFollowers().map((fold) => ({ fold, gathered: fold.gather() }))
      const writes = all.flatMap(({ gathered }) => gathered.writes)
      if (writes.length === 0) return null
      const own = all.slice(0, folds.length)
      return {
        position: reached,
        changed: own.flatMap(({ fold, gathered }) => (gathered.changed ? fold.projection : [])),
        parked: own.flatMap(({ gathered }) => gathered.parked),
        ahead: new Map(
          own.flatMap(({ fold, gathered: { furthest } }) =>
            furthest !== null && furthest > reached ? [[fold.projection.view.name, furthest]] : [],
          ),
        ),
        store: async (onLeft) => {
          await documents.write(writes, onLeft)
          for (const { gathered } of all) gathered.stored()
        },
      }
    },
  }
}

export interface CatchUpOptions {
  readonly eventStore: Pick<EventStore, 'readAll'>
  readonly views: ViewFolds
  readonly signal: AbortSignal
  /** Called after each page with the events read so far. */
  readonly onProgress?: (events: number) => void
  /** Stores what was folded in; by itself unless given. */
  readonly store?: (gathered: Gathered) => Promise<void>
  readonly onStored?: (gathered: Gathered) => void
  /** Runs each call of an engine; the projector repeats those that fail. */
  readonly retrying?: <Result>(call: () => Promise<Result>) => Promise<Result>
}

/**
 * Brings the views to the end of the log as it is now: many events in memory, each document written once for
 * many of its events. While what was gathered is stored the next events are read and folded in, and no more than
 * those, so that all is stored in its order and memory stays bounded. Used at start, and for building a view anew beside the one that serves.
 * @throws {CheckpointMoved}, and what the engines throw where `retrying` lets it through
 */
export const catchUp = async (options: CatchUpOptions): Promise<void> => {
  const { eventStore, views, signal, onProgress, onStored } = options
  const { retrying = (call) => call(), store = (gathered) => gathered.store() } = options
  const readAll = readingAhead(eventStore.readAll)
  const storeNext = async (): Promise<void> => {
    const gathered = views.gather()
    if (gathered === null) return
    await retrying(() => store(gathered))
    onStored?.(gathered)
  }
  let storing = Promise.resolve()
  let read = 0
  let waiting = 0
  try {
    while (!signal.aborted) {
      const events = await retrying(() => readAll(views.position(), pageSize))
      await retrying(() => views.take(events))
      read += events.length
      waiting += events.length
      onProgress?.(read)
      const end = events.length === 0
      // A page of few events is one of long texts, and so are the documents that are made of them.
      if (events.length < pageSize || waiting >= eventsPerWrite || views.changed() >= documentsPerWrite) {
        await storing
        if (signal.aborted) return
        storing = storeNext()
        // Its failure is heard of where it is waited for.
        storing.catch(() => undefined)
        waiting = 0
      }
      if (end) {
        await storing
        for (const fold of views.folds()) fold.rest()
        return
      }
      // Engines in the process answer without leaving it: others must get their turn between two pages.
      await nextTurn()
    }
  } finally {
    // Whoever opens the views anew finds nothing under way.
    await Promise.allSettled([storing])
  }
}
