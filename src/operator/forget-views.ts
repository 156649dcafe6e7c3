import type { Documents, ViewDefinition } from '#application/kernel/ports/documents.ts'
import { allProjections } from '#projections/all-projections.ts'
import { parkedView } from '#projections/runtime/fold.ts'
import { lastChanges } from '#projections/runtime/view-versions.ts'

/**
 * Forgets what read models there are, and what a rebuild that broke off has left: they tell of another log than
 * the one that comes, and their places in that one would be taken for places in this.
 */
export const forgetViews = async (documents: Documents): Promise<void> => {
  const live = [lastChanges, ...allProjections.flatMap(({ view }) => [view, parkedView(view)])]
  const views = live.flatMap((view): readonly ViewDefinition[] => [view, { ...view, build: 'rebuild' }])
  const places = await documents.checkpoints(views)
  for (const [n, view] of views.entries()) if (places[n] !== null) await documents.drop(view)
}
