import type { JsonObject, Position } from './event-store.ts'

/** One document of a read model. */
export interface Document extends JsonObject {
  readonly id: string
}

export type Scalar = string | number | boolean | null

/** A read model as the engine must know it. `name` and `version` together name its stored place. */
export interface ViewDefinition {
  readonly name: string
  /** raised when the meaning or shape of its documents changes: the next start builds it anew */
  readonly version: number
  /** one list of top-level fields per query shape; the engine adds `id` at the end of each */
  readonly indexes: readonly (readonly string[])[]
  /**
   * Names a place of its own for the same view, with its own checkpoint: built beside the live one, compared
   * with it, then switched to or dropped. Lower-case letters and digits; absent: the live view.
   */
  readonly build?: string
}

/** The live view of the one that is built beside it. */
export const liveView = ({ build: _, ...live }: ViewDefinition): ViewDefinition => live

export interface ViewPlace {
  /** the last event it shows; null: nothing was projected yet */
  readonly position: Position | null
  /** as of where its documents last changed: as long as this stays they do; null before the first batch */
  readonly changedAt: string | null
}

/** Lets what was built beside a view take its place. */
export interface ViewSwitch {
  /** with its `build` */
  readonly built: ViewDefinition
  /** the live view's checkpoint as the runner knows it; another one stored means another runner is at work */
  readonly from: Position | null
  /** what its place tells as `changedAt` from then on; what the built one's does unless given */
  readonly changedAt?: string | null
}

/**
 * Which documents, in which order. Fields are top-level. `id` is always the last sort key and runs in the
 * direction of the key before it, so that one index serves both directions. Null and absent are the same and
 * come first.
 */
export interface DocumentQuery {
  readonly where?: { readonly [field: string]: Scalar | { readonly in: readonly Scalar[] } }
  readonly order?: readonly { readonly field: string; readonly descending?: boolean }[]
  /** keyset paging: the values of the order fields, then the id, of the last document already seen */
  readonly after?: readonly Scalar[]
  readonly limit?: number
}

/** How often a process says which views are read in it, in ms; it is counted on for four times as long. */
export const servedSaidMs = 2_000
export const servedForMs = 4 * servedSaidMs

/** How far a view has numbered its events. */
export interface Numbered {
  readonly checkpoint: Position | null
  /** 0 where none was told */
  readonly numbered: number
}

/** What is known of who reads views, as of the moment in which it was said of some. */
export interface Served {
  /** the other versions of these views that are read somewhere, as during an update; on embedded engines there are none */
  readonly others: readonly ViewDefinition[]
  /** This process had not said it before, or not for so long that who wrote meanwhile may not have waited for these. */
  readonly isAnew: boolean
}

/** What one batch of events changes in one view. Moved on together with its checkpoint. */
export interface ViewWrite {
  readonly view: ViewDefinition
  /** whole documents in their newest state */
  readonly put: readonly Document[]
  readonly remove: readonly string[]
  /** the checkpoint the runner started from; another one stored means another runner is at work */
  readonly from: Position | null
  /** position of the last event of the batch, also when it changed nothing here */
  readonly to: Position
  /** how many events the view has numbered up to `to`; moved on together with the checkpoint */
  readonly numbered?: number
  /** some of its documents were stored before, by a batch that broke off */
  readonly resumed?: boolean
}

/** Whether documents of a view are others after a batch. */
export const changesDocuments = ({ put, remove, resumed = false }: ViewWrite): boolean =>
  resumed || put.length + remove.length > 0

/** The stored checkpoint is not the one this runner wrote last: another runner projects. Stop. */
export class CheckpointMoved extends Error {
  override readonly name = 'CheckpointMoved'
  readonly view: string

  constructor(view: string) {
    super(`The checkpoint of ${view} was moved by another projector`)
    this.view = view
  }
}

/** Stored documents are not what they should be: no JSON, or another document. The message is for people. */
export class UnreadableDocuments extends Error {
  override readonly name = 'UnreadableDocuments'
  readonly view: string
  readonly ids: readonly string[]

  constructor(view: string, ids: readonly string[]) {
    super(
      `${ids.length === 1 ? 'A document' : `${ids.length} documents`} of ${view} cannot be read (${ids.slice(0, 5).join(', ')}): ` +
        `"atelier projections rebuild ${view}" makes them anew`,
    )
    this.view = view
    this.ids = ids
  }
}

