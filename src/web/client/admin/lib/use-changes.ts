import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onChanges } from '../../lib/changes.ts'
import { staleBy } from '../../lib/stale.ts'
import { postpone } from './under-way.ts'

/** Refetches what the server says has changed, while the dashboard is open. */
export function useChanges(): void {
  const client = useQueryClient()
  useEffect(
    () =>
      onChanges((changed) => {
        for (const key of staleBy(changed)) {
          // A save under way refetches when it is done; an earlier answer would take its change off the screen.
          if (!postpone(key)) void client.invalidateQueries({ queryKey: key })
        }
      }, 'dashboard'),
    [client],
  )
}
