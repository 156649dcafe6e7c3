import {
  addArtwork,
  type ArtworkDone,
  deleteArtwork,
  moveArtwork,
  restoreArtwork,
  reviseArtwork,
} from '#application/artworks/artworks.ts'
import { batchArtworks, type BatchRow } from '#application/artworks/batch.ts'
import { findArtwork, listAllArtworks, listDeletedArtworks } from '#projections/artworks/queries.ts'
import { categoryAsked } from '#web/contract/artwork-address.ts'
import { artworkChange, newArtwork } from '#web/contract/artworks.ts'
import type { Body } from '#web/contract/calls.ts'
import { validationError } from '#web/contract/errors.ts'
import { limits } from '#web/contract/limits.ts'
import type { WebDeps } from '../deps.ts'
import { SignedOut, statusOfRefusal } from '../door/errors.ts'
import { inventory } from './inventory.ts'
import type { PublicLists } from '../public-lists.ts'
import { changesInTurn } from '../call/changes-in-turn.ts'
import { actThenReply, type ModuleRoutes } from '../call/route.ts'

/** A row with its fields checked; one whose fields are wrong is refused by itself. */
const checkedRow = (row: Body<'batchArtworks'>['rows'][number]): BatchRow => {
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

/** What came of a row, as a call for it alone would answer. */
const statusOfRow = {
  added: 201,
  there: 200,
  changed: 200,
  deleted: 204,
  stale: 409,
  ...statusOfRefusal,
} as const

export const artworkRoutes = (
  deps: Pick<WebDeps, 'app' | 'documents'>,
  lists: PublicLists,
): ModuleRoutes<'artworks'> => {
  const { app, documents } = deps
  const inTurn = changesInTurn()
  const reply = (id: string, _: unknown, done: ArtworkDone | null) =>
    findArtwork(documents, id, { signedIn: true }, done?.imageHash)
  return {
    listArtworks: {
      read: ({ query }) =>
        query.deleted === true
          ? listDeletedArtworks(documents, limits.listPage, query.before)
          : listAllArtworks(documents, query.category),
      ready: (asked, { query: { category, deleted } }) => {
        if (deleted === true) throw new SignedOut()
        return lists.answer('/api/artworks', categoryAsked(category), asked)
      },
    },
    getArtwork: {
      read: ({ params, account }) => findArtwork(documents, params.id, { signedIn: account !== null }),
    },
    addArtwork: actThenReply(({ body, command }) => addArtwork(app, body, command), reply),
    batchArtworks: actThenReply(
      ({ body, command }) => batchArtworks(app, body.rows.map(checkedRow), command),
      // A repeat has carried nothing out: it tells what became of the rows the first time.
      async (_, { body, command }, done) => {
        const { rows } =
          done ?? (await batchArtworks(app, body.rows.map(checkedRow), command, { carryOut: false }))
        return { rows: rows.map(({ outcome, ...row }) => ({ ...row, status: statusOfRow[outcome] })) }
      },
    ),
    changeArtwork: actThenReply(
      ({ params, body, expectedVersion, command }) =>
        inTurn(params.id, () => reviseArtwork(app, params.id, body, expectedVersion, command)),
      reply,
    ),
    deleteArtwork: actThenReply(
      ({ params, expectedVersion, command }) => deleteArtwork(app, params.id, expectedVersion, command),
      reply,
    ),
    restoreArtwork: actThenReply(
      ({ params, expectedVersion, command }) => restoreArtwork(app, params.id, expectedVersion, command),
      reply,
    ),
    moveArtwork: actThenReply(
      ({ params, body, expectedVersion, command }) =>
        moveArtwork(app, params.id, body.before, expectedVersion, command),
      reply,
    ),
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
