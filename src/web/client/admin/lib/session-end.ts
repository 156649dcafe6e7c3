import { loginRedirect } from '#web/contract/addresses.ts'
import { requestOf } from '../../lib/api.ts'
import type { ToastText } from '../../lib/constants.ts'
import { TOASTS, OWNER_DELAYS } from '../admin-constants.ts'
import { showToast } from '../../ui/toast-store.ts'
import { releaseGuards } from './guard-store.ts'

/** What happens on a 401: the catalogue's toast, and for most actions the way to the login. */
export type UnauthorizedManner = 'redirect' | { toast: ToastText }

let leaving = false

/** The page is being left for the login. */
export const isLeaving = (): boolean => leaving

/**
 * Tells that the session has ended and, unless the manner says otherwise, leads to the login after 500 ms.
 * Drafts are kept by then, so that nothing typed is lost.
 */
export function sessionEnded(manner: UnauthorizedManner = 'redirect'): void {
  if (manner !== 'redirect') {
    showToast(manner.toast)
    return
  }
  showToast(TOASTS.unauthorized)
  if (leaving) return
  leaving = true
  setTimeout(() => {
    // What was typed waits as a draft: asking whether to leave would only stand in the way.
    releaseGuards()
    window.location.assign(requestOf(loginRedirect, { query: { returnTo: '/admin' } }).path)
  }, OWNER_DELAYS.unauthorizedRedirect)
}
