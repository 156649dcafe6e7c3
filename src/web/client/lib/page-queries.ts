import { CancelledError } from '@tanstack/react-query'
import { getArtwork } from '#web/contract/addresses.ts'
import type { Artwork } from '#web/contract/artworks.ts'
import { PUBLIC_MODELS, type PublicModel, publicArtworks } from './page-data.ts'
import type { ModelLoader, PageStore } from './page-store.ts'
import { PUBLIC_CALLS, type PublicModels, readModel } from './public-calls.ts'
import { keyOf, queryClient, reading } from './queries.ts'
import { styleArtworks } from './style-artworks.ts'

const modelKey = (model: PublicModel) => keyOf(PUBLIC_CALLS[model], {})

/** Loads models through the query cache, so that public page and dashboard never fetch the same list twice. */
export const queryLoader: ModelLoader = {
  load: async (model) => {
    const ask = () =>
      queryClient.fetchQuery({
        queryKey: modelKey(model),
        queryFn: ({ signal }) => readModel(model, { signal }),
      })
    const data = await ask().catch((error: unknown) => {
      // A log-out empties the cache under a page that loads: asked again, the answer is a visitor's.
      if (error instanceof CancelledError) return ask()
      throw error
    })
    if (model === 'artworks') styleArtworks(artworksIn(data))
    return data
  },
  loadWork: (id) => queryClient.fetchQuery(reading(getArtwork, { params: { id } })),
}

/**
 * Puts what the dashboard has fetched on the page below it, once it closes: while it covers the page, drawing
 * hundreds of works again at each change would only cost time.
 */
export function bringPageStoreUpToDate(store: PageStore): void {
  for (const model of PUBLIC_MODELS) {
    const data = queryClient.getQueryData<PublicModels[typeof model]>(modelKey(model))
    if (data === undefined) continue
    if (model === 'artworks') styleArtworks(artworksIn(data))
    store.put(model, data)
  }
}

/** Signed in, the list holds hidden works too; they need no rules, the page never shows them. */
function artworksIn(data: unknown): readonly Artwork[] {
  if (!Array.isArray(data)) return []
  // The answer of GET /api/artworks, whose items the contract types.
  return publicArtworks(data as Artwork[])
}
