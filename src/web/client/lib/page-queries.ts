import type { Artwork } from '#web/contract/artworks.ts'
import { type PublicModel, type PublicModels, PUBLIC_MODELS, publicWorks } from './page-data.ts'
import type { ModelLoader, PageStore } from './page-store.ts'
import { queryClient } from './queries.ts'
import { styleWorks } from './style-works.ts'

/** The query key of a public model; joined it is its GET address (specification §7). */
export function modelKey(model: PublicModel): readonly [string, string] {
  return ['/api', model]
}

/** Loads models through the query cache, so that public page and dashboard never fetch the same list twice. */
export const queryLoader: ModelLoader = {
  load: async (model) => {
    const data = await queryClient.fetchQuery<PublicModels[typeof model]>({ queryKey: modelKey(model) })
    if (model === 'artworks') styleWorks(artworksIn(data))
    return data
  },
  loadWork: (id) => queryClient.fetchQuery<Artwork>({ queryKey: ['/api', 'artworks', id] }),
}

/**
 * Keeps the public page in step with the query cache: whatever the dashboard refetches after a change is on
 * the page below it at once. Gives the function that ends it.
 */
export function connectPageStore(store: PageStore): () => void {
  return queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return
    const { queryKey, state } = event.query
    const model = PUBLIC_MODELS.find(
      (each) => queryKey.length === 2 && queryKey.join('/') === modelKey(each).join('/'),
    )
    if (!model || state.data === undefined) return
    if (model === 'artworks') styleWorks(artworksIn(state.data))
    // Written under this key only by `queryFn`, whose answer the contract types.
    store.put(model, state.data as PublicModels[typeof model])
  })
}

/** Signed in, the list holds hidden works too; they need no rules, the page never shows them. */
function artworksIn(data: unknown): readonly Artwork[] {
  if (!Array.isArray(data)) return []
  // The answer of GET /api/artworks, whose items the contract types.
  return publicWorks(data as Artwork[])
}
