import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import type { ActivityPage } from '#web/contract/activity.ts'
import { call } from '../../lib/api.ts'
import { KEYS } from '../lib/queries.ts'

/** What happened, newest first, page by page; only of one work when `artworkId` is given. */
export function useActivity(artworkId: string | null): UseInfiniteQueryResult<InfiniteData<ActivityPage>> {
  return useInfiniteQuery({
    queryKey: [...KEYS.activity, artworkId],
    queryFn: ({ pageParam, signal }) => call<ActivityPage>('GET', address(artworkId, pageParam), { signal }),
    initialPageParam: null,
    getNextPageParam: ({ next }: ActivityPage): string | null => next,
  })
}

function address(artworkId: string | null, before: string | null): string {
  const query = new URLSearchParams()
  if (artworkId !== null) query.set('artworkId', artworkId)
  if (before !== null) query.set('before', before)
  const text = query.toString()
  return text === '' ? '/api/activity' : `/api/activity?${text}`
}