/** A stored document; null where what is stored under the id cannot be read. */
export interface StoredDocument<D extends Document = Document> {
  readonly id: string
  readonly document: D | null
}

/** The documents of all of them. @throws {UnreadableDocuments} when one cannot be read */
export const allReadable = <D extends Document>(
  view: ViewDefinition,
  stored: readonly StoredDocument<D>[],
): readonly D[] => {
  const bad = stored.filter(({ document }) => document === null)
  if (bad.length > 0)
    throw new UnreadableDocuments(
      view.name,
      bad.map(({ id }) => id),
    )
  return stored.flatMap(({ document }) => document ?? [])
}

/** What was stored under an id, when it is a document of that id. */
export const asStored = <D extends Document>(id: string, value: unknown): StoredDocument<D> => {
  const fits = typeof value === 'object' && value !== null && 'id' in value && value.id === id
  // As the view's own projection wrote it.
  return { id, document: fits ? (value as D) : null }
}

/**
 * Read models. `get`, `getMany` and `find` throw {@link UnreadableDocuments} where one of them cannot be read.
 * On SQLite documents and checkpoint move in one transaction; where an engine has none, each
 * document is guarded by its position and the checkpoint follows the documents.
 * Of a view that was never made, reading finds nothing.
 */
export interface Documents {
  /** Makes a place with its indexes for each view; does nothing for those that have one. */
  readonly prepare: (views: readonly ViewDefinition[]) => Promise<void>
  /** Where the views stand and where each last changed, in the order asked, read fresh. */
  readonly places: (views: readonly ViewDefinition[]) => Promise<readonly ViewPlace[]>
  /** Says that these views are read here. To be said again every {@link servedSaidMs}. */
  readonly serve: (views: readonly ViewDefinition[]) => Promise<Served>
  /** The stored checkpoints alone. */
  readonly checkpoints: (views: readonly ViewDefinition[]) => Promise<readonly (Position | null)[]>
  /** How many events each has numbered up to its checkpoint, with that as of the same moment, in the order asked. */
  readonly numbered: (views: readonly ViewDefinition[]) => Promise<readonly Numbered[]>
  readonly get: <D extends Document>(view: ViewDefinition, id: string) => Promise<D | null>
  /** Documents in no promised order; ids without one are left out. */
  readonly getMany: <D extends Document>(
    view: ViewDefinition,
    ids: readonly string[],
  ) => Promise<readonly D[]>
  readonly find: <D extends Document>(view: ViewDefinition, query: DocumentQuery) => Promise<readonly D[]>
  /** The same, and those that cannot be read are told by their ids. */
  readonly findStored: <D extends Document>(
    view: ViewDefinition,
    query: DocumentQuery,
  ) => Promise<readonly StoredDocument<D>[]>
  readonly count: (view: ViewDefinition, where: NonNullable<DocumentQuery['where']>) => Promise<number>
  /**
   * Writes all, with the checkpoints. Sent twice it changes nothing. `changedAt` of a place becomes `to` with its first
   * batch, and with each that changes documents.
   * @param onLeft told before the checkpoints move how far the furthest document says it is that was left alone because
   * it is further than the batch, as another runner may have made it; its error keeps them where they are
   * @throws {CheckpointMoved} when another runner has moved a checkpoint; nothing of that view is written
   */
  readonly write: (
    writes: readonly ViewWrite[],
    onLeft?: (furthest: Position) => Promise<void>,
  ) => Promise<void>
  /**
   * Makes what was built the live view, documents and checkpoint at once: a reader sees all of the one or all
   * of the other. The former live documents are gone soon after; the place of the build is free again.
   * @throws {CheckpointMoved} when another runner has moved a live checkpoint; that view is not switched
   * @throws TypeError for a view without `build`, and for one that was never prepared
   */
  readonly switchTo: (switches: readonly ViewSwitch[]) => Promise<void>
  /** Forgets a view's documents and checkpoint. */
  readonly drop: (view: ViewDefinition) => Promise<void>
  /** The same of all views that there are, also those of other versions of the program. */
  readonly dropAll: () => Promise<void>
  readonly close: () => Promise<void>
}
