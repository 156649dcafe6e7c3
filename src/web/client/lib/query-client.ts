import { QueryClient } from '@tanstack/react-query'

/**
 * Data fetching as the specification wants it: what was fetched is never stale, nothing is retried,
 * refetched on focus or polled. A 401 raises like any other failure.
 */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: Number.POSITIVE_INFINITY,
        retry: false,
        refetchOnWindowFocus: false,
        // What changed while nothing showed it is fetched when something does; what failed is for people to ask again.
        refetchOnMount: ({ state }) => state.status !== 'error',
        retryOnMount: false,
        // Offline must fail at once and offer Retry instead of waiting for the network; nor is anything refetched when that is back.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })
  fetchOnceMore(client)
  return client
}

/**
 * What is told of a list while it is first fetched may be newer than the answer that is on its way, which the library takes
 * for the newest: it is fetched once more then. Not for what is told as it is asked for: that is in the answer.
 */
function fetchOnceMore(client: QueryClient): void {
  const told = new WeakSet<object>()
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    const { query, action } = event
    if (action.type === 'fetch')
      queueMicrotask(() => {
        told.delete(query)
        // Outdated already, it would not be told of a second time.
        if (!query.state.data) query.state.isInvalidated = false
      })
    else if (action.type === 'invalidate') told.add(query)
    else if (action.type === 'success' && told.delete(query)) void client.invalidateQueries(query)
  })
}
