import type { LoggedEvent } from '#application/kernel/codec.ts'
import { keysOf } from '#domain/field-rules.ts'
import { categoryEvents, mediumEvents, type TaxonomyEvent } from '#domain/taxonomy/events.ts'
import { asAdded, entryAfter, type TaxonomyEntry } from '#domain/taxonomy/entry.ts'
import type { ProjectedModel } from '../models.ts'
import type { Projection, ViewDocument } from '../runtime/projection.ts'

/** One category or medium, also a deleted one: that can be undone. */
export interface TaxonomyDoc extends ViewDocument, TaxonomyEntry {
  readonly id: string
  readonly createdAt: string
  readonly updatedAt: string
}

const apply = (
  doc: TaxonomyDoc | null,
  event: LoggedEvent<TaxonomyEvent['type']>,
  id: string,
): TaxonomyDoc | null => {
  const { position, occurredAt: updatedAt } = event
  if (event.type === 'CategoryAdded' || event.type === 'MediumAdded')
    return { ...event.data, ...asAdded, position, createdAt: updatedAt, updatedAt }
  if (doc === null) return null
  const after = { ...entryAfter(doc, event), position }
  // Those that only get a rank beside a moved one were not changed.
  return id === event.data.id ? { ...after, updatedAt } : after
}

const setOf = <Type extends TaxonomyEvent['type']>(
  name: ProjectedModel & ('categories' | 'mediums'),
  handles: readonly Type[],
): Projection<TaxonomyDoc, Type> => ({
  view: { name, version: 2, indexes: [] },
  models: [name],
  handles,
  targets: (event) => ({
    ids: [event.data.id, ...('ranks' in event.data ? Object.keys(event.data.ranks) : [])],
  }),
  apply,
})

export const categoriesProjection = setOf('categories', keysOf(categoryEvents))
export const mediumsProjection = setOf('mediums', keysOf(mediumEvents))
