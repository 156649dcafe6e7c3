import type { Application } from '../application.ts'
import type { Label } from '#domain/artworks/fields.ts'
import type { LabelNames } from '#domain/artworks/revise.ts'
import { oneLine } from '#domain/field-rules.ts'
import { findByName, namesById, type TaxonomyKind } from '#domain/taxonomy/entry.ts'
import { taxonomyAggregate } from '#domain/taxonomy/taxonomy.ts'

/**
 * A category or medium as a work takes it: with the id when the set knows the name at this moment, in the
 * set's own spelling; else as plain text.
 */
export const labelOf = async (
  app: Pick<Application, 'executor'>,
  kind: TaxonomyKind,
  name: string,
): Promise<Label> => {
  if (name === '') return { id: null, name: '' }
  return (
    findByName(await app.executor.load(taxonomyAggregate(kind)), name) ?? { id: null, name: oneLine(name) }
  )
}

/** What the ids on artworks stand for today, for telling a changed label from one that is only shown renamed. */
export const labelNames = async (app: Pick<Application, 'executor'>): Promise<LabelNames> => {
  const [category, medium] = await Promise.all([
    app.executor.load(taxonomyAggregate('Category')),
    app.executor.load(taxonomyAggregate('Medium')),
  ])
  return { category: namesById(category), medium: namesById(medium) }
}
