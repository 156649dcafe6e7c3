import { randomUUID } from 'node:crypto'
import { pause } from '#application/kernel/retry.ts'
import { type Documents, type ViewDefinition, CheckpointMoved } from '#application/kernel/ports/documents.ts'
import type { EventStore, Position } from '#application/kernel/ports/event-store.ts'
import { shareOfTheWay } from '#application/kernel/share-of-the-way.ts'
import { type FoldGroup, openFolds } from './fold-group.ts'
import { astrayViews } from './astray.ts'
import { compare, type Difference } from './compare.ts'
import type { Projection } from './projection.ts'
import { parkedView, type ParkedEvent, type ViewFold } from './fold.ts'

/** Small steps: whoever reads or writes meanwhile waits for one of them at most. */
const eventsPerStep = 250
const documentsPerWrite = 250
/** What is not stored yet is done again after a kill. */
const eventsPerWrite = 500
/** A step is followed by a pause as long as itself, so that half of the process stays with its visitors. */
const pausePerStep = 1

/** How far a build has come, and of which views it is. */
export type BuildProgress = { readonly views: readonly string[] } & (
  | {
      readonly phase: 'replaying'
      /** events */
      readonly done: number
      /** of the way through the log, others' events on it too; how many are to come only the end of it tells */
      readonly share: number
    }
  | {
      readonly phase: 'comparing'
      /** documents */
      readonly done: number
      readonly total: number
    }
)

export interface BuildOptions {
  /** names of the views; all when empty */
  readonly views: readonly string[]
  /** begin anew instead of going on where a build was broken off */
  readonly fresh: boolean
  readonly signal: AbortSignal
  readonly onProgress: (progress: BuildProgress) => void
}

/** One view, as it is served and as the log says. */
export interface ViewReport {
  readonly view: string
  readonly version: number
  /** documents compared */
  readonly documents: number
  readonly differences: readonly Difference[]
  /** where the view says it stands, when the log has never been there; no start goes on from that */
  readonly astray?: Position
  /** events that the build could not take in; those it shares with what is served are among them */
  readonly parked: readonly ParkedEvent[]
}

export interface BuildReport {
  readonly events: number
  readonly views: readonly ViewReport[]
  /** what was built serves now; always false for `verify` */
  readonly switched: boolean
}

/** What views are built anew for: `rebuild` lets them take the place of those that are served, `verify` compares and drops them. */
export type BuildFor = 'rebuild' | 'verify'

export type Build = (what: BuildFor, options: BuildOptions) => Promise<BuildReport>

/** What the running projector lends to a build. */
export interface LiveViews {
  readonly eventStore: Pick<EventStore, 'readAll' | 'head'>
  readonly documents: Documents
  readonly projections: readonly Projection[]
  /** Runs work between two batches: nothing of the views moves meanwhile. Keep it short. */
  readonly between: <Result>(work: (group: FoldGroup) => Promise<Result>) => Promise<Result>
  /** Tells that views got other documents, after they can be read. */
  readonly tell: (changed: readonly Projection[]) => void
  /** aborted when the projector stops */
  readonly stopping: AbortSignal
}

/** The build was ended from outside. What is built of a rebuild stays, and the next one goes on there. */
class BuildStopped extends Error {
  override readonly name = 'BuildStopped'

  constructor() {
    super('Stopped. What is served was not touched; the same command goes on where this one ended')
  }
}

/** Folds the log into places beside the live views until they go along with them. */
const catchUpBeside = async (
  live: LiveViews,
  built: FoldGroup,
  options: BuildOptions & { readonly check: () => void },
): Promise<number> => {
  const { eventStore } = live
  let begun = built.position()
  let read = 0
  let storedTo = 0
  const isThere = (goal: Position | null): boolean => goal === null || (built.position() ?? '') >= goal
  const goalOf = (group: FoldGroup): Promise<Position | null> => Promise.resolve(group.position())
  /** @returns whether next to nothing is left: the rest is taken while the live views stand still */
  const step = async (goal: Position): Promise<boolean> => {
    const events = await eventStore.readAll(built.position(), eventsPerStep)
    if (events.length === 0)
      throw new Error('The log ends before the event that is served last: restore a backup')
    // The live views say how far; what came after they will take together.
    const known = events.filter(({ position }) => position <= goal)
    begun ??= known[0]?.position ?? null
    await built.foldIn(known)
    read += known.length
    return isThere(goal)
  }
  for (let isNear = false; !isNear; ) {
    options.check()
    const goal = await live.between(goalOf)
    if (goal === null || isThere(goal)) break
    const started = performance.now()
    isNear = await step(goal)
    if (built.changedCount() >= documentsPerWrite || read - storedTo >= eventsPerWrite || isNear) {
      await built.gather()?.store()
      storedTo = read
    }
    const share = shareOfTheWay(begun ?? goal, goal, built.position() ?? goal)
    const views = built.folds().map(({ projection }) => projection.view.name)
    options.onProgress({ phase: 'replaying', views, done: read, share })
    await pause((performance.now() - started) * pausePerStep)
  }
  await live.between(async (group) => {
    const goal = group.position()
    while (goal !== null && !isThere(goal)) await step(goal)
    await built.gather()?.store()
    group.takeAlong(built.folds())
  })
  return read
}

