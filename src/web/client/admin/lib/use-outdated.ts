import { type Query, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { isOwners } from '../../lib/page-queries.ts'
import { isUnauthorized } from './failure.ts'

/** A list that is shown as it was, because it could not be fetched again. */
const isOutdated = (query: Query): boolean =>
  isOwners(query) &&
  query.isActive() &&
  query.state.data !== undefined &&
  query.state.error !== null &&
  !isUnauthorized(query.state.error)

/**
 * Whether something on the screen could not be fetched again after a change; nothing asks for it by itself.
 * @returns what is known, and the way to ask once more
 */
export function useOutdated(): { outdated: boolean; tryAgain: () => void } {
  const client = useQueryClient()
  const cache = client.getQueryCache()
  const outdated = useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    () => cache.getAll().some(isOutdated),
  )
  return { outdated, tryAgain: () => void client.refetchQueries({ predicate: isOutdated }) }
}
