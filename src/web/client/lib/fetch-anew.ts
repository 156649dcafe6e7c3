import { partialMatchKey, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query'

/**
 * Has these lists, and what stands below them, fetched anew: each once, what no screen shows when one does. One that is being
 * fetched for the first time is fetched once more behind it: the library joins that fetch, whose answer may be of before.
 */
export async function fetchAnew(client: QueryClient, keys: readonly QueryKey[]): Promise<void> {
  const predicate = ({ queryKey }: Pick<Query, 'queryKey'>): boolean =>
    keys.some((key) => partialMatchKey(queryKey, key))
  const fetching = client.getQueryCache().findAll({ predicate, fetchStatus: 'fetching' })
  const first = fetching.filter(({ state }) => state.data === undefined)
  await client.invalidateQueries({ predicate })
  // What failed is for people to ask again.
  await client.invalidateQueries({
    predicate: (query) => first.includes(query) && query.state.data !== undefined,
  })
}
