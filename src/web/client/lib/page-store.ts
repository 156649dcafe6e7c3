import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Artwork } from '#web/contract/artworks.ts'
import { EMPTY_STATE, PUBLIC_MODELS, type PublicModel, type PublicState, ready } from './page-data.ts'
import type { PublicModels } from './public-calls.ts'

/** Fetches one model by its GET address; the lazily loaded chunk with the query cache provides it. */
export type ModelLoader = {
  load: <Model extends PublicModel>(model: Model) => Promise<PublicModels[Model]>
  loadWork: (id: string) => Promise<Artwork>
}

export type PageStore = {
  /** the site's address is https: the world reads it */
  readonly isPublic: boolean
  readonly get: () => PublicState
  readonly subscribe: (listener: () => void) => () => void
  /** Puts newer data in place, e.g. after a change in the dashboard. */
  readonly put: <Model extends PublicModel>(model: Model, data: PublicModels[Model]) => void
  /** Fetches what is missing; what is there or on its way stays. Never rejects: a failure is a state. */
  readonly fill: () => Promise<void>
  /** Fetches one model again after a failure. */
  readonly retry: (model: PublicModel) => Promise<void>
  /** Whether the works came without descriptions, as those of a big gallery do. */
  readonly describes: (id: string) => boolean
  /** Fetches the whole work where its description is missing; failure leaves it as it is, to be asked again. */
  readonly complete: (id: string) => Promise<void>
}

export type PageStoreOptions = {
  isPublic?: boolean
  initial?: PublicState
  /** Ids of works whose descriptions did arrive although the others' were left out; null: all are whole. */
  whole?: readonly string[] | null
  loader: () => Promise<ModelLoader>
}

/** The public page's data, outside React so that the dashboard's chunk can renew it. */
export function createPageStore({
  isPublic = false,
  initial = EMPTY_STATE,
  whole = null,
  loader,
}: PageStoreOptions): PageStore {
  let state = initial
  let described = whole === null ? null : new Set(whole)
  const listeners = new Set<() => void>()
  const underWay = new Set<string>()

  const set = (change: Partial<PublicState>): void => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  const put: PageStore['put'] = (model, data) => {
    if (model === 'artworks') described = null
    set({ [model]: ready(data) })
  }

  const once = async (key: string, work: () => Promise<void>): Promise<void> => {
    if (underWay.has(key)) return
    underWay.add(key)
    try {
      await work()
    } finally {
      underWay.delete(key)
    }
  }

  const fetchModel = (model: PublicModel): Promise<void> =>
    once(model, async () => {
      try {
        put(model, await (await loader()).load(model))
      } catch (error) {
        // The screen shows the failure with Retry; the console keeps the reason.
        console.warn(`Loading ${model} failed`, error)
        set({ [model]: { status: 'failed', retrying: false } })
      }
    })

  return {
    isPublic,
    get: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    put,
    fill: async () => {
      await Promise.all(PUBLIC_MODELS.filter((model) => state[model].status === 'loading').map(fetchModel))
    },
    retry: async (model) => {
      set({ [model]: { status: 'failed', retrying: true } })
      await fetchModel(model)
    },
    describes: (id) => described === null || described.has(id),
    complete: (id) =>
      once(id, async () => {
        const { artworks } = state
        if (artworks.status !== 'ready' || described === null || described.has(id)) return
        try {
          const work = await (await loader()).loadWork(id)
          described?.add(id)
          set({ artworks: ready(artworks.data.map((each) => (each.id === id ? work : each))) })
        } catch (error) {
          console.warn(`Loading the description of ${id} failed`, error)
        }
      }),
  }
}

const PageStoreContext = createContext<PageStore | null>(null)
export const PageStoreProvider = PageStoreContext.Provider

/** The store of this page. Throws outside the provider: a screen without data is a mistake in composition. */
export function usePageStore(): PageStore {
  const store = useContext(PageStoreContext)
  if (!store) throw new Error('usePageStore needs a PageStoreProvider around it')
  return store
}

/** The public page's data as it is now; renders again when it changes. */
export function usePublicState(): PublicState {
  const store = usePageStore()
  return useSyncExternalStore(store.subscribe, store.get, store.get)
}
