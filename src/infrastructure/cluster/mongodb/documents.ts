import DataLoader from 'dataloader'
import type { Collection } from 'mongodb'
import {
  CheckpointMoved,
  type Document,
  type DocumentQuery,
  type Documents,
  type StoredDocument,
  type ViewDefinition,
  type ViewPlace,
  type ViewSwitch,
  type ViewWrite,
  changesDocuments,
  liveView,
  allReadable,
} from '#application/kernel/ports/documents.ts'
import { further, type Position } from '#application/kernel/ports/event-store.ts'
import { type DocumentRow, filterOf, findOf } from './document-query.ts'
import { documentOf, rowsOf, writeRows } from './document-rows.ts'
import { longMs, type Mongo } from './mongo.ts'
import { openServedViews } from './served-views.ts'
import { changedAtOf, labelId, type ViewPlaces, type ViewRecord, openViewPlaces } from './view-places.ts'
import { viewKey } from '../../view-key.ts'

/** Ids asked for in one query. */
const askedAtOnce = 10_000
/** Documents of one answer of the server; the driver's own hundred makes many ways of a long list. */
const page = 1_000

const storedIn = <D extends Document>(rows: readonly DocumentRow[]): readonly StoredDocument<D>[] =>
  rows.filter(({ gone }) => gone !== true).map((row) => documentOf<D>(row))

/** A batch of a view with where that stands now. */
type PlacedWrite = ViewWrite & { readonly place: ViewRecord }

/** None for the very same batch once more. @throws {CheckpointMoved} */
const stillToWrite = (write: ViewWrite, place: ViewRecord | undefined): readonly PlacedWrite[] => {
  const stored = place?.position ?? null
  if (stored !== write.from) {
    if (stored === write.to) return []
    throw new CheckpointMoved(write.view.name)
  }
  if (!place) throw new TypeError(`${write.view.name} was never prepared`)
  return [{ ...write, place }]
}

/** Where a view stands once the batch is written. */
const recordAfter = (write: PlacedWrite): ViewRecord => {
  const { place, from, to, numbered = place.numbered } = write
  const changedAt = from === null || changesDocuments(write) ? to : changedAtOf(place)
  return {
    ...place,
    position: to,
    changedAt,
    changedAsOf: to,
    ...(numbered === undefined ? {} : { numbered }),
  }
}

/** Where views stand as of now, and the collection each named last. */
const placesIn = (views: ViewPlaces) => {
  const known = new Map<string, string>()

  const now = async (keys: readonly string[]): Promise<ReadonlyMap<string, ViewRecord>> => {
    const found = await views.read(keys)
    for (const key of keys) {
      const place = found.get(key)
      if (place) known.set(key, place.collection)
      else known.delete(key)
    }
    return found
  }

  /** Those who ask in the same moment share one question. */
  const loader = new DataLoader(
    async (keys: readonly string[]) => {
      const found = await now([...new Set(keys)])
      return keys.map((key) => found.get(key) ?? null)
    },
    { cache: false },
  )

  return {
    known,
    now,
    /** What is told of each view, in the order asked. */
    each: async <T>(asked: readonly ViewDefinition[], tell: (place: ViewRecord | undefined) => T) => {
      const keys = asked.map(viewKey)
      const found = await now(keys)
      return keys.map((key) => tell(found.get(key)))
    },
    /** The collection of a view as of now. */
    collection: async (key: string): Promise<string | null> => (await loader.load(key))?.collection ?? null,
  }
}
type Places = ReturnType<typeof placesIn>

/**
 * Every read asks at the same time whether what it reads is the view's still, and reads again where it is not: after a
 * switch nobody is answered from the former documents, however many processes there are. A query asks for the view's
 * place; documents by their ids are read together with their collection's label.
 */
