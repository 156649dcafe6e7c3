import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { listActivity } from '#web/contract/addresses.ts'
import type { ActivityPage } from '#web/contract/activity.ts'
import { call } from '../../lib/api.ts'
import { KEYS } from '../lib/queries.ts'

/** What happened, newest first, page by page; only of one work when `artworkId` is given. */
export function useActivity(artworkId: string | null): UseInfiniteQueryResult<InfiniteData<ActivityPage>> {
  return useInfiniteQuery({
    queryKey: [...KEYS.activity, artworkId],
    queryFn: ({ pageParam, signal }) =>
      call(listActivity, {
        query: {
          ...(artworkId === null ? {} : { artworkId }),
          ...(pageParam === null ? {} : { before: pageParam }),
        },
        signal,
      }),
    initialPageParam: null,
    getNextPageParam: ({ next }: ActivityPage): string | null => next,
  })
}
