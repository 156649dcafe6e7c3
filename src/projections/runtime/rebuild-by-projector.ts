import { pause } from '#application/kernel/retry.ts'
import { astrayViews, ViewsAstray } from './astray.ts'
import { parkedView } from './fold.ts'
import type { FoldGroup } from './fold-group.ts'
import { pauses, type ProjectorState } from './projector-state.ts'
import type { Projection } from './projection.ts'
import {
  type BuildFor,
  type BuildOptions,
  type BuildReport,
  buildViews,
  chosen,
  type LiveViews,
} from './rebuild.ts'
import { endRoundIfAstray } from './stand-aside.ts'
import { storeNow } from './storing.ts'

/** One build at a time. The message is for people. */
class BuildRunning extends Error {
  override readonly name = 'BuildRunning'

  constructor() {
    super('The read models are being rebuilt or verified already: wait until that is done')
  }
}

/** Nobody keeps these up to date; they stand at the end of the log and stay there. */
const unmoved = async (eventStore: LiveViews['eventStore']): Promise<FoldGroup> => {
  const head = await eventStore.head()
  return {
    folds: () => [],
    position: () => head,
    changedCount: () => 0,
    foldIn: async () => undefined,
    gather: () => null,
    takeAlong: () => undefined,
    replace: () => undefined,
  }
}

/**
 * Rebuilds or verifies views that stand where the log has never been, from which no projector can go on. Whoever calls
 * this holds the projector's place, so that nothing moves meanwhile. They are built from the first event on, and what
 * is stored of them is looked at for the report alone.
 */
export const buildAstray = async (
  engines: Pick<LiveViews, 'documents' | 'eventStore'> & Partial<Pick<LiveViews, 'tell' | 'stopping'>>,
  projections: readonly Projection[],
  what: BuildFor,
  options: BuildOptions,
): Promise<BuildReport> => {
  const { eventStore, documents } = engines
  const views = projections.map(({ view }) => view)
  const astray = await astrayViews(eventStore, documents, views)
  const still = await unmoved(eventStore)
  await documents.prepare(views.flatMap((view) => [view, parkedView(view)]))
  const live: LiveViews = {
    eventStore,
    documents,
    projections,
    between: (work) => work(still),
    tell: engines.tell ?? (() => undefined),
    stopping: engines.stopping ?? new AbortController().signal,
  }
  const report = await buildViews(live, what, { ...options, fresh: true })
  const withPlace = report.views.map((each) => {
    const at = astray.get(each.view)
    return at === undefined ? each : { ...each, astray: at }
  })
  return { ...report, views: withPlace }
}

/** What a projector lends to a build while it goes on. */
const lent = (at: ProjectorState): LiveViews => ({
  ...at.options,
  stopping: at.signal,
  between: (work) =>
    at.inTurn(async () => {
      if (at.group === null || at.state !== 'live') throw new Error('The projector has stopped')
      // What takes the views' place begins where they are stored, and nothing before where they stand is read again.
      await storeNow(at)
      return work(at.group)
    }),
  tell: (changed) => {
    if (at.shown !== null) at.audience.tell(changed, at.shown)
  },
})

/** Waits until a projector can build: it still does where documents are ahead of the log. @param ready its own promise */
export const canBuild = (ready: Promise<unknown>): Promise<unknown> =>
  ready.catch((error: unknown) => {
    if (!(error instanceof ViewsAstray)) throw error
  })

/** Builds views beside those of a projector, or in its stead where they are ahead of the log. @throws {BuildRunning} */
export const buildBeside = async (
  at: ProjectorState,
  what: BuildFor,
  options: BuildOptions,
): Promise<BuildReport> => {
  if (at.isBuilding) throw new BuildRunning()
  at.isBuilding = true
  try {
    await canBuild(at.ready.promise)
    await endRoundIfAstray(at)
    while (at.state === 'catching-up' || (at.state === 'live' && at.round.ending.signal.aborted))
      await pause(pauses.firstMs)
    const live = lent(at)
    if (at.state !== 'astray') return await buildViews(live, what, options)
    const report = await buildAstray(live, chosen(live.projections, options.views), what, options)
    if (report.switched) at.built.resolve()
    return report
  } finally {
    at.isBuilding = false
  }
}
