import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { isLeaving, useUser } from '../lib/session.ts'
import { useHydrated } from '../lib/hydrated.ts'

export type AdminOverlayControl = {
  /** the dashboard lies above the page */
  isOpen: boolean
  /** the login dialog is wanted */
  isLogin: boolean
  /** one of them was wanted once: a dialog that closes has to be there to give the focus back */
  isAsked: boolean
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
  const signedOut = useUser() === null
  const enter = useCallback(() => (signedOut || isLeaving() ? setLogin(true) : open()), [signedOut, open])
  const close = useCallback(() => history.back(), [history])
  const closeLogin = useCallback(() => setLogin(false), [])
  const [isAsked, setAsked] = useState(false)
  const isOpen = hydrated && wanted
  if ((isOpen || isLogin) && !isAsked) setAsked(true)
  return { isOpen, isLogin, isAsked, enter, open, close, closeLogin }
}
