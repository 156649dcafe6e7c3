import {
  addArtwork,
  deleteArtwork,
  moveArtwork,
  restoreArtwork,
  reviseArtwork,
} from '#application/artworks/artworks.ts'
import { findArtwork, listAllArtworks, listDeletedArtworks } from '#projections/artworks/queries.ts'
import type { CallName } from '#web/contract/calls.ts'
import type { WebDeps } from '../deps.ts'
import { SignedOut } from '../errors.ts'
import { inventory } from '../inventory.ts'
import { sendJson } from '../json.ts'
import { sendPrepared } from '../prepared.ts'
import type { PublicLists } from '../public-lists.ts'
import type { Routes } from '../route.ts'

type Names = Extract<
  CallName,
  | 'listArtworks'
  | 'getArtwork'
  | 'addArtwork'
  | 'changeArtwork'
  | 'deleteArtwork'
  | 'restoreArtwork'
  | 'moveArtwork'
  | 'exportArtworks'
>

export const artworkRoutes = (
  deps: Pick<WebDeps, 'app' | 'documents'>,
  lists: PublicLists,
): Routes<Names> => {
  const { app, documents } = deps
  const show = (id: string) => findArtwork(documents, id, { signedIn: true })
  return {
    listArtworks: {
      answer: async ({ ctx, query, account }) => {
        const category = query.category === undefined || query.category === 'all' ? null : query.category
        if (account === null) {
          if (query.deleted === true) throw new SignedOut()
          await sendPrepared(ctx, (asked) => lists.answer('/api/artworks', category, asked))
        } else if (query.deleted === true) {
          await sendJson(ctx, 200, await listDeletedArtworks(documents), 'private')
        } else await sendJson(ctx, 200, await listAllArtworks(documents, category), 'private')
      },
    },
    getArtwork: {
      read: ({ params, account }) => findArtwork(documents, params.id, { signedIn: account !== null }),
    },
    addArtwork: { act: ({ body, command }) => addArtwork(app, body, command), show },
    changeArtwork: {
      act: ({ params, body, expectedVersion, command }) =>
        reviseArtwork(app, params.id, body, expectedVersion, command),
      show,
    },
    deleteArtwork: {
      act: ({ params, expectedVersion, command }) => deleteArtwork(app, params.id, expectedVersion, command),
      show,
    },
    restoreArtwork: {
      act: ({ params, expectedVersion, command }) => restoreArtwork(app, params.id, expectedVersion, command),
      show,
    },
    moveArtwork: {
      act: ({ params, body, expectedVersion, command }) =>
        moveArtwork(app, params.id, body.before, expectedVersion, command),
      show,
    },
    exportArtworks: {
      answer: async ({ ctx }) => {
        ctx.set('cache-control', 'private, no-store')
        ctx.set('content-disposition', 'attachment; filename="artworks.csv"')
        ctx.type = 'text/csv; charset=utf-8'
        ctx.body = inventory(await listAllArtworks(documents))
      },
    },
  }
}
