import { decodeEvent } from '#application/kernel/codec.ts'
import type { Documents } from '#application/kernel/ports/documents.ts'
import { earlier, type Position, type RecordedEvent } from '#application/kernel/ports/event-store.ts'
import { reasonOf } from '#application/kernel/reason.ts'
import { type Delivery, foldView, type ParkedEvent, parkedView, type ViewFold } from './fold.ts'
import type { Projection } from './projection.ts'

/** What views have folded in, to be stored together. */
export interface Gathered {
  /** once it is stored, every view shows the log up to here */
  readonly position: Position
  readonly changedViews: readonly Projection[]
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

/**
 * Several views that are folded on one reading of the log, each from where it stands: an event is decoded once for all
 * of them, and what they have folded in is stored together.
 */
export interface FoldGroup {
  readonly folds: () => readonly ViewFold[]
  /** the place of the view that is furthest behind, stored or not */
  readonly position: () => Position | null
  /** documents changed and not yet gathered */
  readonly changedCount: () => number
  /** Decodes events once and folds them into every view that has not seen them. */
  readonly foldIn: (events: readonly RecordedEvent[]) => Promise<void>
  /**
   * Everything folded in so far, of all views; null when nothing moved. More may be folded in while it is stored, and
   * gathered when it is.
   */
  readonly gather: () => Gathered | null
  /** Lets others come along: from now on they take and store what these do. Called between two batches. */
  readonly takeAlong: (others: readonly ViewFold[]) => void
  /** Lets the followers go, and puts others in the place of those with the same view. */
  readonly replace: (others: readonly ViewFold[]) => void
}

const isSameView = (one: ViewFold, other: ViewFold): boolean =>
  one.projection.view.name === other.projection.view.name

const deliver = (recorded: RecordedEvent): Delivery => {
  try {
    return { recorded, event: decodeEvent(recorded), failure: null }
  } catch (thrown) {
    return { recorded, event: null, failure: reasonOf(thrown) }
  }
}

/** Makes room for the views and opens each at its own checkpoint. */
export const openFolds = async (
  documents: Documents,
  projections: readonly Projection[],
): Promise<FoldGroup> => {
  const views = projections.map(({ view }) => view)
  const all = [...views, ...views.map(parkedView)]
  await documents.prepare(all)
  // Where another runner moves a view in between, its checkpoint refuses what is written from here. Numbers that are not those of
  // their own checkpoint would be written by whoever comes to the same place as that one.
  const numbered = await documents.numbered(views)
  const places = await documents.places(all)
  let folds: readonly ViewFold[] = projections.map((projection, n) =>
    foldView(
      projection,
      documents,
      { position: numbered[n]?.checkpoint ?? null, changedAt: places[n]?.changedAt ?? null },
      places[views.length + n]?.position ?? null,
      numbered[n]?.numbered ?? 0,
    ),
  )
  let followers: readonly ViewFold[] = []
  const position = (): Position | null =>
    folds.map((fold) => fold.position()).reduce(earlier, folds[0]?.position() ?? null)
  const withFollowers = (): readonly ViewFold[] => (followers.length === 0 ? folds : [...folds, ...followers])

  return {
    folds: () => folds,
    position,
    changedCount: () => folds.reduce((sum, fold) => sum + fold.changedCount(), 0),
    takeAlong: (others) => {
      followers = others
    },
    replace: (others) => {
      followers = []
      folds = folds.map((fold) => others.find((other) => isSameView(other, fold)) ?? fold)
    },
    foldIn: async (events) => {
      const last = events.at(-1)
      if (!last) return
      const behind = withFollowers().filter((fold) => (fold.position() ?? '') < last.position)
      const deliveries = events.filter(({ type }) => behind.some((fold) => fold.handles(type))).map(deliver)
      for (const fold of behind) await fold.foldIn(deliveries, last.position)
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
        changedViews: own.flatMap(({ fold, gathered }) => (gathered.isChanged ? fold.projection : [])),
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
