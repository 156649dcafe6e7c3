import { addEntry, deleteEntry, moveEntry, reviseEntry } from '#application/taxonomy/taxonomy.ts'
import { findWithUse, listWithUse } from '#projections/taxonomy/queries.ts'
import type { WebDeps } from '../deps.ts'
import type { PublicLists } from '../public-lists.ts'
import type { ModuleRoutes, ReadRoute } from '../call/route.ts'

export const taxonomyRoutes = (
  deps: Pick<WebDeps, 'app' | 'documents'>,
  lists: PublicLists,
): ModuleRoutes<'taxonomy'> => {
  const { app, documents } = deps
  const list = (set: 'categories' | 'mediums'): ReadRoute<'listCategories' | 'listMediums'> => ({
    read: () => listWithUse(documents, set),
    prepared: (asked) => lists.answer(`/api/${set}`, null, asked),
  })
  const showCategory = (id: string) => findWithUse(documents, 'categories', id)
  const showMedium = (id: string) => findWithUse(documents, 'mediums', id)
  return {
    listCategories: list('categories'),
    addCategory: { act: ({ body, command }) => addEntry(app, 'Category', body, command), show: showCategory },
    changeCategory: {
      act: ({ params, body, expectedVersion, command }) =>
        reviseEntry(app, 'Category', params.id, body, expectedVersion, command),
      show: showCategory,
    },
    moveCategory: {
      act: ({ params, body, expectedVersion, command }) =>
        moveEntry(app, 'Category', params.id, body.before, expectedVersion, command),
      show: showCategory,
    },
    deleteCategory: {
      act: ({ params, expectedVersion, command }) =>
        deleteEntry(app, 'Category', params.id, expectedVersion, command),
      show: showCategory,
    },
    listMediums: list('mediums'),
    addMedium: { act: ({ body, command }) => addEntry(app, 'Medium', body, command), show: showMedium },
    changeMedium: {
      act: ({ params, body, expectedVersion, command }) =>
        reviseEntry(app, 'Medium', params.id, body, expectedVersion, command),
      show: showMedium,
    },
    moveMedium: {
      act: ({ params, body, expectedVersion, command }) =>
        moveEntry(app, 'Medium', params.id, body.before, expectedVersion, command),
      show: showMedium,
    },
    deleteMedium: {
      act: ({ params, expectedVersion, command }) =>
        deleteEntry(app, 'Medium', params.id, expectedVersion, command),
      show: showMedium,
    },
  }
}
