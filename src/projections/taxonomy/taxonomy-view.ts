import type { CategoryEvent, MediumEvent, TaxonomyEvent } from '#domain/taxonomy/events.ts'
import type { ChangedModel, ProjectedEvent, Projection, ViewDocument } from '#projections/projection.ts'

/** One category or medium that is there; a deleted one has no document. */
export interface TaxonomyDoc extends ViewDocument {
  readonly name: string
  readonly description: string
  readonly isActive: boolean
  readonly sortOrder: number
  readonly sample: boolean
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
}

const changeOf = (event: ProjectedEvent<TaxonomyEvent['type']>): Partial<TaxonomyDoc> | null => {
  switch (event.type) {
    case 'CategoryRenamed':
    case 'MediumRenamed':
      return { name: event.data.to }
    case 'CategoryDescribed':
    case 'MediumDescribed':
      return { description: event.data.to }
    case 'CategoryReordered':
    case 'MediumReordered':
      return { sortOrder: event.data.to }
    case 'CategoryActivated':
    case 'MediumActivated':
      return { isActive: true }
    case 'CategoryDeactivated':
    case 'MediumDeactivated':
      return { isActive: false }
    default:
      return null
  }
}

const apply = (doc: TaxonomyDoc | null, event: ProjectedEvent<TaxonomyEvent['type']>): TaxonomyDoc | null => {
  const { position, occurredAt } = event
  if (event.type === 'CategoryAdded' || event.type === 'MediumAdded')
    return { ...event.data, position, version: 1, createdAt: occurredAt, updatedAt: occurredAt }
  const change = changeOf(event)
  if (doc === null || change === null) return null
  return { ...doc, ...change, position, version: doc.version + 1, updatedAt: occurredAt }
}

const setOf = <Type extends TaxonomyEvent['type']>(
  name: ChangedModel & ('categories' | 'mediums'),
  handles: readonly Type[],
): Projection<TaxonomyDoc, Type> => ({
  view: { name, version: 1, indexes: [['sortOrder', 'name']] },
  models: [name],
  handles,
  targets: (event) => ({ ids: [event.data.id] }),
  apply,
})

export const categoriesProjection = setOf<CategoryEvent['type']>('categories', [
  'CategoryAdded',
  'CategoryRenamed',
  'CategoryDescribed',
  'CategoryReordered',
  'CategoryActivated',
  'CategoryDeactivated',
  'CategoryDeleted',
])

export const mediumsProjection = setOf<MediumEvent['type']>('mediums', [
  'MediumAdded',
  'MediumRenamed',
  'MediumDescribed',
  'MediumReordered',
  'MediumActivated',
  'MediumDeactivated',
  'MediumDeleted',
])
