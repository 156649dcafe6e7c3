import type { LoggedEvent } from '#application/kernel/codec.ts'
import { reasonOf } from '#application/kernel/reason.ts'
import {
  changesDocuments,
  type Documents,
  type ViewDefinition,
  type ViewPlace,
  type ViewWrite,
} from '#application/kernel/ports/documents.ts'
import type { Position, RecordedEvent } from '#application/kernel/ports/event-store.ts'
import {
  type Cell,
  type Cells,
  cellOf,
  cellsGathered,
  changeCell,
  keepCells,
  loadCells,
  matchingCells,
  readCell,
  refuseUnreadable,
} from './cells.ts'
import type { Projection, Read, Targets, ViewDocument } from './projection.ts'

/** An event on its way to the views: decoded once for all of them, or the reason why it cannot be. */
export interface Delivery {
  readonly recorded: RecordedEvent
  readonly event: LoggedEvent | null
  readonly failure: string | null
}

/** An event that a view could not take in; the view went on without it. */
export interface ParkedEvent extends ViewDocument {
  readonly view: string
  readonly type: string
  readonly stream: string
  readonly reason: string
}

/** Where the parked events of a view stand: beside it, dropped and switched with it. */
export const parkedView = (view: ViewDefinition): ViewDefinition => ({
  ...view,
  name: `parked-${view.name}`,
  indexes: [],
})

/** A pure function gives no better answer the third time; a lack of memory or stack may have passed by then. */
const tries = 3
const defaultKept = 2_000

interface Step {
  readonly event: LoggedEvent
  readonly targets: Targets
  readonly number: number
}

/** One view, what of it is in memory, and how far it has come. Each step below takes this. */
interface FoldState {
  readonly projection: Projection
  readonly handles: ReadonlySet<string>
  readonly numbers: ReadonlySet<string>
  readonly cells: Cells
  readonly read: Read<ViewDocument>
  /** not yet gathered to be stored */
  readonly parked: Map<string, ParkedEvent>
  /** the last event folded in; what is folded in is gathered to be stored, and stored some time later */
  foldedTo: Position | null
  gatheredTo: Position | null
  /** its checkpoint */
  storedTo: Position | null
  /** up to where what it has parked was gathered last */
  parkedTo: Position | null
  /** events numbered as far as they are folded in */
  numbered: number
  /** as of where the stored documents last changed */
  changedAt: string | null
}

const none: readonly never[] = []

/** Why a view cannot take an event in. */
class Failure {
  readonly reason: string
  constructor(thrown: unknown) {
    this.reason = reasonOf(thrown)
  }
}

const attempt = <Result>(run: () => Result): Result | Failure => {
  for (let n = 1; ; n += 1) {
    try {
      return run()
    } catch (thrown) {
      if (n === tries) return new Failure(thrown)
    }
  }
}

const park = (
  { parked, projection: { view } }: FoldState,
  { id, type, stream, position }: Pick<RecordedEvent, 'id' | 'type' | 'stream' | 'position'>,
  reason: string,
): void => {
  if (parked.has(id)) return
  parked.set(id, { id, view: view.name, type, stream, position, reason })
}

/** The documents an event changes. Those that must be loaded for it are added to `unknown`. */
const targetsOf = (
  { projection, cells: { byId, complete } }: FoldState,
  event: LoggedEvent,
  unknown: Set<string>,
  number: number,
): Targets => {
  const targets = projection.targets(event, number)
  if (complete) return targets
  for (const id of targets.ids ?? none) if (!byId.has(id)) unknown.add(id)
  for (const id of projection.reads?.(event, number) ?? none) if (!byId.has(id)) unknown.add(id)
  return targets
}

