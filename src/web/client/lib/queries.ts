import { QueryClient } from '@tanstack/react-query'
import { call } from './api.ts'

/**
 * Data fetching as the specification's section 7 and 9 end: a key's segments joined with slashes are the
 * GET address, what was fetched is never stale, nothing is retried, refetched on focus or polled. A 401
 * raises like any other failure.
 *
 * This file is part of a chunk that visitors fetch only when something must be loaded; the public entry
 * never imports it statically.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        queryFn: ({ queryKey, signal }) => call('GET', queryAddress(queryKey), { signal }),
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: Number.POSITIVE_INFINITY,
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        refetchInterval: false,
        // Offline must fail at once and offer Retry instead of waiting for the network.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

/** `['/api/artworks', id]` gives `/api/artworks/<id>`. */
export function queryAddress(key: readonly unknown[]): string {
  return key.join('/')
}

/** The one cache of this browser tab; public screens and dashboard share it. */
export const queryClient = createQueryClient()
