import { reasonOf } from '#application/kernel/reason.ts'
import { UnreadableDocuments } from '#application/kernel/ports/documents.ts'
import type { Documents, ViewDefinition, ViewWrite } from '#application/kernel/ports/documents.ts'
import type { Position, RecordedEvent } from '#application/kernel/ports/event-store.ts'
import type { ProjectedEvent, Projection, Targets, ViewDocument, Where } from './projection.ts'

/** An event on its way to the views: decoded once for all of them, or the reason why it cannot be. */
export interface Delivery {
  readonly recorded: RecordedEvent
  readonly event: ProjectedEvent | null
  readonly failure: string | null
}

/** An event that a view could not take in; the view went on without it. */
export interface ParkedEvent extends ViewDocument {
  readonly view: string
  readonly viewVersion: number
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
const keptUnlessTold = 2_000

/** A document in memory, or the knowledge that there is none. */
interface Cell {
  readonly id: string
  doc: ViewDocument | null
  /** not stored yet */
  changed: boolean
}
type Step = { readonly event: ProjectedEvent; readonly targets: Targets }

const none: readonly never[] = []

const matches = (doc: ViewDocument, where: Where): boolean =>
  Object.entries(where).every(([field, value]) => (doc[field] ?? null) === value)

/** Why a view cannot take an event in. */
class Failure {
  readonly reason: string
  constructor(thrown: unknown) {
    this.reason = reasonOf(thrown)
  }
}

// Takes the arguments apart from the function: a closure for each of a million events would be felt.
const attempt = <A, B, Result>(run: (a: A, b: B) => Result, a: A, b: B): Result | Failure => {
  for (let n = 1; ; n += 1) {
    try {
      return run(a, b)
    } catch (thrown) {
      if (n === tries) return new Failure(thrown)
    }
  }
}

/** One view while events are folded into it: its documents in memory, and what is still to be written. */
export interface ViewFold {
  readonly projection: Projection
  readonly handles: (type: string) => boolean
  /** the last event folded in, written or not */
  readonly position: () => Position | null
  /** the last event whose changes are stored */
  readonly writtenTo: () => Position | null
  /** documents changed and not yet written */
  readonly changed: () => number
  /** of the stored documents that were looked at since the last `stored`: how far the furthest says it is */
  readonly furthest: () => Position | null
  /** events that could not be taken in, still to be stored as parked */
  readonly parked: () => readonly ParkedEvent[]
  /**
   * Folds a batch in. May be called again with the same events after it threw: what was folded in before is
   * passed over.
   * @param upTo position of the last event of the batch, whether any view handles it or not
   * @throws what the documents throw when they cannot be read
   */
  readonly take: (deliveries: readonly Delivery[], upTo: Position) => Promise<void>
  /** What must be stored to reach `position`; empty when nothing moved. */
  readonly writes: () => readonly ViewWrite[]
  /** Marks the last `writes` as stored. */
  readonly stored: () => void
}

/**
 * Begins to fold into a view from its stored checkpoint on.
 * @param checkpoint of the view; null: nothing is projected yet, so nothing stored is looked for
 * @param parkedCheckpoint of its parked events
 */
export const foldView = (
  projection: Projection,
  documents: Documents,
  checkpoint: Position | null,
  parkedCheckpoint: Position | null,
): ViewFold => {
  const { view } = projection
  const handles: ReadonlySet<string> = new Set(projection.handles)
  const shared: ReadonlySet<string> = new Set(projection.shared)
  const keep = projection.keep ?? keptUnlessTold
  const cells = new Map<string, Cell>()
  let changed: Cell[] = []
  /** ids under which something is stored that cannot be read: what concerns them is parked */
  const unreadable = new Set<string>()
  const parked = new Map<string, ParkedEvent>()
  let parkedPosition = parkedCheckpoint
  let furthest: Position | null = null
  let from = checkpoint
  let position = checkpoint
  /** `cells` holds every document of the view, so that the engine need not be asked */
  let complete = checkpoint === null

  const park = (event: Pick<RecordedEvent, 'id' | 'type' | 'stream' | 'position'>, reason: string): void => {
    if (parked.has(event.id)) return
    parked.set(event.id, {
      id: event.id,
      view: view.name,
      viewVersion: view.version,
      type: event.type,
      stream: event.stream,
      position: event.position,
      reason,
    })
  }

  const refuseUnreadable = (id: string): void => {
    if (unreadable.size > 0 && unreadable.has(id)) throw new UnreadableDocuments(view.name, [id])
  }

  const read = (id: string): ViewDocument | null => {
    refuseUnreadable(id)
    const cell = cells.get(id)
    if (cell === undefined && !complete)
      throw new Error(`${view.name} looks at ${id} without naming it in reads or shared`)
    return cell?.doc ?? null
  }

  const keepCell = (id: string, doc: ViewDocument | null): Cell => {
    const cell = { id, doc, changed: false }
    cells.set(id, cell)
    return cell
  }

  /** One that cannot be read keeps its own events back, and nobody else's. */
  const readMany = async (ids: readonly string[]): Promise<readonly ViewDocument[]> => {
    try {
      return await documents.getMany<ViewDocument>(view, ids)
    } catch (thrown) {
      if (!(thrown instanceof UnreadableDocuments)) throw thrown
      const bad = new Set(thrown.ids)
      for (const id of bad) unreadable.add(id)
      return documents.getMany<ViewDocument>(
        view,
        ids.filter((id) => !bad.has(id)),
      )
    }
  }

  const note = ({ position: at }: ViewDocument): void => {
    // The stamp was a position before it became a field of the document.
    if (furthest === null || at > furthest) furthest = at as Position
  }

  const load = async (ids: ReadonlySet<string>): Promise<void> => {
    const found = await readMany([...ids])
    found.forEach(note)
    for (const id of ids) keepCell(id, null)
    for (const doc of found) keepCell(doc.id, doc)
  }

  const matching = async (where: Where): Promise<readonly Cell[] | Failure> => {
    if (!complete) {
      const stored = await documents.findStored<ViewDocument>(view, { where })
      for (const { id, document } of stored) {
        if (document === null) unreadable.add(id)
        else note(document)
        // What is in memory is newer.
        if (!cells.has(id)) keepCell(id, document)
      }
      const bad = stored.filter(({ document }) => document === null)
      if (bad.length > 0)
        return new Failure(
          new UnreadableDocuments(
            view.name,
            bad.map(({ id }) => id),
          ),
        )
    }
    const found: Cell[] = []
    for (const cell of cells.values())
      if (cell.doc !== null && !shared.has(cell.id) && matches(cell.doc, where)) found.push(cell)
    return found
  }

  const after = ({ id, doc }: Cell, event: ProjectedEvent): ViewDocument | null => {
    refuseUnreadable(id)
    return doc !== null && doc.position >= event.position ? doc : projection.apply(doc, event, id, read)
  }

  const change = (cell: Cell, doc: ViewDocument | null): void => {
    if (doc === cell.doc) return
    cell.doc = doc
    if (cell.changed) return
    cell.changed = true
    changed.push(cell)
  }

  const cellOf = (id: string): Cell => cells.get(id) ?? keepCell(id, null)

  const fold = ({ event, targets: { ids = none } }: Step, others: readonly Cell[]): void => {
    const [only, second] = ids
    if (only !== undefined && second === undefined && others.length === 0) {
      // Most events change one document; a replay feels every list that is made for them.
      const cell = cellOf(only)
      change(cell, after(cell, event))
      return
    }
    const named = ids.map(cellOf)
    const touched = others.length > 0 ? [...named, ...others] : named
    // All documents of an event change or none: first everything is computed, then it is taken over.
    const docs = touched.map((cell) => after(cell, event))
    for (const [n, cell] of touched.entries()) change(cell, docs[n] ?? null)
  }

  const want = (unknown: Set<string>, ids: readonly string[]): void => {
    for (const id of ids) if (!cells.has(id)) unknown.add(id)
  }

  const targetsOf = (event: ProjectedEvent, unknown: Set<string>): Targets => {
    const targets = projection.targets(event)
    if (!complete) {
      want(unknown, targets.ids ?? none)
      want(unknown, projection.reads?.(event) ?? none)
    }
    return targets
  }

  const plan = (deliveries: readonly Delivery[], unknown: Set<string>): readonly Step[] => {
    const steps: Step[] = []
    if (!complete) want(unknown, projection.shared ?? none)
    // They come in order: where the first is new, all are.
    const [first] = deliveries
    const seen = first === undefined || first.recorded.position > (position ?? '') ? null : position
    for (const { recorded, event, failure } of deliveries) {
      if (!handles.has(recorded.type)) continue
      if (seen !== null && recorded.position <= seen) continue
      if (event === null) {
        park(recorded, failure ?? 'The event cannot be read')
        continue
      }
      const targets = attempt(targetsOf, event, unknown)
      if (targets instanceof Failure) park(recorded, targets.reason)
      else steps.push({ event, targets })
    }
    return steps
  }

  const derive = (doc: ViewDocument): ViewDocument => projection.derive?.(doc, read) ?? doc

  const derived = (doc: ViewDocument): ViewDocument => {
    if (shared.has(doc.id)) return doc
    const whole = attempt(derive, doc, undefined)
    if (!(whole instanceof Failure)) return whole
    // The document is right but for its computed fields, which stay as they were.
    // The stamp was a position before it became a field of the document.
    const at = doc.position as Position
    park({ id: `derive-${doc.id}`, type: 'derive', stream: doc.id, position: at }, whole.reason)
    return doc
  }

  /** Drops what was longest in memory; the engine has it. */
  const forget = (): void => {
    if (cells.size <= keep) return
    complete = false
    for (const id of cells.keys()) {
      if (cells.size <= keep) return
      if (!shared.has(id)) cells.delete(id)
    }
  }

  return {
    projection,
    handles: (type) => handles.has(type),
    position: () => position,
    writtenTo: () => from,
    changed: () => changed.length,
    furthest: () => furthest,
    parked: () => [...parked.values()],
    take: async (deliveries, upTo) => {
      if (position !== null && upTo <= position) return
      const unknown = new Set<string>()
      const steps = plan(deliveries, unknown)
      if (unknown.size > 0) await load(unknown)
      for (const step of steps) {
        const where = step.targets.where ?? (step.targets.all ? {} : null)
        const others = where === null ? none : await matching(where)
        const folded = others instanceof Failure ? others : attempt(fold, step, others)
        if (folded instanceof Failure) park(step.event, folded.reason)
      }
      position = upTo
    },
    writes: () => {
      if (position === null || position === from) return []
      const put: ViewDocument[] = []
      const remove: string[] = []
      for (const cell of changed) {
        if (cell.doc === null) {
          remove.push(cell.id)
          continue
        }
        cell.doc = derived(cell.doc)
        put.push(cell.doc)
      }
      const writes: ViewWrite[] = [{ view, put, remove, from, to: position }]
      if (parked.size > 0)
        writes.push({
          view: parkedView(view),
          put: [...parked.values()],
          remove: [],
          from: parkedPosition,
          to: position,
        })
      return writes
    },
    stored: () => {
      if (parked.size > 0) parkedPosition = position
      parked.clear()
      furthest = null
      for (const cell of changed) cell.changed = false
      changed = []
      from = position
      forget()
    },
  }
}
