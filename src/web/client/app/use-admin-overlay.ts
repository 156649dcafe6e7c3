import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
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
  const open = (): void =>
    void navigate({
      to: '.',
      search: true,
      hash: true,
      state: (before) => ({ ...before, dashboard: true }),
      resetScroll: false,
    })
  const signedOut = useUser() === null
  const enter = (): void => (signedOut || isLeaving() ? setLogin(true) : open())
  const [isAsked, setAsked] = useState(false)
  const isOpen = hydrated && wanted
  if ((isOpen || isLogin) && !isAsked) setAsked(true)
  return {
    isOpen,
    isLogin,
    isAsked,
    enter,
    open,
    close: () => history.back(),
    closeLogin: () => setLogin(false),
  }
}
