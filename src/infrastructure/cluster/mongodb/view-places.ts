import { randomBytes } from 'node:crypto'
import { type Collection, MongoServerError } from 'mongodb'
import type { ViewDefinition } from '#application/kernel/ports/documents.ts'
import type { Position } from '#application/kernel/ports/event-store.ts'
import { viewKey } from '../../view-key.ts'
import { type DocumentRow, indexesOf } from './document-query.ts'
import { longMs, type Mongo, wasFirst } from './mongo.ts'

/** How long a collection stays that no view names any more: no request that reads it takes longer, in ms. */
const keptForMs = 60_000

/** Where a view stands: in one document, so that a switch and the checkpoint's move are one change. */
export interface ViewRecord {
  /** {@link viewKey} */
  readonly _id: string
  /** holds the view's documents */
  readonly collection: string
  /** null: nothing was projected yet */
  readonly position: Position | null
  /** how many events the view has numbered up to there; absent where it numbers none */
  readonly numbered?: number
  /** where documents last changed; not there in what older versions wrote */
  readonly changedAt?: string | null
  /** the position that this was written with: an older version moves that alone */
  readonly changedAsOf?: Position | null
}

/**
 * Stands in a collection from before a place names it until before it is named no more, so that who reads documents
 * by their ids reads along whether they are the view's. It looks like a document that was removed; none has this id.
 */
export const labelId = ''
// Before every position of a log.
const label = { at: '' as Position, gone: true } as const

/** Where documents last changed; at the view's own place, which is never too early, where that is not known. */
export const changedAtOf = ({ position, changedAt, changedAsOf }: ViewRecord): string | null =>
  changedAt !== undefined && changedAsOf === position ? changedAt : position

/** A collection is made with its first document: that it is not there is no error. Not every server gives a code. */
const unlessMissing = (thrown: unknown): null => {
  if (thrown instanceof MongoServerError && (thrown.code === 26 || thrown.message === 'ns not found'))
    return null
  throw thrown
}

const collectionName = (key: string, own = randomBytes(4).toString('hex')): string => `view_${key}_${own}`

/** The places of a site's views, and the collections they name. */
export interface ViewPlaces {
  readonly places: Collection<ViewRecord>
  readonly rowsIn: (collection: string) => Collection<DocumentRow>
  /** The places with these keys as they are now; what is not there is left out. */
  readonly read: (keys: readonly string[]) => Promise<ReadonlyMap<string, ViewRecord>>
  /** Makes a place with its indexes where there is none, and brings the indexes to what is declared. */
  readonly prepare: (view: ViewDefinition) => Promise<void>
  /** To be done before a place names this collection no more. */
  readonly removeLabel: (collection: string) => Promise<void>
  /** Drops a collection at once, unless a place names it. */
  readonly drop: (collection: string) => Promise<void>
  /** Drops it when those who may still read it have ended. */
  readonly retire: (collection: string) => void
  /** Retires what earlier processes left of these views without a place. */
  readonly sweep: (views: readonly ViewDefinition[]) => Promise<void>
  readonly close: () => void
}

type Rows = Collection<DocumentRow>

const makeIndexes = async (view: ViewDefinition, rows: Rows): Promise<void> => {
  const wanted = indexesOf(view)
  if (wanted.length > 0) await rows.createIndexes([...wanted])
}

const bringIndexes = async (view: ViewDefinition, rows: Rows): Promise<void> => {
  const there = ((await rows.listIndexes().toArray().catch(unlessMissing)) ?? []).map(({ name }) =>
    String(name),
  )
  const wanted = indexesOf(view).map(({ name }) => name)
  if (wanted.some((name) => !there.includes(name))) await makeIndexes(view, rows)
  for (const name of there) if (name !== '_id_' && !wanted.includes(name)) await rows.dropIndex(name)
}

/** One that an older version of the program made has none. */
const putLabel = async (rows: Rows): Promise<void> => {
  await rows.updateOne({ _id: labelId }, { $set: label }, { upsert: true })
}

