import type { Documents, ViewDefinition } from '#application/kernel/ports/documents.ts'
import { earlier, type EventStore, type Position } from '#application/kernel/ports/event-store.ts'
import { parkedView } from './fold.ts'

/** Counting stops here: further behind is simply far behind. */
const countedUpTo = 10_000

/** Views that are further behind than this want to be looked after. */
export const laggingSeconds = 30

interface ViewLag {
  readonly view: string
  readonly version: number
  /** the last event it shows; null before the first */
  readonly position: Position | null
  readonly behind: boolean
  /** not yet shown; counted up to 10,000 */
  readonly events: number
  /** since the oldest of them occurred; 0 when all are shown */
  readonly seconds: number
  /** events that it goes on without until it is rebuilt */
  readonly parked: number
}

export interface Lag {
  /** of the view that is furthest behind; counted up to 10,000 */
  readonly events: number
  /** since the oldest event not yet shown occurred; 0 when all are */
  readonly seconds: number
  /** parked events of all views: each is missing in one of them until that view is built anew */
  readonly parked: number
  readonly views: readonly ViewLag[]
}

/** A view and the last event it shows. */
export interface ViewPosition {
  readonly view: ViewDefinition
  readonly position: Position | null
}

/** Where the views stand. */
export const placesNow = async (
  documents: Pick<Documents, 'checkpoints'>,
  views: readonly ViewDefinition[],
): Promise<readonly ViewPosition[]> => {
  const checkpoints = await documents.checkpoints(views)
  return views.map((view, n) => ({ view, position: checkpoints[n] ?? null }))
}

const parkedIn = async (
  documents: Documents,
  views: readonly ViewDefinition[],
): Promise<readonly number[]> => {
  const parked = views.map(parkedView)
  // Most views never parked anything; one that was never made cannot be counted.
  const checkpoints = await documents.checkpoints(parked)
  return Promise.all(parked.map(async (view, n) => (checkpoints[n] == null ? 0 : documents.count(view, {}))))
}

/**
 * Measures from outside of the loop, against the log's own head, so that a loop that died cannot hide.
 * @throws what the engines throw when they do not answer
 */
export const measureLag = async (
  engines: { readonly eventStore: Pick<EventStore, 'head' | 'readAll'>; readonly documents: Documents },
  places: readonly ViewPosition[],
): Promise<Lag> => {
  const head = await engines.eventStore.head()
  const parked = await parkedIn(
    engines.documents,
    places.map(({ view }) => view),
  )
  const isBehind = (position: Position | null): boolean =>
    head !== null && (position === null || position < head)
  const behind = places.filter(({ position }) => isBehind(position)).map(({ position }) => position)
  const last = behind.reduce(earlier, behind[0] ?? null)
  const missing = behind.length === 0 ? [] : await engines.eventStore.readAll(last, countedUpTo)
  const now = Date.now()
  const views = places.map(({ view, position }, n) => {
    const unseen = missing.filter((event) => position === null || event.position > position)
    // Of one that has rotted it may not be known.
    const since = unseen.map(({ occurredAt }) => Date.parse(occurredAt)).find(Number.isFinite)
    return {
      view: view.name,
      version: view.version,
      position,
      behind: isBehind(position),
      events: unseen.length,
      seconds: since === undefined ? 0 : Math.max(0, (now - since) / 1_000),
      parked: parked[n] ?? 0,
    }
  })
  return {
    events: Math.max(0, ...views.map(({ events }) => events)),
    seconds: Math.max(0, ...views.map(({ seconds }) => seconds)),
    parked: views.reduce((sum, view) => sum + view.parked, 0),
    views,
  }
}
