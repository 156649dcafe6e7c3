import { useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { isLeaving, useUser } from '../lib/session.ts'
import { useHydrated } from '../lib/hydrated.ts'

export type AdminOverlayControl = ReturnType<typeof useAdminOverlay>

/** Whether the dashboard lies above the page: one history entry at the same address. */
export function useAdminOverlay() {
  const navigate = useNavigate()
  const wanted = useLocation({ select: ({ state }) => state.dashboard === true })
  const hydrated = useHydrated()
  /** the login dialog is wanted */
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
  /** signed out: asks for the login; signed in: opens the dashboard */
  const enter = (): void => (signedOut || isLeaving() ? setLogin(true) : open())
  /** one of them was wanted once: a dialog that closes has to be there to give the focus back */
  const [isAsked, setAsked] = useState(false)
  const isOpen = hydrated && wanted
  if ((isOpen || isLogin) && !isAsked) setAsked(true)
  return {
    isOpen,
    isLogin,
    isAsked,
    enter,
    open,
    closeLogin: () => setLogin(false),
  }
}
