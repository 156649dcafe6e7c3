import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { keyOf } from '../../lib/queries.ts'
import type { Reading, SentTo } from '../../lib/request.ts'

/** How a call is read through the cache. */
export const reading = <A extends Reading>(address: A, sent: SentTo<A>, manner: { asOwner?: boolean } = {}) =>
  queryOptions({
    queryKey: keyOf(address, sent),
    queryFn: ({ signal }) => call(address, { ...sent, ...manner, signal }),
  })
