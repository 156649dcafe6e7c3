import { settled } from '#application/kernel/execute.ts'
import { inActTurn } from '#application/kernel/many-streams.ts'
import { leftAsIs, undoCommand, undoneBy } from '#application/activity/undo.ts'
import { findUndoable, listActivity } from '#projections/activity/queries.ts'
import { findArtwork } from '#projections/artworks/queries.ts'
import { findPost } from '#projections/journal/queries.ts'
import { getSiteContent } from '#projections/site-content/queries.ts'
import { findWithUse } from '#projections/taxonomy/queries.ts'
import type { Undone } from '#web/contract/activity.ts'
import type { WebDeps } from '../deps.ts'
import { CallRefused } from '../door/errors.ts'
import type { ModuleRoutes } from '../call/route.ts'

/** Nothing was left as it is, and there is no one entity to show. */
const whole: Undone = { skipped: [] }

export const activityRoutes = (
  deps: Pick<WebDeps, 'app' | 'documents' | 'settings'>,
): ModuleRoutes<'activity'> => {
  const { app, documents, settings } = deps
  const stores = { documents, eventStore: app.eventStore }

  const pastOf = async (id: string) => {
    let past = await findUndoable(stores, id)
    if (past === null) {
      // Commands do not wait for the activity: it may be on its way.
      await settled(app)
      past = await findUndoable(stores, id)
    }
    if (past === null) throw new CallRefused(404, 'There is no such entry')
    if (!past.undoable) throw new CallRefused(409, 'This cannot be undone')
    return past
  }

  /** The one thing that a command changed as it is now; null when it is gone, or there are many. */
  const entityOf = async (one: Awaited<ReturnType<typeof undoneBy>>) => {
    if (one === 'many') return null
    const { module, subjectId } = one
    switch (module) {
      case 'artworks':
        return findArtwork(documents, subjectId, { signedIn: true })
      case 'categories':
      case 'mediums':
        return findWithUse(documents, module, subjectId)
      case 'journal':
        return findPost(documents, app.html, subjectId)
      case 'site-content':
        return getSiteContent(documents, app.html, settings)
    }
  }

  return {
    listActivity: { read: ({ query }) => listActivity(documents, query) },
    undoActivity: {
      act: ({ params, command }) =>
        // What is still under way is waited for, and looked for then: it would go on behind its undo.
        inActTurn(app, [params.id, command.commandId], async (mine) =>
          undoCommand(mine, await pastOf(params.id), command),
        ),
      reply: async (_, { params }) => {
        const past = await pastOf(params.id)
        const one = await undoneBy(app, past)
        if (one === 'many') return { skipped: await leftAsIs(app, past) }
        // Taken back, it may be gone: then nothing is left to show.
        return (await entityOf(one)) ?? whole
      },
      current: async ({ params }) => {
        const past = await findUndoable(stores, params.id)
        return past?.undoable ? entityOf(await undoneBy(app, past)) : null
      },
    },
  }
}
