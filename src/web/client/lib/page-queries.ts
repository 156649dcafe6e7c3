import {
  type QueryClient,
  type QueryKey,
  queryOptions,
  useQuery,
  type UseQueryResult,
} from '@tanstack/react-query'
import {
  getArtwork,
  getSiteContent,
  listArtworks,
  listBlogPosts,
  listCategories,
} from '#web/contract/addresses.ts'
import { call } from './api.ts'
import { onChanges } from './changes.ts'
import { activeNames, type Loadable, type PageLists, publicArtworks, visiblePosts } from './page-data.ts'
import { keyOf } from './queries.ts'
import { staleBy } from './stale.ts'
import { styleArtworks } from './style-artworks.ts'

/** Where the lists of the public page stand in the cache, apart from those that the owner reads. */
export const PAGE = 'page'

/** Whether a list is one that the owner reads. */
export const isOwners = ({ queryKey }: { queryKey: QueryKey }): boolean => queryKey[0] !== PAGE

type Model = keyof PageLists

/** How each list is read: the owner is answered more than visitors see, and the page never shows it. */
const READ: { readonly [M in Model]: (signal: AbortSignal) => Promise<PageLists[M]> } = {
  'site-content': (signal) => call(getSiteContent, { signal }),
  artworks: async (signal) => {
    const artworks = publicArtworks(await call(listArtworks, { signal }))
    styleArtworks(artworks)
    return artworks
  },
  categories: async (signal) => activeNames(await call(listCategories, { signal })),
  'blog-posts': async (signal) => visiblePosts(await call(listBlogPosts, { signal })),
}

/** The owner's key of each list, below which its parts stand. */
const KEY: { readonly [M in Model]: QueryKey } = {
  'site-content': keyOf(getSiteContent, {}),
  artworks: keyOf(listArtworks, {}),
  categories: keyOf(listCategories, {}),
  'blog-posts': keyOf(listBlogPosts, {}),
}

/** A list of the page in the cache. */
export const pageQuery = <M extends Model>(model: M) =>
  queryOptions({
    queryKey: [PAGE, ...KEY[model]],
    queryFn: async ({ signal }): Promise<PageLists[M]> => {
      try {
        return await READ[model](signal)
      } catch (error) {
        // The screen shows the failure with Retry; the console keeps the reason.
        if (!signal.aborted) console.warn(`Loading ${model} failed`, error)
        throw error
      }
    },
  })

/** A list of the page; fetched when the document brought none. */
export const usePageList = <M extends Model>(model: M): Loadable<PageLists[M]> =>
  loadable(useQuery(pageQuery(model)))

function loadable<T>({ data, isPending, isFetching, errorUpdateCount }: UseQueryResult<T>): Loadable<T> {
  // What could not be fetched again stays as it is.
  if (data !== undefined) return { status: 'ready', data }
  return isPending && errorUpdateCount === 0
    ? { status: 'loading' }
    : { status: 'failed', retrying: isFetching }
}

/**
 * The description of an open artwork, which the document of a big gallery leaves out; null while it is on its way.
 * @param known as the document brought it
 */
export function useDescription(id: string, known: string | null): string | null {
  const { data } = useQuery({
    queryKey: [PAGE, ...KEY.artworks, id],
    queryFn: ({ signal }) => call(getArtwork, { params: { id }, signal }),
    enabled: known === null,
  })
  return known ?? data?.description ?? null
}

/**
 * Keeps an open page in step with the site: a sale shows within a second. Gives the function that ends it.
 * @param version of the data that the page was rendered from; null when it came without
 */
export function followChanges(client: QueryClient, version: string | null): () => void {
  return onChanges(
    (changed) => {
      for (const key of staleBy(changed)) void client.invalidateQueries({ queryKey: [PAGE, ...key] })
    },
    'page',
    version,
  )
}
