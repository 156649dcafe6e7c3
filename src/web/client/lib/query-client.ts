import { QueryClient } from '@tanstack/react-query'

/**
 * Data fetching as the specification wants it: what was fetched is never stale, nothing is retried,
 * refetched on focus or polled. A 401 raises like any other failure.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
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
}
