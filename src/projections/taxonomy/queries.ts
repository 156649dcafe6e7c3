import type { Documents } from '#application/ports/documents.ts'
import { worksUsing } from '#projections/artworks/queries.ts'
import {
  categoriesProjection,
  mediumsProjection,
  type TaxonomyDoc,
} from '#projections/taxonomy/taxonomy-view.ts'

/** A category or medium as the API answers it; `usedBy` for the owner only. */
export interface TaxonomyAnswer {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly isActive: boolean
  readonly sortOrder: number
  readonly version: number
  readonly usedBy?: number
  readonly createdAt: string
  readonly updatedAt: string
}

type Set = 'categories' | 'mediums'

const viewOf = (set: Set) => (set === 'categories' ? categoriesProjection : mediumsProjection).view

const answer = (doc: TaxonomyDoc): TaxonomyAnswer => ({
  id: doc.id,
  name: doc.name,
  description: doc.description,
  isActive: doc.isActive,
  sortOrder: doc.sortOrder,
  version: doc.version,
  createdAt: doc.createdAt,
  updatedAt: doc.updatedAt,
})

/** Made for the first list: what a collator needs to know of languages is slow to load. */
let names: Intl.Collator | undefined

const compareNames = (a: string, b: string): number => {
  names ??= new Intl.Collator('en-IN', { sensitivity: 'base', numeric: true })
  return names.compare(a, b)
}

/** By sort order, then by name as people sort it (decisions 7). */
const inOrder = (a: TaxonomyDoc, b: TaxonomyDoc): number =>
  a.sortOrder - b.sortOrder || compareNames(a.name, b.name) || (a.id < b.id ? -1 : 1)

const all = async (documents: Documents, set: Set): Promise<readonly TaxonomyDoc[]> =>
  (await documents.find<TaxonomyDoc>(viewOf(set), {})).toSorted(inOrder)

/** The active ones, as visitors see them. */
export const listActive = async (documents: Documents, set: Set): Promise<readonly TaxonomyAnswer[]> =>
  (await all(documents, set)).filter(({ isActive }) => isActive).map(answer)

/** All of them with how many works carry each, for the owner. */
export const listWithUse = async (documents: Documents, set: Set): Promise<readonly TaxonomyAnswer[]> => {
  const docs = await all(documents, set)
  const used = await worksUsing(
    documents,
    set,
    docs.map(({ id }) => id),
  )
  return docs.map((doc) => ({ ...answer(doc), usedBy: used.get(doc.id) ?? 0 }))
}

/** One of them with its use, for the owner; null when there is none. */
export const findWithUse = async (
  documents: Documents,
  set: Set,
  id: string,
): Promise<TaxonomyAnswer | null> => {
  const doc = await documents.get<TaxonomyDoc>(viewOf(set), id)
  if (!doc) return null
  return { ...answer(doc), usedBy: (await worksUsing(documents, set, [id])).get(id) ?? 0 }
}
