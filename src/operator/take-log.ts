import type { Engines } from '#infrastructure/engine-sets.ts'
import { moveReactorToHead } from '#jobs/runtime/reactor.ts'
import type { Documents, ViewDefinition } from '#application/kernel/ports/documents.ts'
import { allProjections } from '#projections/all-projections.ts'
import { parkedView } from '#projections/runtime/fold.ts'

/** What is said of a log that was taken, and of what else knows the former one. */
export const logTaken = {
  done: 'The log is taken as it is.',
  rest:
    'Pictures that it does not know are put aside by the daily sweep and kept for 30 days. Move the backups of the ' +
    'former log out of BACKUP_DIR: nothing takes their place as long as they hold more.',
} as const

/**
 * Goes on with a log that has lost events: what was made of those is forgotten. Accounts, keys and files stay. To be used
 * by whoever is alone on these engines; views are built by the next who projects.
 */
export const takeLog = async (engines: Engines): Promise<void> => {
  await forgetViews(engines.documents)
  await moveReactorToHead(engines)
  // Behind those: until it stands, a start is refused.
  await engines.logMark.place(await engines.eventStore.head())
}

/**
 * Forgets what read models there are, and what a rebuild that broke off has left: they tell of another log than
 * the one that comes, and their places in that one would be taken for places in this.
 */
export const forgetViews = async (documents: Documents): Promise<void> => {
  const live = allProjections.flatMap(({ view }) => [view, parkedView(view)])
  const views = live.flatMap((view): readonly ViewDefinition[] => [view, { ...view, build: 'rebuild' }])
  const places = await documents.checkpoints(views)
  for (const [n, view] of views.entries()) if (places[n] !== null) await documents.drop(view)
}
