import { type QueryClient, queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { onChanges } from './changes.ts'
import { fetchAnew } from './fetch-anew.ts'
import { isGone } from './import-fetched.ts'
import type { Loadable, PageLists } from './page-data.ts'

/** Where the lists of the public page stand in the cache, apart from those that the owner reads. */
export const PAGE = 'page'

type Model = keyof PageLists

/** A list of the page in the cache, under the name that changes of it have; its parts stand below it. */
export const pageQuery = <M extends Model>(model: M) =>
  queryOptions({
    queryKey: [PAGE, model],
    queryFn: async ({ signal }): Promise<PageLists[M]> => {
      try {
        const { readPageList } = await import('./read-page.ts')
        return await readPageList(model, signal)
      } catch (error) {
        // The screen shows the failure with Retry; the console keeps the reason.
        if (!signal.aborted) console.warn(`Loading ${model} failed`, error)
        if (isGone(error)) window.atelierOutdated()
        throw error
      }
    },
  })

/** A list of the page; fetched when the document brought none. */
export const usePageList = <M extends Model>(model: M): Loadable<PageLists[M]> =>
  loadable(useQuery(pageQuery(model)))

/** A query's answer as a section shows it. */
export function loadable<T>(query: UseQueryResult<T>): Loadable<T> {
  const { data, error, isPending, isFetching, isError, errorUpdateCount, refetch } = query
  const retry = (): void => (isGone(error) ? location.reload() : void refetch())
  const again = { retrying: isFetching, retry }
  if (data !== undefined) return { status: 'ready', data, outdated: isError ? again : null }
  return isPending && errorUpdateCount === 0 ? { status: 'loading' } : { status: 'failed', ...again }
}

/** Keeps an open page in step with the site: a sale shows within a second. */
export function followChanges(client: QueryClient): void {
  onChanges((changed) => {
    void fetchAnew(
      client,
      changed.map((model) => [PAGE, model]),
    )
  }, 'page')
}