/** What is to be done for the events that are new to the view, and how many are numbered then. */
const plan = (
  at: FoldState,
  deliveries: readonly Delivery[],
  unknown: Set<string>,
): { readonly steps: readonly Step[]; readonly numbered: number } => {
  const { cells, handles, numbers, foldedTo } = at
  const steps: Step[] = []
  let numbered = at.numbered
  if (!cells.complete) for (const id of cells.shared) if (!cells.byId.has(id)) unknown.add(id)
  let reached: string = foldedTo ?? ''
  for (const { recorded, event, failure } of deliveries) {
    if (!handles.has(recorded.type)) continue
    // They come in order; one that comes again must not be numbered again.
    if (recorded.position <= reached) continue
    reached = recorded.position
    // One that is parked keeps its number: what comes after it stands where it stood.
    const number = numbered
    if (numbers.has(recorded.type)) numbered += 1
    if (event === null) {
      park(at, recorded, failure ?? 'The event cannot be read')
      continue
    }
    const targets = attempt(() => targetsOf(at, event, unknown, number))
    if (targets instanceof Failure) park(at, recorded, targets.reason)
    else steps.push({ event, targets, number })
  }
  return { steps, numbered }
}

/** A document as it is after an event. */
const after = (
  { projection, cells, read }: FoldState,
  { id, doc }: Cell,
  { event, number }: Step,
): ViewDocument | null => {
  refuseUnreadable(cells, id)
  return doc !== null && doc.position >= event.position ? doc : projection.apply(doc, event, id, read, number)
}

/** Changes the documents that an event is about. */
const fold = (at: FoldState, step: Step, others: readonly Cell[]): void => {
  const { cells } = at
  const { ids = none } = step.targets
  const [only, second] = ids
  if (only !== undefined && second === undefined && others.length === 0) {
    // Most events change one document; a replay feels every list that is made for them.
    const cell = cellOf(cells, only)
    changeCell(cells, cell, after(at, cell, step))
    return
  }
  const touched = ids.map((id) => cellOf(cells, id))
  if (others.length > 0) touched.push(...others)
  // All documents of an event change or none: first everything is computed, then it is taken over.
  const docs = touched.map((cell) => after(at, cell, step))
  touched.forEach((cell, n) => changeCell(cells, cell, docs[n] ?? null))
}

const foldIn = async (at: FoldState, deliveries: readonly Delivery[], upTo: Position): Promise<void> => {
  if (at.foldedTo !== null && upTo <= at.foldedTo) return
  const unknown = new Set<string>()
  const { steps, numbered } = plan(at, deliveries, unknown)
  if (unknown.size > 0) await loadCells(at.cells, unknown)
  for (const step of steps) {
    const where = step.targets.where ?? (step.targets.all ? {} : null)
    const others = where === null ? none : await matchingCells(at.cells, where)
    const folded = others instanceof Error ? new Failure(others) : attempt(() => fold(at, step, others))
    if (folded instanceof Failure) park(at, step.event, folded.reason)
  }
  at.foldedTo = upTo
  at.numbered = numbered
}

/** A document with its computed fields. */
const derived = (at: FoldState, doc: ViewDocument): ViewDocument => {
  if (at.cells.shared.has(doc.id)) return doc
  const whole = attempt(() => at.projection.derive?.(doc, at.read) ?? doc)
  if (!(whole instanceof Failure)) return whole
  // The document is right but for its computed fields, which stay as they were.
  // The stamp was a position before it became a field of the document.
  const position = doc.position as Position
  park(at, { id: `derive-${doc.id}`, type: 'derive', stream: doc.id, position }, whole.reason)
  return doc
}

/** Documents were stored that the checkpoint does not know of: a writing broke off between the two. */
const isResumed = ({ gatheredTo, cells: { furthest } }: FoldState): boolean =>
  furthest !== null && furthest > (gatheredTo ?? '')

/** What a view has folded in since it was gathered last. */
interface ViewGathered {
  /** empty when nothing moved */
  readonly writes: readonly ViewWrite[]
  /** whether documents changed */
  readonly isChanged: boolean
  /** events that could not be taken in, to be stored as parked */
  readonly parked: readonly ParkedEvent[]
  /** of the stored documents that were looked at for it: how far the furthest says it is */
  readonly furthest: Position | null
  /** Marks the writes as stored. */
  readonly stored: () => void
}

