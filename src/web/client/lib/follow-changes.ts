import { onChanges } from './changes.ts'
import { PUBLIC_MODELS, type PublicModel, publicArtworks } from './page-data.ts'
import { type PublicModels, readModel } from './public-calls.ts'
import type { PageStore } from './page-store.ts'
import { styleArtworks } from './style-artworks.ts'

/**
 * Keeps an open public page in step with the site: a sale shows within a second. What cannot be
 * fetched stays as it is. Gives the function that ends it.
 * @param version of the data that the page was rendered from; null when it came without
 */
export function followChanges(store: PageStore, version: string | null): () => void {
  return onChanges(
    (models) => {
      for (const model of PUBLIC_MODELS) if (models.includes(model)) void renew(store, model)
    },
    'page',
    version,
  )
}

async function renew<Model extends PublicModel>(store: PageStore, model: Model): Promise<void> {
  if (store.get()[model].status !== 'ready') return
  try {
    const data = await readModel(model)
    // The answer to that path is the list of works.
    if (model === 'artworks') styleArtworks(publicArtworks(data as PublicModels['artworks']))
    store.put(model, data)
  } catch (error) {
    console.warn(`Renewing ${model} failed`, error)
  }
}
