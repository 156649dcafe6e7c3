import {
  addArtwork,
  type ArtworkDone,
  deleteArtwork,
  moveArtwork,
  restoreArtwork,
  reviseArtwork,
} from '#application/artworks/artworks.ts'
import { batchArtworks, type BatchResult, type BatchRow } from '#application/artworks/batch.ts'
import { findArtwork, listAllArtworks, listDeletedArtworks } from '#projections/artworks/queries.ts'
import { type ArtworkBatch, artworkChange, newArtwork } from '#web/contract/artworks.ts'
import { validationError } from '#web/contract/errors.ts'
import type { WebDeps } from '../deps.ts'
import { SignedOut } from '../door/errors.ts'
import { inventory } from './inventory.ts'
import type { PublicLists } from '../public-lists.ts'
import type { ModuleRoutes } from '../call/route.ts'

/** A row with its fields checked; one whose fields are wrong is refused by itself. */
const checkedRow = (row: ArtworkBatch['rows'][number]): BatchRow => {
  if ('delete' in row) return { what: 'delete', id: row.id }
  const { id, fields } = row
  if (id === undefined) {
    const added = newArtwork.safeParse(fields)
    return added.success
      ? { what: 'add', input: added.data }
      : { what: 'refused', id: null, fields: wrongFields(added.error) }
  }
  const changed = artworkChange.safeParse(fields)
  if (!changed.success) return { what: 'refused', id, fields: wrongFields(changed.error) }
  const { expectedVersion = null, ...changes } = changed.data
  return { what: 'change', id, changes, expectedVersion }
}

const wrongFields = (error: Parameters<typeof validationError>[0]) => {
  const { message, fields } = validationError(error)
  return fields ?? { id: message }
}

export const artworkRoutes = (
  deps: Pick<WebDeps, 'app' | 'documents'>,
  lists: PublicLists,
): ModuleRoutes<'artworks'> => {
  const { app, documents } = deps
  const batches = new WeakMap<object, readonly BatchResult[]>()
  /** the image that an artwork shows after a call's command */
  const images = new WeakMap<object, string | null>()
  const noted = async (call: object, acting: Promise<ArtworkDone>): Promise<ArtworkDone> => {
    const done = await acting
    images.set(call, done.imageHash)
    return done
  }
  const show = (id: string, call: object) =>
    findArtwork(documents, id, { signedIn: true }, images.get(call) ?? null)
  return {
    listArtworks: {
      read: ({ query }) =>
        query.deleted === true ? listDeletedArtworks(documents) : listAllArtworks(documents, query.category),
      prepared: (asked, { query: { category, deleted } }) => {
        if (deleted === true) throw new SignedOut()
        return lists.answer(
          '/api/artworks',
          category === undefined || category === 'all' ? null : category,
          asked,
        )
      },
    },
    getArtwork: {
      read: ({ params, account }) => findArtwork(documents, params.id, { signedIn: account !== null }),
    },
    addArtwork: { act: (call) => noted(call, addArtwork(app, call.body, call.command)), show },
    batchArtworks: {
      act: async (call) => {
        const done = await batchArtworks(app, call.body.rows.map(checkedRow), call.command)
        batches.set(call, done.rows)
        return done
      },
      // A repeat has carried nothing out: it tells what became of the rows the first time.
      show: async (_, call) => {
        const { body, command } = call
        const rows =
          batches.get(call) ??
          (await batchArtworks(app, body.rows.map(checkedRow), command, { carryOut: false })).rows
        return { rows }
      },
    },
    changeArtwork: {
      act: (call) =>
        noted(call, reviseArtwork(app, call.params.id, call.body, call.expectedVersion, call.command)),
      show,
    },
    deleteArtwork: {
      act: ({ params, expectedVersion, command }) => deleteArtwork(app, params.id, expectedVersion, command),
      show,
    },
    restoreArtwork: {
      act: (call) => noted(call, restoreArtwork(app, call.params.id, call.expectedVersion, call.command)),
      show,
    },
    moveArtwork: {
      act: (call) =>
        noted(call, moveArtwork(app, call.params.id, call.body.before, call.expectedVersion, call.command)),
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
