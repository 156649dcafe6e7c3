import { type Collection, MongoBulkWriteError } from 'mongodb'
import {
  asStored,
  type Document,
  type StoredDocument,
  type ViewWrite,
} from '#application/kernel/ports/documents.ts'
import { further, type JsonObject, type Position } from '#application/kernel/ports/event-store.ts'
import type { DocumentRow } from './document-query.ts'
import { isDuplicate } from './mongo.ts'

/** Documents of one command: the server answers in between, and none takes longer than the driver waits. */
const writtenAtOnce = 1_000

const rowOf = (document: Document, at: Position): DocumentRow => {
  const { id: _id } = document
  const lists = Object.entries(document).filter(([, value]) => Array.isArray(value))
  if (lists.length === 0) return { _id, at, doc: document }
  const doc: Record<string, JsonObject[string]> = { ...document }
  for (const [field] of lists) delete doc[field]
  return { _id, at, doc, lists: JSON.stringify(Object.fromEntries(lists)) }
}

/** The document of a row; null where it cannot be read. */
export const documentOf = <D extends Document>({ _id, doc, lists }: DocumentRow): StoredDocument<D> => {
  if (lists === undefined) return asStored(_id, doc)
  try {
    // As rowOf wrote it.
    return asStored(_id, { ...doc, ...(JSON.parse(lists) as JsonObject) })
  } catch {
    return { id: _id, document: null }
  }
}

/** What a batch makes of the documents of its view; one that is also removed is gone. */
export const rowsOf = ({ put, remove, to }: ViewWrite): readonly DocumentRow[] => {
  const rows = new Map<string, DocumentRow>()
  for (const document of put) rows.set(document.id, rowOf(document, to))
  for (const id of remove) rows.set(id, { _id: id, at: to, gone: true })
  return [...rows.values()]
}

/** Inserts what is new. @returns those whose id was there */
const insertNew = async (
  rows: Collection<DocumentRow>,
  list: readonly DocumentRow[],
): Promise<DocumentRow[]> => {
  if (list.length === 0) return []
  try {
    await rows.insertMany([...list], { ordered: false })
    return []
  } catch (error) {
    return takenIn(error, list)
  }
}

/** Replaces what is older, never what is newer: a replace without upsert cannot fail, only match nothing. */
const replaceOlder = async (rows: Collection<DocumentRow>, list: readonly DocumentRow[]): Promise<number> => {
  if (list.length === 0) return 0
  const { matchedCount } = await rows.bulkWrite(
    list.map((row) => ({
      replaceOne: { filter: { _id: row._id, at: { $lt: row.at } }, replacement: row },
    })),
    { ordered: false },
  )
  return matchedCount
}

/** Replaces what is older. @returns how far the furthest is that was left because it is further than its batch */
const replaceAll = async (
  rows: Collection<DocumentRow>,
  list: readonly DocumentRow[],
): Promise<Position | null> => {
  const [first] = list
  if (first === undefined || (await replaceOlder(rows, list)) === list.length) return null
  const ids = list.map(({ _id }) => _id)
  const [left] = await rows
    .find({ _id: { $in: ids }, at: { $gt: first.at } }, { projection: { at: 1 } })
    .sort({ at: -1 })
    .limit(1)
    .toArray()
  return left?.at ?? null
}

/** The rows of a bulk that found their id taken. @throws what is another error */
const takenIn = (error: unknown, list: readonly DocumentRow[]): DocumentRow[] => {
  // Beside those that are taken the others may be on one server alone.
  const isConfirmed = error instanceof MongoBulkWriteError && !error.result.getWriteConcernError()
  const failures = isConfirmed ? [error.writeErrors].flat() : []
  if (failures.length === 0 || failures.some(({ code }) => code !== 11_000)) throw error
  return failures.flatMap(({ index }) => list[index] ?? [])
}

/** Replaces what is older and inserts what is not there, in one way. @returns those that are there and are not older */
const replaceOrInsert = async (
  rows: Collection<DocumentRow>,
  list: readonly DocumentRow[],
): Promise<DocumentRow[]> => {
  const [only, second] = list
  if (only === undefined) return []
  const older = ({ _id, at }: DocumentRow) => ({ _id, at: { $lt: at } })
  try {
    // The driver takes twice as long for a bulk, and of a command it is mostly one.
    if (second === undefined) await rows.replaceOne(older(only), only, { upsert: true })
    else
      await rows.bulkWrite(
        list.map((row) => ({ replaceOne: { filter: older(row), replacement: row, upsert: true } })),
        { ordered: false },
      )
    return []
  } catch (error) {
    return second === undefined && isDuplicate(error) ? [...list] : takenIn(error, list)
  }
}

const writeSome = async (
  rows: Collection<DocumentRow>,
  list: readonly DocumentRow[],
  firstBatch: boolean,
): Promise<Position | null> =>
  replaceAll(rows, await (firstBatch ? insertNew(rows, list) : replaceOrInsert(rows, list)))

/**
 * Writes the rows of a batch, each guarded by the position it is up to.
 * @param firstBatch whether the view has nothing yet: all of it is new
 * @returns how far the furthest row is that was left because it is further than its batch
 */
export const writeRows = async (
  rows: Collection<DocumentRow>,
  all: readonly DocumentRow[],
  firstBatch: boolean,
): Promise<Position | null> => {
  let left: Position | null = null
  for (let at = 0; at < all.length; at += writtenAtOnce)
    left = further(left, await writeSome(rows, all.slice(at, at + writtenAtOnce), firstBatch))
  return left
}
