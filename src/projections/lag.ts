import type { EventStore, Position } from '#application/ports/event-store.ts'
import type { ViewFold } from '#projections/view-fold.ts'

/** Counting stops here: further behind is simply far behind. */
const countedUpTo = 10_000

/** How one view stands. */
export interface ViewLag {
  readonly view: string
  readonly version: number
  /** the last event it shows; null before the first */
  readonly position: Position | null
  readonly behind: boolean
}

export interface Lag {
  readonly events: number
  readonly seconds: number
  readonly views: readonly ViewLag[]
}

/**
 * Measures from outside of the loop, against the log's own head, so that a loop that died cannot hide.
 * @throws what the log throws when it does not answer
 */
export const measureLag = async (
  eventStore: Pick<EventStore, 'head' | 'readAll'>,
  folds: readonly ViewFold[],
): Promise<Lag> => {
  const head = await eventStore.head()
  const isBehind = (position: Position | null): boolean =>
    head !== null && (position === null || position < head)
  const views = folds.map(({ projection: { view }, writtenTo }) => ({
    view: view.name,
    version: view.version,
    position: writtenTo(),
    behind: isBehind(writtenTo()),
  }))
  if (!views.some(({ behind }) => behind)) return { events: 0, seconds: 0, views }
  const last = views
    .map(({ position }) => position)
    .reduce((a, b) => (a === null || b === null || a < b ? a : b))
  const missing = await eventStore.readAll(last, countedUpTo)
  const oldest = missing[0]
  const seconds = oldest ? Math.max(0, (Date.now() - Date.parse(oldest.occurredAt)) / 1_000) : 0
  return { events: missing.length, seconds, views }
}
