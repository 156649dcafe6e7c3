import type { Documents, ViewDefinition, ViewWrite } from '#application/ports/documents.ts'
import type { Position, RecordedEvent } from '#application/ports/event-store.ts'
import type { ProjectedEvent, Projection, Targets, ViewDocument, Where } from '#projections/projection.ts'

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

/** Where the parked events of a view stand: beside it, dropped with it. */
export const parkedView = (view: ViewDefinition): ViewDefinition => ({
  name: `parked-${view.name}`,
  version: view.version,
  indexes: [],
})

/** A pure function gives no better answer the third time; a lack of memory or stack may have passed by then. */
const tries = 3
const keptUnlessTold = 2_000

type Docs = Map<string, ViewDocument | null>
type Step = { readonly event: ProjectedEvent; readonly targets: Targets }

const sentence = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

const matches = (doc: ViewDocument, where: Where): boolean =>
  Object.entries(where).every(([field, value]) => (doc[field] ?? null) === value)

const attempt = <Result>(run: () => Result): { readonly result: Result } | { readonly reason: string } => {
  for (let n = 1; ; n += 1) {
    try {
      return { result: run() }
    } catch (thrown) {
      if (n === tries) return { reason: sentence(thrown) }
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
  /** events parked by this fold since it began */
  readonly parkedCount: () => number
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
  const docs: Docs = new Map()
  const dirty = new Set<string>()
  const parked = new Map<string, ParkedEvent>()
  let parkedCount = 0
  let parkedPosition = parkedCheckpoint
  let from = checkpoint
  let position = checkpoint
  /** `docs` holds every document of the view, so that the engine need not be asked */
  let complete = checkpoint === null

  const park = (event: Pick<RecordedEvent, 'id' | 'type' | 'stream' | 'position'>, reason: string): void => {
    if (parked.has(event.id)) return
    parkedCount += 1
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

  const read = (id: string): ViewDocument | null => {
    const doc = docs.get(id)
    if (doc === undefined && !complete)
      throw new Error(`${view.name} looks at ${id} without naming it in reads or shared`)
    return doc ?? null
  }

  const load = async (ids: ReadonlySet<string>): Promise<void> => {
    const found = await documents.getMany<ViewDocument>(view, [...ids])
    for (const id of ids) docs.set(id, null)
    for (const doc of found) docs.set(doc.id, doc)
  }

  const matching = async (where: Where): Promise<readonly string[]> => {
    if (!complete) {
      const stored = await documents.find<ViewDocument>(view, { where })
      for (const doc of stored) if (!docs.has(doc.id)) docs.set(doc.id, doc)
    }
    const ids: string[] = []
    for (const [id, doc] of docs) if (doc !== null && !shared.has(id) && matches(doc, where)) ids.push(id)
    return ids
  }

  const fold = ({ event, targets }: Step, ids: readonly string[]): void => {
    const all = ids.length > 0 ? [...(targets.ids ?? []), ...ids] : (targets.ids ?? [])
    // All documents of an event change or none: first everything is computed, then it is taken over.
    const after = all.map((id) => applied(id, event))
    for (const [n, doc] of after.entries()) change(all[n] ?? '', doc)
  }

  const applied = (id: string, event: ProjectedEvent): ViewDocument | null => {
    const before = docs.get(id) ?? null
    return before !== null && before.position >= event.position
      ? before
      : projection.apply(before, event, id, read)
  }

  const change = (id: string, after: ViewDocument | null): void => {
    if (after === (docs.get(id) ?? null)) return
    docs.set(id, after)
    dirty.add(id)
  }

  const plan = (deliveries: readonly Delivery[]): { steps: Step[]; unknown: Set<string> } => {
    const steps: Step[] = []
    const unknown = new Set<string>()
    const want = (ids: readonly string[]): void => {
      for (const id of ids) if (!docs.has(id)) unknown.add(id)
    }
    if (!complete) want(projection.shared ?? [])
    for (const { recorded, event, failure } of deliveries) {
      if (!handles.has(recorded.type)) continue
      if (position !== null && recorded.position <= position) continue
      if (event === null) {
        park(recorded, failure ?? 'The event cannot be read')
        continue
      }
      const planned = attempt(() => {
        const targets = projection.targets(event)
        if (!complete) {
          want(targets.ids ?? [])
          want(projection.reads?.(event) ?? [])
        }
        return targets
      })
      if ('result' in planned) steps.push({ event, targets: planned.result })
      else park(recorded, planned.reason)
    }
    return { steps, unknown }
  }

  const derived = (doc: ViewDocument): ViewDocument => {
    if (!projection.derive || shared.has(doc.id)) return doc
    const tried = attempt(() => projection.derive?.(doc, read) ?? doc)
    if ('result' in tried) return tried.result
    // The document is right but for its computed fields, which stay as they were.
    // The stamp was a position before it became a field of the document.
    const at = doc.position as Position
    park({ id: `derive-${doc.id}`, type: 'derive', stream: doc.id, position: at }, tried.reason)
    return doc
  }

  /** Drops what was longest in memory; the engine has it. */
  const forget = (): void => {
    if (docs.size <= keep) return
    complete = false
    for (const id of docs.keys()) {
      if (docs.size <= keep) return
      if (!shared.has(id)) docs.delete(id)
    }
  }

  return {
    projection,
    handles: (type) => handles.has(type),
    position: () => position,
    writtenTo: () => from,
    changed: () => dirty.size,
    parkedCount: () => parkedCount,
    take: async (deliveries, upTo) => {
      if (position !== null && upTo <= position) return
      const { steps, unknown } = plan(deliveries)
      if (unknown.size > 0) await load(unknown)
      for (const step of steps) {
        const where = step.targets.where ?? (step.targets.all ? {} : null)
        const ids = where === null ? [] : await matching(where)
        const tried = attempt(() => fold(step, ids))
        if ('reason' in tried) park(step.event, tried.reason)
      }
      position = upTo
    },
    writes: () => {
      if (position === null || position === from) return []
      const put: ViewDocument[] = []
      const remove: string[] = []
      for (const id of dirty) {
        const doc = docs.get(id) ?? null
        if (doc === null) {
          remove.push(id)
          continue
        }
        const whole = derived(doc)
        docs.set(id, whole)
        put.push(whole)
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
      dirty.clear()
      from = position
      forget()
    },
  }
}
