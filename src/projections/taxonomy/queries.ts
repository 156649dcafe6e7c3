import type { Documents } from '#application/kernel/ports/documents.ts'
import { inOrder } from '#application/taxonomy/order.ts'
import { artworksUsing } from '../artworks/queries.ts'
import { categoriesProjection, mediumsProjection, type TaxonomyDoc } from './taxonomy-view.ts'

type Set = 'categories' | 'mediums'

const viewOf = (set: Set) => (set === 'categories' ? categoriesProjection : mediumsProjection).view

/** A category or medium as the API answers it, to the owner with its use. */
const answer = (doc: TaxonomyDoc) => ({
  id: doc.id,
  name: doc.name,
  description: doc.description,
  isActive: doc.isActive,
  sortOrder: doc.sortOrder,
  version: doc.version,
  createdAt: doc.createdAt,
  updatedAt: doc.updatedAt,
})

/** All that are not deleted, in their order. */
const all = async (documents: Documents, set: Set): Promise<readonly TaxonomyDoc[]> =>
  (await documents.find<TaxonomyDoc>(viewOf(set), {})).filter(({ deleted }) => !deleted).toSorted(inOrder)

/** The active ones, as visitors see them. */
export const listActive = async (documents: Documents, set: Set) =>
  (await all(documents, set)).filter(({ isActive }) => isActive).map(answer)

/** All of them with how many artworks carry each, for the owner. */
export const listWithUse = async (documents: Documents, set: Set) => {
  const docs = await all(documents, set)
  const used = await artworksUsing(
    documents,
    set,
    docs.map(({ id }) => id),
  )
  return docs.map((doc) => ({ ...answer(doc), usedBy: used.get(doc.id) ?? 0 }))
}

/** One of them with its use, for the owner; null when there is none. */
export const findWithUse = async (documents: Documents, set: Set, id: string) => {
  const doc = await documents.get<TaxonomyDoc>(viewOf(set), id)
  if (!doc || doc.deleted) return null
  return { ...answer(doc), usedBy: (await artworksUsing(documents, set, [id])).get(id) ?? 0 }
}
