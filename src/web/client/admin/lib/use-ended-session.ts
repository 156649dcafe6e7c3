import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { getUser } from '#web/contract/addresses.ts'
import { call } from '../../lib/api.ts'
import { onStreamOpened } from '../../lib/changes.ts'
import { isUnauthorized } from './failure.ts'
import { isLeaving } from './session-end.ts'

/**
 * Whether the dashboard's session was found dead without an action of hers: a list is refused, or the stream of
 * changes, which ends with its session, was opened anew and nobody is signed in.
 * @returns the verdict, and the way to take it back after a login
 */
export function useEndedSession(): [ended: boolean, revive: () => void] {
  const client = useQueryClient()
  const [ended, setEnded] = useState(false)
  useEffect(() => {
    const hear = (error: unknown): void => {
      // What an action was told leads to the login by itself.
      if (isUnauthorized(error) && !isLeaving()) setEnded(true)
    }
    const stopReads = client.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') hear(event.action.error)
    })
    // A lost connection is no ended session: then nothing is said.
    const stopStream = onStreamOpened(() => void call(getUser, {}).catch(hear))
    return () => {
      stopReads()
      stopStream()
    }
  }, [client])
  return [ended, () => setEnded(false)]
}
