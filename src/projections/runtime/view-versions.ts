import { randomUUID } from 'node:crypto'
import type {
  Document,
  Documents,
  ViewDefinition,
  ViewSwitch,
  ViewWrite,
} from '#application/kernel/ports/documents.ts'
import type { Position } from '#application/kernel/ports/event-store.ts'
import type { Projection } from './projection.ts'

/** Where in the log a document of a view last changed. */
export interface LastChange extends Document {
  readonly changedAt: string
}

/** Remembers over restarts when each view last changed, so that pages kept on the disk stay good. */
export const lastChanges: ViewDefinition = { name: 'view-changes', version: 1, indexes: [] }

/** The id under which a view's last change is remembered. */
export const keyOf = ({ name, version }: ViewDefinition): string => `${name}@${version}`

/** @returns the names of the views that do not stand in `now` (such a text as below) as they stand in `before` */
export const movedViews = (before: string, now: string): ReadonlySet<string> => {
  const known = new Set(before.split(' '))
  const moved = now.split(' ').filter((each) => !known.has(each))
  return new Set(moved.map((each) => each.slice(0, each.indexOf('@'))))
}

/** When each view last changed, as text: the same text always means the same documents. */
export interface ViewVersions {
  readonly of: (names: readonly string[]) => string
  /** What must be written together with a batch that brings all views to `position`. */
  readonly writes: (changed: readonly Projection[], position: Position) => readonly ViewWrite[]
  /** Takes over that such a batch is stored. */
  readonly stored: (changed: readonly Projection[], position: Position) => void
  /**
   * Prepares that some views get other documents without an event, by a switch: what is switched together with
   * them, so that no page made of the former documents counts as made of the new ones, and what takes over that
   * it was done.
   */
  readonly renew: (
    views: readonly ViewDefinition[],
    build: string,
  ) => Promise<{ readonly switches: readonly ViewSwitch[]; readonly done: () => void }>
}

/**
 * Reads when the views last changed. What is remembered counts only for a view that stands where the memory
 * was written last: where a batch was stored in part, the view's own place is taken, which is never too early.
 */
export const openVersions = async (
  documents: Documents,
  projections: readonly Projection[],
): Promise<ViewVersions> => {
  await documents.prepare([lastChanges])
  const views = projections.map(({ view }) => view)
  const [own = null, ...places] = await documents.checkpoints([lastChanges, ...views])
  // What cannot be read is not known: the view's own place is taken instead.
  const remembered = await documents.findStored<LastChange>(lastChanges, {})
  const known = new Map(
    remembered.flatMap(({ document }) => (document === null ? [] : [[document.id, document.changedAt]])),
  )
  /** by view: when it last changed, and whether that is remembered so */
  const changes = new Map(
    views.map((view, n) => {
      const place = places[n] ?? null
      const changedAt = (place === own ? known.get(keyOf(view)) : undefined) ?? place ?? ''
      return [view.name, { id: keyOf(view), changedAt }]
    }),
  )
  const textOf = (name: string): string => {
    const change = changes.get(name)
    return change === undefined ? `${name}@` : `${change.id}:${change.changedAt}`
  }
  let unremembered = [...changes.values()].filter(({ id, changedAt }) => known.get(id) !== changedAt)
  let from = own

  return {
    of: (names) => names.map(textOf).join(' '),
    writes: (changed, position) => {
      // A view that catches up with others moves behind the place that is remembered already.
      if (from !== null && position <= from) return []
      const put = changed.map(({ view }) => ({ id: keyOf(view), changedAt: position }))
      const ids = new Set(put.map(({ id }) => id))
      const others = unremembered.filter(({ id, changedAt }) => changedAt !== '' && !ids.has(id))
      return [{ view: lastChanges, put: [...put, ...others], remove: [], from, to: position }]
    },
    stored: (changed, position) => {
      if (from === null || position > from) {
        from = position
        unremembered = []
      }
      for (const { view } of changed) changes.set(view.name, { id: keyOf(view), changedAt: position })
    },
    renew: async (renewed, build) => {
      if (from === null || renewed.length === 0) return { switches: [], done: () => undefined }
      const built = { ...lastChanges, build }
      const changedAt = `${from}+${randomUUID().slice(0, 8)}`
      const kept = await documents.findStored<LastChange>(lastChanges, {})
      const ids = new Set(renewed.map(keyOf))
      const put = [
        ...kept.flatMap(({ id, document }) => (document === null || ids.has(id) ? [] : [document])),
        ...renewed.map((view) => ({ id: keyOf(view), changedAt })),
      ]
      await documents.drop(built)
      await documents.prepare([built])
      await documents.write([{ view: built, put, remove: [], from: null, to: from }])
      return {
        switches: [{ built, from }],
        done: () => {
          for (const view of renewed) changes.set(view.name, { id: keyOf(view), changedAt })
        },
      }
    },
  }
}