const readsIn = ({ ask }: Mongo, { rowsIn }: ViewPlaces, places: Places) => {
  const reading = async <Result>(
    view: ViewDefinition,
    none: Result,
    read: (rows: Collection<DocumentRow>) => Promise<Result>,
  ): Promise<Result> => {
    const key = viewKey(view)
    let guess = places.known.get(key) ?? (await places.collection(key))
    while (guess !== null) {
      const rows = rowsIn(guess)
      const [answer, now] = await Promise.allSettled([ask(() => read(rows)), places.collection(key)])
      if (now.status === 'rejected') throw now.reason
      if (now.value === guess) {
        if (answer.status === 'rejected') throw answer.reason
        return answer.value
      }
      guess = now.value
    }
    return none
  }

  /** Documents by their ids; of those that were removed what is left of them. */
  const rowsById = async (view: ViewDefinition, ids: readonly string[]): Promise<readonly DocumentRow[]> => {
    const find = (rows: Collection<DocumentRow>): Promise<DocumentRow[]> =>
      rows.find({ _id: { $in: [labelId, ...ids] } }, { batchSize: page }).toArray()
    const guess = places.known.get(viewKey(view))
    const found = guess === undefined ? [] : await ask(() => find(rowsIn(guess)))
    return found.some(({ _id }) => _id === labelId) ? found : reading(view, [], find)
  }

  /** Commands that one batch of the projector answers ask for their documents in the same moment. */
  const loaders = new Map<string, DataLoader<string, StoredDocument | null>>()
  const loaderOf = (view: ViewDefinition): DataLoader<string, StoredDocument | null> => {
    const key = viewKey(view)
    const loader =
      loaders.get(key) ??
      new DataLoader(
        async (ids: readonly string[]) => {
          const found = storedIn(await rowsById(view, [...new Set(ids)]))
          const byId = new Map(found.map((each) => [each.id, each]))
          return ids.map((id) => byId.get(id) ?? null)
        },
        { cache: false, maxBatchSize: askedAtOnce },
      )
    loaders.set(key, loader)
    return loader
  }

  return {
    reading,
    /** @throws {UnreadableDocuments} for those alone that were asked for here */
    getMany: async <D extends Document>(
      view: ViewDefinition,
      ids: readonly string[],
    ): Promise<readonly D[]> => {
      const loader = loaderOf(view)
      const found = await Promise.all([...new Set(ids)].map((id) => loader.load(id)))
      // As the view's own projection wrote them.
      return allReadable(view, found.filter((each) => each !== null) as StoredDocument<D>[])
    },
    findStored: async <D extends Document>(
      view: ViewDefinition,
      query: DocumentQuery,
    ): Promise<readonly StoredDocument<D>[]> => {
      const { filter, sort } = findOf(query)
      if (query.limit === 0) return []
      return reading(view, [], async (rows) => {
        const found = rows.find(filter, { projection: { doc: 1, lists: 1 }, batchSize: page }).sort(sort)
        return storedIn<D>(await (query.limit === undefined ? found : found.limit(query.limit)).toArray())
      })
    },
    forget: (key: string) => loaders.delete(key),
  }
}

/** Batches: first the documents, each guarded by the position it is up to, then the checkpoints. */
const writesIn = ({ rowsIn, places: records }: ViewPlaces, places: Places) => {
  /** the places as this process wrote them last, for its next batch */
  const written = new Map<string, ViewRecord>()

  /** Moves the checkpoints of what was written. @throws {CheckpointMoved} */
  const moveCheckpoints = async (writes: readonly PlacedWrite[]): Promise<void> => {
    const moved = writes.map(recordAfter)
    const moves = moved.map(({ _id, collection, ...to }, n) => ({
      filter: { _id, collection, position: writes[n]?.from ?? null },
      update: { $set: to },
    }))
    const [only, second] = moves
    // The driver takes twice as long for a bulk, and of a command it is always one.
    const { matchedCount } =
      only !== undefined && second === undefined
        ? await records.updateOne(only.filter, only.update)
        : await records.bulkWrite(
            moves.map((updateOne) => ({ updateOne })),
            { ordered: false },
          )
    if (matchedCount === writes.length) {
      for (const place of moved) written.set(place._id, place)
      return
    }
    const now = await places.now(writes.map(({ place }) => place._id))
    for (const { view, place, to } of writes) {
      const stands = now.get(place._id)
      if (stands?.position !== to || stands.collection !== place.collection)
        throw new CheckpointMoved(view.name)
    }
  }

  return {
    forget: (key: string) => written.delete(key),
    write: async (
      writes: readonly ViewWrite[],
      onLeft: (furthest: Position) => Promise<void> = async () => undefined,
    ): Promise<void> => {
      const keys = writes.map(({ view }) => viewKey(view))
      // Of a runner that goes on from its own last batch it is the checkpoint's move that finds out about another one:
      // until then that one's documents are guarded by their positions.
      const isNext = writes.every(
        ({ from }, n) => from !== null && written.get(keys[n] ?? '')?.position === from,
      )
      const now = isNext ? new Map(written) : await places.now(keys)
      // Forgotten until it is known how this one ends.
      for (const key of keys) written.delete(key)
      const todo = writes.flatMap((each) => stillToWrite(each, now.get(viewKey(each.view))))
      if (todo.length === 0) return
      // All are waited for, so that nothing is still under way when the batch is sent again.
      const ends = await Promise.allSettled(
        todo.map((each) => writeRows(rowsIn(each.place.collection), rowsOf(each), each.from === null)),
      )
      let left: Position | null = null
      for (const end of ends) {
        if (end.status === 'rejected') throw end.reason
        left = further(left, end.value)
      }
      if (left !== null) await onLeft(left)
      await moveCheckpoints(todo)
    },
  }
}

