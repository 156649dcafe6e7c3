import { Dialog } from 'radix-ui'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { DELAYS, TEXT, TOAST } from '../../lib/constants.ts'
import { usePageStore } from '../../lib/page-store.ts'
import { bringPageStoreUpToDate } from '../../lib/page-queries.ts'
import { queryClient } from '../../lib/queries.ts'
import { type Session, useSession, useSessionStore } from '../../lib/session.ts'
import { showToast } from '../../ui/toast-store.ts'
import { keepsEscape } from '../../ui/keeps-escape.ts'
import { useLeave } from '../lib/guard.tsx'
import LoginDialog from '../login/login-dialog.tsx'
import { Dashboard } from './dashboard.tsx'
import styles from './gate.module.css'

/**
 * `/admin`: asks who is signed in, then shows the login dialog or the dashboard (specification §2). A visitor
 * without a session cookie is not asked for: that would only put a 401 into the console (decisions 80).
 */
export function AdminPageGate({ onClose }: { onClose: () => void }) {
  const session = useCheckedSession()
  if (session.status === 'loading') return <Waiting text={TEXT.loading} />
  if (session.status === 'out') {
    return (
      <main className={styles.page}>
        <LoginDialog open onClose={onClose} />
      </main>
    )
  }
  return (
    <div className={styles.page} data-scrolls>
      <Fresh>
        <Dashboard onClose={onClose} body="main" heading={(words) => <h1>{words}</h1>} />
      </Fresh>
    </div>
  )
}

/** The dashboard above the homepage; found signed out, it says so and closes after a second (decisions 35, 88). */
export function AdminOverlayGate({ onClose }: { onClose: () => void }) {
  const session = useCheckedSession()
  const { leave } = useLeave()
  return (
    <Dialog.Root
      open
      onOpenChange={(open) => {
        if (!open) leave(onClose)
      }}
    >
      <Dialog.Portal>
        <Dialog.Content
          className={styles.overlay}
          data-scrolls
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            if (event.target instanceof HTMLElement) event.target.querySelector('h1')?.focus()
          }}
          onEscapeKeyDown={(event) => {
            if (keepsEscape(event)) event.preventDefault()
          }}
          onPointerDownOutside={(event) => event.preventDefault()}
        >
          {session.status === 'in' ? (
            <Fresh>
              <Dashboard
                onClose={onClose}
                body="div"
                heading={(words) => (
                  <Dialog.Title asChild>
                    <h1 tabIndex={-1}>{words}</h1>
                  </Dialog.Title>
                )}
              />
            </Fresh>
          ) : (
            <>
              <Dialog.Title asChild>
                <h1 className={styles.waitingTitle} tabIndex={-1}>
                  {TEXT.loadingAdmin}
                </h1>
              </Dialog.Title>
              {session.status === 'out' && <TurnedAway onClose={onClose} />}
            </>
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** Signed out: a destructive toast after a second, and the overlay closes (specification §2). */
function TurnedAway({ onClose }: { onClose: () => void }) {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    const timer = setTimeout(() => {
      showToast(TOAST.authenticationRequired)
      close()
    }, DELAYS.adminAutoClose)
    return () => clearTimeout(timer)
  }, [])
  return null
}

function Waiting({ text }: { text: string }) {
  return (
    <main className={styles.page}>
      <p role="status" className={styles.waiting}>
        {text}
      </p>
    </main>
  )
}

/** The session; where somebody was signed in, asked again when the dashboard opens (decisions 88). */
function useCheckedSession(): Session {
  const sessions = useSessionStore()
  const session = useSession()
  const [asking, setAsking] = useState(() => sessions.get().status === 'in')
  useEffect(() => {
    if (!asking) return
    let gone = false
    void sessions.refresh().then(() => {
      if (!gone) setAsking(false)
    })
    return () => {
      gone = true
    }
  }, [asking, sessions])
  return asking ? { status: 'loading' } : session
}

/**
 * Lists that were fetched before (signed out, or by an earlier visit of the dashboard) are fetched anew, and
 * when the dashboard closes the page below gets what it has learnt.
 */
function Fresh({ children }: { children: ReactNode }) {
  const store = usePageStore()
  useState(() => void queryClient.invalidateQueries({ refetchType: 'none' }))
  useEffect(() => () => bringPageStoreUpToDate(store), [store])
  return children
}
