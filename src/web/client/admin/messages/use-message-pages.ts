import { type UseQueryResult, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { listContactMessages } from '#web/contract/addresses.ts'
import { limits } from '#web/contract/limits.ts'
import { subjectWords } from '#web/contract/pages.ts'
import type { ContactMessage } from '#web/contract/messages.ts'
import { call } from '../../lib/api.ts'
import { keyOf } from '../lib/stale.ts'
import { useMessages } from '../lib/queries.ts'
import { searchBy } from '../lib/search.ts'

type Page = readonly ContactMessage[]

const key = [...keyOf(listContactMessages, {}), 'pages']

/** The id after which the list goes on; null where a page was not full. */
const nextOf = (page: Page): string | null =>
  page.length < limits.listPage ? null : (page.at(-1)?.id ?? null)

/**
 * The messages received, newest first: the newest ones, and once somebody asks for more also the older ones, page by
 * page. These are read again as one with the newest, so that no message falls between two pages.
 * @returns `more` shows the next page; null where there is none
 */
export function useMessagePages(): {
  newest: UseQueryResult<Page>
  messages: Page | undefined
  more: { show: () => void; busy: boolean } | null
} {
  const client = useQueryClient()
  const newest = useMessages()
  const [wanted, setWanted] = useState(false)
  const pages = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      call(listContactMessages, { query: pageParam === null ? {} : { before: pageParam }, signal }),
    initialPageParam: null,
    getNextPageParam: (page: Page): string | null => nextOf(page),
    enabled: wanted,
  })

  const { data: first } = newest
  const all = wanted ? pages.data?.pages : undefined
  const messages = useMemo(() => (all === undefined ? first : joined(first ?? [], all.flat())), [first, all])
  const hasMore = all === undefined ? first !== undefined && nextOf(first) !== null : pages.hasNextPage
  const show = (): void => {
    if (!wanted) {
      client.setQueryData(key, { pages: [first], pageParams: [null] })
      setWanted(true)
    }
    void pages.fetchNextPage()
  }
  return { newest, messages, more: hasMore ? { show, busy: pages.isFetchingNextPage } : null }
}

/** The newest as they are now, and behind them the older ones: what was fetched with these may lack one that has come since. */
export const joined = (newest: Page, all: Page): Page => {
  const known = new Set(newest.map(({ id }) => id))
  return newest.concat(all.slice(all.findLastIndex(({ id }) => known.has(id)) + 1))
}

/** The messages that hold every word in name, address, subject, work or message. */
export const messagesWith = searchBy(({ name, email, subject, artworkTitle, message }: ContactMessage) =>
  [name, email, subjectWords[subject], artworkTitle, message].join('\n'),
)