/** Compares what is served with what goes along beside it, a page between two batches. */
const compareAll = async (
  live: LiveViews,
  built: readonly ViewDefinition[],
  options: BuildOptions & { readonly check: () => void },
): Promise<readonly ViewReport[]> => {
  const { documents } = live
  const served = built.map(({ build: _, ...view }) => view)
  const counts = await Promise.all(served.map((view) => documents.count(view, {})))
  const total = counts.reduce((a, b) => a + b, 0)
  let done = 0
  const reports: ViewReport[] = []
  for (const [n, view] of served.entries()) {
    const beside = built[n] ?? view
    const comparison = compare(documents, view, beside)
    const differences: Difference[] = []
    let compared = 0
    for (;;) {
      options.check()
      const page = await live.between(() => comparison.next())
      if (page === null) break
      differences.push(...page.differences)
      compared += page.compared
      done += page.compared
      const views = served.map(({ name }) => name)
      options.onProgress({ phase: 'comparing', views, done, total: Math.max(done, total) })
      await pause(0)
    }
    const parked = await documents.find<ParkedEvent>(parkedView(beside), {})
    const { name, version } = view
    reports.push({ view: name, version, documents: compared, differences, parked })
  }
  return reports
}

/** The parked events of a build that what is served took in. */
const newlyParked = async (
  documents: Documents,
  projections: readonly Projection[],
  reports: readonly ViewReport[],
): Promise<readonly ParkedEvent[]> => {
  const found = await Promise.all(
    projections.map(async ({ view }) => {
      const known = await documents.findStored(parkedView(view), {})
      const ids = new Set(known.map(({ id }) => id))
      return (reports.find((report) => report.view === view.name)?.parked ?? []).filter(
        ({ id }) => !ids.has(id),
      )
    }),
  )
  return found.flat()
}

/** Puts what was built into the place of what is served, all views in one step. */
const switchOver = (
  live: LiveViews,
  projections: readonly Projection[],
  build: string,
  changed: readonly Projection[],
): Promise<void> =>
  live.between(async (group) => {
    const { documents } = live
    const servedViews = projections.flatMap(({ view }) => [view, parkedView(view)])
    const stored = await documents.places(servedViews)
    const folds = new Map<string, ViewFold>(group.folds().map((fold) => [fold.projection.view.name, fold]))
    for (const [n, { name }] of servedViews.entries()) {
      const fold = folds.get(name)
      if (fold !== undefined && fold.checkpoint() !== (stored[n]?.position ?? null))
        throw new CheckpointMoved(name)
    }
    // Else a page made of the former documents would count as made of the new ones: no event tells of a switch.
    const now = `${group.position() ?? ''}+${randomUUID().slice(0, 8)}`
    const isOther = new Set(changed.map(({ view }) => view.name))
    const switches = servedViews.map((view, n) => {
      const { position: from, changedAt } = stored[n] ?? { position: null, changedAt: null }
      return { built: { ...view, build }, from, changedAt: isOther.has(view.name) ? now : changedAt }
    })
    try {
      await documents.switchTo(switches)
    } finally {
      // Also when nobody knows whether it was done: what is stored says where each view stands.
      group.replace((await openFolds(documents, projections)).folds())
    }
  })

/** The views with these names; all when none is named. */
export const chosen = (
  projections: readonly Projection[],
  names: readonly string[],
): readonly Projection[] =>
  names.length === 0 ? projections : projections.filter(({ view }) => names.includes(view.name))

/** Puts what was built into its place, unless something was lost by a change of the program: then the build waits. */
const takeOver = async (
  live: LiveViews,
  projections: readonly Projection[],
  reports: readonly ViewReport[],
): Promise<boolean> => {
  const lost = await newlyParked(live.documents, projections, reports)
  if (lost.length > 0) return false
  const differing = new Set(reports.filter((each) => each.differences.length > 0).map(({ view }) => view))
  const changed = projections.filter(({ view }) => differing.has(view.name))
  await switchOver(live, projections, 'rebuild', changed)
  live.tell(changed)
  return true
}

/**
 * Builds views anew beside the live ones and compares them. `rebuild` lets them take their place at once, unless the
 * build had to park an event that what is served took in; `verify` builds from the first event on and drops what it built.
 * @throws {BuildStopped}, and what the engines throw
 */
export const buildViews = async (
  live: LiveViews,
  what: BuildFor,
  options: BuildOptions,
): Promise<BuildReport> => {
  const { documents } = live
  const check = (): void => {
    if (options.signal.aborted || live.stopping.aborted) throw new BuildStopped()
  }
  const projections = chosen(live.projections, options.views)
  const beside = projections.map((each) => ({ ...each, view: { ...each.view, build: what } }))
  const views = beside.flatMap(({ view }) => [view, parkedView(view)])
  const dropAll = async (): Promise<void> => {
    for (const view of views) await documents.drop(view)
  }
  const isFresh = options.fresh || what === 'verify'
  // One that broke off is gone on with, unless it was built from another log.
  if (isFresh || (await astrayViews(live.eventStore, documents, views)).size > 0) await dropAll()
  const built = await openFolds(documents, beside)
  try {
    const events = await catchUpBeside(live, built, { ...options, check })
    const reports = await compareAll(
      live,
      beside.map(({ view }) => view),
      { ...options, check },
    )
    check()
    const switched = what === 'rebuild' && (await takeOver(live, projections, reports))
    return { events, views: reports, switched }
  } finally {
    if (!live.stopping.aborted) {
      await live.between(async (group) => group.replace([]))
      if (what === 'verify') await dropAll()
    }
  }
}