/**
 * Read models in MongoDB: a collection for each version and build of a view, named by its place together with
 * the checkpoint (view-places.ts). A batch that broke off is sent again and changes nothing twice, and a runner that
 * lost its lease without knowing can set nothing back.
 */
export const openDocuments = (mongo: Mongo, keptMs?: number): Documents => {
  const { ask } = mongo
  const views = openViewPlaces(mongo, keptMs)
  const places = placesIn(views)
  const reads = readsIn(mongo, views, places)
  const writes = writesIn(views, places)
  const { getMany, findStored } = reads

  const switchOne = async ({ built, from, changedAt }: ViewSwitch): Promise<void> => {
    if (built.build === undefined) throw new TypeError(`${built.name} is no view built beside another`)
    const [key, liveKey] = [viewKey(built), viewKey(liveView(built))]
    for (const each of [key, liveKey]) writes.forget(each)
    const now = await places.now([key, liveKey])
    const [place, live] = [now.get(key), now.get(liveKey)]
    if (!place) throw new TypeError(`${built.name} was never built as ${built.build}`)
    const { collection, position, numbered = 0 } = place
    // else an earlier try switched, and only did not come to the end
    if (live?.collection !== collection) {
      if (!live || live.position !== from) throw new CheckpointMoved(built.name)
      await views.removeLabel(live.collection)
      const { matchedCount } = await views.places.updateOne(
        { _id: liveKey, collection: live.collection, position: from },
        {
          $set: {
            collection,
            position,
            numbered,
            changedAt: changedAt ?? changedAtOf(place),
            changedAsOf: position,
          },
        },
      )
      if (matchedCount === 0) throw new CheckpointMoved(built.name)
      places.known.set(liveKey, collection)
      // A process that has just started may have put it back.
      await views.removeLabel(live.collection)
      views.retire(live.collection)
    }
    await views.places.deleteOne({ _id: key, collection })
    places.known.delete(key)
  }

  const drop = async (key: string): Promise<void> => {
    const place = await views.places.findOneAndDelete({ _id: key })
    places.known.delete(key)
    writes.forget(key)
    reads.forget(key)
    if (place) await views.drop(place.collection)
  }

  return {
    prepare: async (wanted) => {
      const each = new Map(wanted.map((view) => [viewKey(view), view]))
      await Promise.all([...each.values()].map((view) => views.prepare(view)))
      await views.sweep([...each.values()])
    },
    places: (wanted) =>
      places.each(
        wanted,
        (place): ViewPlace => ({
          position: place?.position ?? null,
          changedAt: place ? changedAtOf(place) : null,
        }),
      ),
    serve: openServedViews(mongo).serve,
    checkpoints: (wanted) => places.each(wanted, (place) => place?.position ?? null),
    numbered: (wanted) =>
      places.each(wanted, (place) => ({
        checkpoint: place?.position ?? null,
        numbered: place?.numbered ?? 0,
      })),
    get: async <D extends Document>(view: ViewDefinition, id: string) =>
      (await getMany<D>(view, [id]))[0] ?? null,
    getMany,
    find: async <D extends Document>(view: ViewDefinition, query: DocumentQuery) =>
      allReadable(view, await findStored<D>(view, query)),
    findStored,
    count: async (view, where) => {
      const filter = filterOf(where)
      return reads.reading(view, 0, (rows) => rows.countDocuments(filter))
    },
    write: async (batches, onLeft) => ask(() => writes.write(batches, onLeft), longMs),
    switchTo: async (switches) =>
      // Some answers for each view, one after the other. Given up sooner, it would go on behind who was told that it failed.
      ask(async () => {
        for (const each of switches) await switchOne(each)
      }, longMs),
    drop: async (view) => ask(() => drop(viewKey(view)), longMs),
    dropAll: async () =>
      ask(async () => {
        for (const { _id } of await views.places.find({}).toArray()) await drop(_id)
      }, longMs),
    close: async () => views.close(),
  }
}