const removeLabel = async (rows: Rows): Promise<void> => {
  await rows.deleteOne({ _id: labelId })
}

type Places = Pick<ViewPlaces, 'places' | 'rowsIn'>

/** @param dropNow drops a collection that no place names */
const prepare = async (
  { places, rowsIn }: Places,
  view: ViewDefinition,
  dropNow: (collection: string) => Promise<void>,
): Promise<void> => {
  const key = viewKey(view)
  const place = await places.findOne({ _id: key })
  // A switch that broke off may have left the build's place, whose documents are the live ones by now. The live place stays.
  const shared =
    place &&
    view.build !== undefined &&
    (await places.findOne({ _id: { $ne: key }, collection: place.collection }))
  if (shared) await places.deleteOne({ _id: key, collection: place.collection })
  else if (place) {
    const rows = rowsIn(place.collection)
    await bringIndexes(view, rows)
    await putLabel(rows)
    // Another process may have switched the view meanwhile, and has taken the label away before.
    if (!(await places.findOne({ collection: place.collection }))) await removeLabel(rows)
    return
  }
  const collection = collectionName(key)
  await makeIndexes(view, rowsIn(collection))
  await putLabel(rowsIn(collection))
  // another process may have made the place a moment ago
  if (!(await wasFirst(places.insertOne({ _id: key, collection, position: null })))) await dropNow(collection)
}

/** Whether a collection was made for one of these views. */
const isOf = (views: readonly ViewDefinition[], collection: string): boolean =>
  views.some((view) => {
    const beginning = collectionName(viewKey(view), '')
    return collection.startsWith(beginning) && /^[0-9a-f]{8}$/.test(collection.slice(beginning.length))
  })

export const openViewPlaces = (mongo: Mongo, keptMs = keptForMs): ViewPlaces => {
  const { db, ask } = mongo
  const places = mongo.collection<ViewRecord>('views')
  const retired = new Map<string, NodeJS.Timeout>()
  // Not each on the disk before the next: the checkpoint that follows them is, and so is all that lies before it.
  const rowsIn = (collection: string): Rows =>
    db.collection(mongo.nameOf(collection), { writeConcern: { w: 'majority', journal: false } })

  const dropNow = async (collection: string): Promise<void> => {
    await db.dropCollection(mongo.nameOf(collection)).catch(unlessMissing)
  }

  const drop = async (collection: string): Promise<void> =>
    ask(async () => {
      if (await places.findOne({ collection })) return
      await dropNow(collection)
    }, longMs)

  const retire = (collection: string): void => {
    if (retired.has(collection)) return
    const timer = setTimeout(() => {
      retired.delete(collection)
      drop(collection).catch((thrown: unknown) =>
        mongo.log.warn(
          { err: thrown, collection },
          'A former view could not be dropped; the next start tries again',
        ),
      )
    }, keptMs)
    timer.unref()
    retired.set(collection, timer)
  }

  return {
    places,
    rowsIn,
    read: async (keys) => {
      const found = await ask(() => places.find({ _id: { $in: [...keys] } }).toArray())
      return new Map(found.map((place) => [place._id, place]))
    },
    prepare: (view) => ask(() => prepare({ places, rowsIn }, view, dropNow), longMs),
    removeLabel: (collection) => removeLabel(rowsIn(collection)),
    drop,
    retire,
    sweep: async (views) => {
      const [named, collections] = await ask(() =>
        Promise.all([places.find({}).toArray(), db.listCollections({}, { nameOnly: true }).toArray()]),
      )
      const inUse = new Set(named.map(({ collection }) => collection))
      const ours = mongo.nameOf('')
      for (const { name } of collections) {
        const collection = name.slice(ours.length)
        if (name.startsWith(ours) && isOf(views, collection) && !inUse.has(collection)) retire(collection)
      }
    },
    close: () => {
      for (const timer of retired.values()) clearTimeout(timer)
    },
  }
}
