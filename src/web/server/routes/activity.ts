import { undoCommand } from '#application/activity/undo.ts'
import { findUndoable, listActivity } from '#projections/activity/queries.ts'
import { findArtwork } from '#projections/artworks/queries.ts'
import { getSiteContent } from '#projections/site-content/queries.ts'
import type { CallName } from '#web/contract/calls.ts'
import type { WebDeps } from '../deps.ts'
import { CallRefused } from '../errors.ts'
import type { Routes } from '../route.ts'

type Names = Extract<CallName, 'listActivity' | 'undoActivity'>

/** Of all that can be undone only works have ids of their own; the site's texts are one record. */
const siteContentSubject = 'site-content'

export const activityRoutes = (deps: Pick<WebDeps, 'app' | 'documents' | 'settings'>): Routes<Names> => {
  const { app, documents, settings } = deps
  return {
    listActivity: { read: ({ query }) => listActivity(documents, query) },
    undoActivity: {
      act: async ({ params, command }) => {
        const past = await findUndoable(documents, params.id)
        if (past === null) throw new CallRefused(404, 'There is no such entry')
        if (!past.undoable) throw new CallRefused(409, 'This cannot be undone')
        const done = await undoCommand(app, past, command)
        return past.module === 'site-content' ? { ...done, id: siteContentSubject } : done
      },
      show: (id) =>
        id === siteContentSubject
          ? getSiteContent(documents, app.html, settings)
          : findArtwork(documents, id, { signedIn: true }),
      subject: async ({ params }) => {
        const past = await findUndoable(documents, params.id)
        return past?.module === 'site-content' ? siteContentSubject : (past?.subjectId ?? null)
      },
    },
  }
}
