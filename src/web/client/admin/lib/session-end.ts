import { loginRedirect, getUser } from '#web/contract/addresses.ts'
import { call, requestOf } from '../../lib/api.ts'
import type { ToastText } from '../../lib/constants.ts'
import { failureToast } from '../admin-constants.ts'
import { showToast } from '../../ui/toast-store.ts'
import { isBeingLeft, releaseGuards } from './guard.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { onStreamOpened } from '../../lib/changes.ts'
import { isUnauthorized } from './failure.ts'
import { isOwners } from './stale.ts'

/** What happens on a 401: the catalogue's toast, and for most actions the way to the login; nothing where she is asked for it by other means. */
export type UnauthorizedManner = 'redirect' | 'nothing' | { toast: ToastText }

const REDIRECT_MS = 500
/** ms until a session that seems to have ended is asked for once more */
const SECOND_LOOK_MS = 500

/**
 * Tells that the session has ended and, unless the manner says otherwise, leads to the login after 500 ms.
 * Drafts are kept by then, so that nothing typed is lost.
 */
export function sessionEnded(manner: UnauthorizedManner = 'redirect'): void {
  if (manner === 'nothing') return
  if (manner !== 'redirect') {
    showToast(manner.toast)
    return
  }
  showToast(failureToast('You are logged out. Logging in again...', 'Unauthorized'))
  if (isBeingLeft()) return
  // What was typed waits as a draft: asking whether to leave would only stand in the way.
  releaseGuards()
  setTimeout(
    () => window.location.assign(requestOf(loginRedirect, { query: { returnTo: '/admin' } }).path),
    REDIRECT_MS,
  )
}

/**
 * Whether the dashboard's session was found dead without an action of hers: a list is refused, or the stream of
 * changes, which ends with its session, was opened anew and nobody is signed in. Either is asked about once more, for a
 * login in another tab ends this session a moment before the browser has the cookie of the next; it is alive again
 * also after such a login.
 * @returns the verdict, and the way to take it back after a login
 */
export function useEndedSession(): [ended: boolean, revive: () => void] {
  const client = useQueryClient()
  const [ended, setEnded] = useState(false)
  const revive = (): void => {
    setEnded(false)
    void client.invalidateQueries({ predicate: isOwners })
  }
  /** @param isRefused a list was, which is to be fetched again */
  const foundAlive = useEffectEvent((isRefused: boolean): void => {
    if (isRefused || ended) revive()
  })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const hear = (error: unknown, refused: () => void): void => {
      // What an action was told leads to the login by itself. A lost connection is no ended session.
      if (isUnauthorized(error) && !isBeingLeft()) refused()
    }
    const askOnceMore = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined
        void call(getUser, {}).then(
          () => foundAlive(true),
          (error: unknown) => hear(error, () => setEnded(true)),
        )
      }, SECOND_LOOK_MS)
    }
    const stopReads = client.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') hear(event.action.error, askOnceMore)
    })
    const stopStream = onStreamOpened(
      () =>
        void call(getUser, {}).then(
          () => foundAlive(false),
          (error: unknown) => hear(error, askOnceMore),
        ),
    )
    return () => {
      clearTimeout(timer)
      stopReads()
      stopStream()
    }
  }, [client])
  return [ended, revive]
}
