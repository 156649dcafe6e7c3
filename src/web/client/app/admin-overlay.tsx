import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useState } from 'react'
import { TEXT } from '../lib/constants.ts'
import { useSession } from '../lib/session.ts'
import { wholeChunk } from '../lib/whole-chunk.ts'
import { Quiet } from '../ui/quiet.tsx'
import { useHydrated } from './hydrated.ts'

/** The dashboard with its login dialog, a chunk that visitors never load. */
export const AdminApp = lazy(() => wholeChunk(() => import('../admin/admin-app.tsx')))
const LoginDialog = lazy(() => wholeChunk(() => import('../admin/accounts/login-dialog.tsx')))

type AdminOverlayControl = {
  /** the dashboard lies above the page */
  isOpen: boolean
  /** the login dialog is wanted */
  isLogin: boolean
  /** signed out: asks for the login; signed in: opens the dashboard */
  enter: () => void
  open: () => void
  close: () => void
  closeLogin: () => void
}

/** Whether the dashboard lies above the page: one history entry at the same address. */
export function useAdminOverlay(): AdminOverlayControl {
  const { history } = useRouter()
  const navigate = useNavigate()
  const session = useSession()
  const wanted = useLocation({ select: ({ state }) => state.dashboard === true })
  const hydrated = useHydrated()
  const [isLogin, setLogin] = useState(false)
  const open = useCallback(
    () =>
      void navigate({
        to: '.',
        search: true,
        hash: true,
        state: (before) => ({ ...before, dashboard: true }),
        resetScroll: false,
      }),
    [navigate],
  )
  const signedOut = session.status === 'out'
  const enter = useCallback(() => (signedOut ? setLogin(true) : open()), [signedOut, open])
  const close = useCallback(() => history.back(), [history])
  const closeLogin = useCallback(() => setLogin(false), [])
  return { isOpen: hydrated && wanted, isLogin, enter, open, close, closeLogin }
}

export function AdminOverlay({ control }: { control: AdminOverlayControl }) {
  const { isOpen, isLogin, open, close, closeLogin } = control
  // Fetched when it is asked for, kept then: a dialog that closes has to be there to give the focus back.
  const [asked, setAsked] = useState(false)
  if (isLogin && !asked) setAsked(true)
  return (
    <>
      {asked && (
        <Suspense>
          <LoginDialog open={isLogin} onClose={closeLogin} onSuccess={closeLogin} onOpenAdmin={open} />
        </Suspense>
      )}
      {isOpen && (
        <Suspense
          fallback={
            <div role="status">
              <Quiet>{TEXT.loadingAdmin}</Quiet>
            </div>
          }
        >
          <AdminApp place="overlay" onClose={close} />
        </Suspense>
      )}
    </>
  )
}
