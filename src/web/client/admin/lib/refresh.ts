import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { isPassing, pauseAfter } from './passing.ts'
import { postpone } from './under-way.ts'

/** Lists that could not be fetched, until they are asked for again. */
const overdue = new Map<string, ReturnType<typeof setTimeout>>()

/**
 * Fetches a list again after a change, also while another fetch of it is on its way: that one may have begun before
 * the change. Never rejects: a list that cannot be fetched just now stays as it was, and is asked for again until it
 * comes, since nothing else would tell it of the change. Lists that nobody looks at wait until somebody does.
 */
export async function refresh(client: QueryClient, queryKey: QueryKey, tries = 0): Promise<void> {
  const name = queryKey.join('/')
  clearTimeout(overdue.get(name))
  overdue.delete(name)
  await client.invalidateQueries({ queryKey }, { cancelRefetch: true })
  const isMissing = client
    .getQueryCache()
    .findAll({ queryKey, type: 'active' })
    .some(({ state }) => state.status === 'error' && state.data !== undefined && isPassing(state.error))
  if (!isMissing || overdue.has(name)) return
  const again = (): void => {
    overdue.delete(name)
    // A save under way fetches it when it is done.
    if (!postpone(queryKey)) void refresh(client, queryKey, tries + 1)
  }
  overdue.set(name, setTimeout(again, pauseAfter(tries)))
}
