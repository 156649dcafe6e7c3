import { lazy, Suspense, useEffect, useState } from 'react'
import * as WORDS from '../lib/words.ts'
import { Quiet } from '../ui/quiet.tsx'
import type { AdminOverlayControl } from './use-admin-overlay.ts'

/** The dashboard with its login dialog, a chunk that visitors never load. */
export const AdminApp = lazy(() => import('../admin/admin-app.tsx'))
const LoginDialog = lazy(() => import('../admin/accounts/login-dialog.tsx'))

/** The way to the login, and the dashboard above the page: fetched when one of them is asked for. */
export default function AdminOverlay({ control }: { control: AdminOverlayControl }) {
  const { isOpen, isLogin, open, close, closeLogin } = control
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
          <AdminApp place="overlay" isByLogin={isByLogin} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
