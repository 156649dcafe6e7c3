import { addEntry, deleteEntry, moveEntry, reviseEntry } from '#application/taxonomy/taxonomy.ts'
import { findWithUse, listWithUse } from '#projections/taxonomy/queries.ts'
import type { WebDeps } from '../deps.ts'
import type { PublicLists } from '../public-lists.ts'
import type { CommandRoute, ModuleRoutes, ReadRoute } from '../call/route.ts'

type Deps = Pick<WebDeps, 'app' | 'documents'>

/** The routes of one set: what can be done with a category can be done with a medium. */
const routesOf = ({ app, documents }: Deps, lists: PublicLists, kind: 'Category' | 'Medium') => {
  const set = kind === 'Category' ? 'categories' : 'mediums'
  const reply = (id: string) => findWithUse(documents, set, id)
  return {
    list: {
      read: () => listWithUse(documents, set),
      ready: (asked) => lists.answer(`/api/${set}`, null, asked),
    } satisfies ReadRoute<'listCategories' | 'listMediums'>,
    add: {
      act: ({ body, command }) => addEntry(app, kind, body, command),
      reply,
    } satisfies CommandRoute<'addCategory' | 'addMedium'>,
    change: {
      act: ({ params, body, expectedVersion, command }) =>
        reviseEntry(app, kind, params.id, body, expectedVersion, command),
      reply,
    } satisfies CommandRoute<'changeCategory' | 'changeMedium'>,
    move: {
      act: ({ params, body, expectedVersion, command }) =>
        moveEntry(app, kind, params.id, body.before, expectedVersion, command),
      reply,
    } satisfies CommandRoute<'moveCategory' | 'moveMedium'>,
    remove: {
      act: ({ params, expectedVersion, command }) =>
        deleteEntry(app, kind, params.id, expectedVersion, command),
      reply,
    } satisfies CommandRoute<'deleteCategory' | 'deleteMedium'>,
  }
}

export const taxonomyRoutes = (deps: Deps, lists: PublicLists): ModuleRoutes<'taxonomy'> => {
  const ofCategories = routesOf(deps, lists, 'Category')
  const ofMediums = routesOf(deps, lists, 'Medium')
  return {
    listCategories: ofCategories.list,
    addCategory: ofCategories.add,
    changeCategory: ofCategories.change,
    moveCategory: ofCategories.move,
    deleteCategory: ofCategories.remove,
    listMediums: ofMediums.list,
    addMedium: ofMediums.add,
    changeMedium: ofMediums.change,
    moveMedium: ofMediums.move,
    deleteMedium: ofMediums.remove,
  }
}