const nothing: ViewGathered = {
  writes: [],
  isChanged: false,
  parked: [],
  furthest: null,
  stored: () => undefined,
}

const gather = (at: FoldState, keep: number): ViewGathered => {
  const { foldedTo: to, gatheredTo: from, cells } = at
  if (to === null || to === from) return nothing
  const { view, furthest, changed } = cells
  const put: ViewDocument[] = []
  const remove: string[] = []
  for (const cell of changed) {
    if (cell.doc === null) remove.push(cell.id)
    else {
      cell.doc = derived(at, cell.doc)
      put.push(cell.doc)
    }
  }
  const numbered = at.numbers.size > 0 ? { numbered: at.numbered } : {}
  const documents = { view, put, remove, from, to, resumed: isResumed(at), ...numbered }
  const parked = [...at.parked.values()]
  const writes: ViewWrite[] = [documents]
  if (parked.length > 0) {
    writes.push({ view: parkedView(view), put: parked, remove: [], from: at.parkedTo, to })
    at.parkedTo = to
  }
  at.parked.clear()
  at.gatheredTo = to
  cellsGathered(cells, keep)
  const stored = (): void => {
    at.storedTo = to
    if (from === null || changesDocuments(documents)) at.changedAt = to
  }
  return { writes, isChanged: changed.length > 0, parked, furthest, stored }
}

/** One view while events are folded into it: its documents in memory, and what is still to be written. */
export interface ViewFold {
  readonly projection: Projection
  readonly handles: (type: string) => boolean
  /** the last event folded in, written or not */
  readonly position: () => Position | null
  /** the last event whose changes are stored: its stored checkpoint */
  readonly checkpoint: () => Position | null
  /** as of where its stored documents last changed */
  readonly changedAt: () => string | null
  /** documents changed and not yet gathered */
  readonly changedCount: () => number
  /**
   * Folds a batch in. May be called again with the same events after it threw: what was folded in before is
   * passed over.
   * @param upTo position of the last event of the batch, whether any view handles it or not
   * @throws what the documents throw when they cannot be read
   */
  readonly foldIn: (deliveries: readonly Delivery[], upTo: Position) => Promise<void>
  /** What must be stored to reach `position`. Events may be folded in meanwhile; what was gathered before is stored. */
  readonly gather: () => ViewGathered
  /** Lets go of the documents that only a replay keeps in memory. */
  readonly letGo: () => void
}

/**
 * Begins to fold into a view from its stored checkpoint on.
 * @param place of the view; null at first: nothing is projected yet, so nothing stored is looked for
 * @param parkedCheckpoint of its parked events
 * @param numbered how many events the view has numbered up to its checkpoint
 */
export const foldView = (
  projection: Projection,
  documents: Documents,
  { position: checkpoint, changedAt }: ViewPlace,
  parkedCheckpoint: Position | null,
  numbered: number,
): ViewFold => {
  const { view } = projection
  const cells: Cells = {
    view,
    documents,
    shared: new Set(projection.shared),
    byId: new Map(),
    unreadable: new Set(),
    complete: checkpoint === null,
    changed: [],
    furthest: null,
  }
  const at: FoldState = {
    projection,
    handles: new Set(projection.handles),
    numbers: new Set(projection.numbers),
    cells,
    read: (id) => readCell(cells, id),
    parked: new Map(),
    foldedTo: checkpoint,
    gatheredTo: checkpoint,
    storedTo: checkpoint,
    parkedTo: parkedCheckpoint,
    numbered,
    changedAt,
  }
  return {
    projection,
    handles: (type) => at.handles.has(type),
    position: () => at.foldedTo,
    checkpoint: () => at.storedTo,
    changedAt: () => at.changedAt,
    changedCount: () => cells.changed.length,
    foldIn: (deliveries, upTo) => foldIn(at, deliveries, upTo),
    gather: () => gather(at, projection.keep ?? defaultKept),
    letGo: () => keepCells(cells, projection.keep ?? defaultKept),
  }
}
