import {
  type Document,
  type DocumentQuery,
  type Documents,
  type Scalar,
  type ViewDefinition,
  type ViewWrite,
  changesDocuments,
  CheckpointMoved,
  liveView,
} from '../kernel/ports/documents.ts'
import type { Position } from '../kernel/ports/event-store.ts'

export interface MemoryDocuments extends Documents {
  /** Every document of a view, by id. */
  readonly all: (view: ViewDefinition) => Map<string, Document>
  /** How many times `write` was called. */
  readonly writeCount: () => number
  /** Called before the documents of a write are stored, and between them and the checkpoints. */
  fault: ((seam: 'before' | 'between') => void) | null
}

interface KeptView {
  readonly docs: Map<string, Document>
  checkpoint: Position | null
  changedAt: string | null
  numbered: number
}

const order = (a: Scalar, b: Scalar): number => {
  if (a === b) return 0
  if (a === null) return -1
  if (b === null) return 1
  return a < b ? -1 : 1
}

/** Read models in memory for tests; stores what an engine would: JSON, and nothing that is not JSON. */
export const memoryDocuments = (): MemoryDocuments => {
  const places = new Map<string, KeptView>()
  let writes = 0
  const keyOf = ({ name, version, build = '' }: ViewDefinition): string => `${name}@${version}~${build}`
  const keptOf = (view: ViewDefinition): KeptView => {
    const key = keyOf(view)
    const place = places.get(key) ?? {
      docs: new Map<string, Document>(),
      checkpoint: null,
      changedAt: null,
      numbered: 0,
    }
    places.set(key, place)
    return place
  }
  // A copy through JSON, as every engine makes: nobody shares an object with the store.
  const copy = <D extends Document>(doc: Document): D => JSON.parse(JSON.stringify(doc)) as D
  const field = (doc: Document, name: string): Scalar => (doc[name] ?? null) as Scalar

  const found = (
    view: ViewDefinition,
    { where = {}, order: by = [], after, limit }: DocumentQuery,
  ): Document[] => {
    // As in the engines, `id` runs in the direction of the key before it.
    const fields = [...by, { field: 'id', descending: by.at(-1)?.descending ?? false }]
    const compare = (a: readonly Scalar[], b: readonly Scalar[]): number => {
      for (const [n, { descending }] of fields.entries()) {
        const which = order(a[n] ?? null, b[n] ?? null)
        if (which !== 0) return descending ? -which : which
      }
      return 0
    }
    const key = (doc: Document): Scalar[] => fields.map((each) => field(doc, each.field))
    return [...keptOf(view).docs.values()]
      .filter((doc) =>
        Object.entries(where).every(([name, value]) =>
          typeof value === 'object' && value !== null
            ? value.in.includes(field(doc, name))
            : field(doc, name) === value,
        ),
      )
      .sort((a, b) => compare(key(a), key(b)))
      .filter((doc) => !after || compare(key(doc), after) > 0)
      .slice(0, limit)
  }

  const store = (write: ViewWrite): void => {
    const { docs } = keptOf(write.view)
    for (const doc of write.put) docs.set(doc.id, copy(doc))
    for (const id of write.remove) docs.delete(id)
  }

  const memory: MemoryDocuments = {
    fault: null,
    all: (view) => keptOf(view).docs,
    writeCount: () => writes,
    prepare: async (views) => {
      for (const view of views) keptOf(view)
    },
    places: async (views) =>
      views.map(keptOf).map(({ checkpoint: position, changedAt }) => ({ position, changedAt })),
    serve: async () => ({ others: [], isAnew: false }),
    checkpoints: async (views) => views.map((view) => keptOf(view).checkpoint),
    numbered: async (views) =>
      views.map(keptOf).map(({ checkpoint, numbered }) => ({ checkpoint, numbered })),
    get: async <D extends Document>(view: ViewDefinition, id: string) => {
      const doc = keptOf(view).docs.get(id)
      return doc ? copy<D>(doc) : null
    },
    getMany: async <D extends Document>(view: ViewDefinition, ids: readonly string[]) =>
      [...new Set(ids)].flatMap((id) => {
        const doc = keptOf(view).docs.get(id)
        return doc ? [copy<D>(doc)] : []
      }),
    find: async <D extends Document>(view: ViewDefinition, query: DocumentQuery) =>
      found(view, query).map((doc) => copy<D>(doc)),
    findStored: async <D extends Document>(view: ViewDefinition, query: DocumentQuery) =>
      found(view, query).map((doc) => ({ id: doc.id, document: copy<D>(doc) })),
    count: async (view, where) => found(view, { where }).length,
    write: async (all) => {
      writes += 1
      memory.fault?.('before')
      for (const { view, from, to } of all) {
        const { checkpoint } = keptOf(view)
        if (checkpoint !== from && checkpoint !== to) throw new CheckpointMoved(view.name)
      }
      for (const write of all) store(write)
      memory.fault?.('between')
      for (const write of all) {
        const place = keptOf(write.view)
        if (place.checkpoint === null || changesDocuments(write)) place.changedAt = write.to
        place.checkpoint = write.to
        place.numbered = write.numbered ?? place.numbered
      }
    },
    switchTo: async (switches) => {
      for (const { built, from, changedAt } of switches) {
        const [live, place] = [liveView(built), places.get(keyOf(built))]
        if (built.build === undefined || !place)
          throw new TypeError(`${built.name} was not built beside another`)
        if (keptOf(live).checkpoint !== from) throw new CheckpointMoved(live.name)
        places.set(keyOf(live), { ...place, changedAt: changedAt ?? place.changedAt })
        places.delete(keyOf(built))
      }
    },
    drop: async (view) => {
      places.delete(keyOf(view))
    },
    dropAll: async () => places.clear(),
    close: async () => undefined,
  }
  return memory
}
