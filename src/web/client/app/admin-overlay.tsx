import { type RouterHistory, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import * as WORDS from '../lib/words.ts'
import { Quiet } from '../ui/quiet.tsx'
import type { AdminOverlayControl } from './use-admin-overlay.ts'

/** The dashboard with its login dialog, a chunk that visitors never load. */
export const AdminApp = lazy(() => import('../admin/admin-app.tsx'))
const LoginDialog = lazy(() => import('../admin/accounts/login-dialog.tsx'))

/** A step back is on its way: another one would leave the page. */
let isGoing = false

/** Closes the dashboard above the page: it is one history entry at the same address. */
function goBack(history: RouterHistory): void {
  if (isGoing || !history.location.state.dashboard) return
  isGoing = true
  const end = history.subscribe(() => {
    isGoing = false
    end()
  })
  // What is unsaved was asked about before.
  history.back({ ignoreBlocker: true })
}

/** The way to the login, and the dashboard above the page: fetched when one of them is asked for. */
export default function AdminOverlay({ control }: { control: AdminOverlayControl }) {
  const { isOpen, isLogin, open, closeLogin } = control
  const { history } = useRouter()
  // The dashboard has a login of its own.
  const [asked, setAsked] = useState(false)
  if (isLogin && !asked) setAsked(true)
  const [isByLogin, setByLogin] = useState(false)
  const openByLogin = (): void => {
    setByLogin(true)
    open()
  }
  useEffect(() => (isOpen ? () => setByLogin(false) : undefined), [isOpen])
  return (
    <>
      {asked && (
        <Suspense>
          <LoginDialog open={isLogin} onClose={closeLogin} onSuccess={closeLogin} onOpenAdmin={openByLogin} />
        </Suspense>
      )}
      {isOpen && (
        <Suspense
          fallback={
            <div role="status">
              <Quiet>{WORDS.loadingAdmin}</Quiet>
            </div>
          }
        >
          <AdminApp place="overlay" isByLogin={isByLogin} onClose={() => goBack(history)} />
        </Suspense>
      )}
    </>
  )
}
