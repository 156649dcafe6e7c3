import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Dialog } from 'radix-ui'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import * as WORDS from '../../lib/words.ts'
import { failureToast } from '../admin-constants.ts'
import { PAGE } from '../../lib/page-queries.ts'
import type { User } from '#web/contract/accounts.ts'
import { sessionQuery, useUser } from '../../lib/session.ts'
import { adminEntry, useFocusOfDialog } from '../../ui/give-focus-back.ts'
import { showToast } from '../../ui/toast-store.ts'
import { leaveEscape } from '../../ui/open-dialogs.ts'
import { useLeave } from '../lib/guard.tsx'
import { isOwners } from '../lib/stale.ts'
import LoginDialog from '../accounts/login-dialog.tsx'
import { Dashboard } from './dashboard.tsx'
import waiting from '../../ui/waiting.module.css'
import styles from './gate.module.css'

/**
 * `/admin`: asks who is signed in, then shows the login dialog or the dashboard. A visitor
 * without a session cookie is not asked for: that would only put a 401 into the console.
 */
export function AdminPageGate({ onClose }: { onClose: () => void }) {
  const user = useUser()
  const [asked, setAsked] = useState(false)
  if (user === null && !asked) setAsked(true)
  if (user === undefined) {
    return (
      <main className={styles.page}>
        <p role="status" className={waiting.waiting}>
          {WORDS.loading}
        </p>
      </main>
    )
  }
  if (user === null) {
    return (
      <main className={styles.page}>
        <LoginDialog open onClose={onClose} />
      </main>
    )
  }
  return (
    <div className={styles.page} data-scrolls>
      <Fresh>
        <Dashboard
          onClose={onClose}
          body="main"
          heading={(words) => (asked ? <TakesFocus words={words} /> : <h1>{words}</h1>)}
        />
      </Fresh>
    </div>
  )
}

/** A heading in the place of a dialog that had the focus until now. */
function TakesFocus({ words }: { words: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {words}
    </h1>
  )
}

/** The dashboard above the homepage; found signed out, it says so and closes after a second. */
export function AdminOverlayGate({ isByLogin, onClose }: { isByLogin: boolean; onClose: () => void }) {
  const user = useCheckedUser(isByLogin)
  const { leave } = useLeave()
  const focus = useFocusOfDialog(
    (content) => (content instanceof HTMLElement ? content.querySelector('h1') : null),
    adminEntry,
  )
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
          {...focus}
          onEscapeKeyDown={leaveEscape}
          onPointerDownOutside={(event) => event.preventDefault()}
        >
          {user ? (
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
                <h1 className={waiting.waiting} tabIndex={-1}>
                  {WORDS.loadingAdmin}
                </h1>
              </Dialog.Title>
              {user === null && <TurnedAway onClose={onClose} />}
            </>
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const CLOSES_MS = 1_000

/** Signed out: a destructive toast after a second, and the overlay closes. */
function TurnedAway({ onClose }: { onClose: () => void }) {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    const timer = setTimeout(() => {
      showToast(failureToast('Please log in to access the admin panel.', 'Authentication Required'))
      close()
    }, CLOSES_MS)
    return () => clearTimeout(timer)
  }, [])
  return null
}

/**
 * Who is signed in; where somebody was, asked again when the dashboard opens.
 * @param isAsked it was asked just now
 */
function useCheckedUser(isAsked: boolean): User | null | undefined {
  const queries = useQueryClient()
  const [asks] = useState(() => !isAsked && Boolean(queries.getQueryData(sessionQuery.queryKey)))
  const { data, isFetchedAfterMount } = useQuery({ ...sessionQuery, refetchOnMount: asks && 'always' })
  return asks && !isFetchedAfterMount ? undefined : data
}

/**
 * Lists that an earlier visit of the dashboard has fetched are fetched anew, and those of the page below that have
 * changed meanwhile when the dashboard closes.
 */
function Fresh({ children }: { children: ReactNode }) {
  const queries = useQueryClient()
  useState(() => void queries.invalidateQueries({ predicate: isOwners, refetchType: 'none' }))
  // What has changed of the page below is asked for only now: drawing hundreds of artworks again each time would cost time.
  useEffect(
    () => () =>
      void queries.refetchQueries({
        queryKey: [PAGE],
        type: 'active',
        predicate: ({ state }) => state.isInvalidated,
      }),
    [queries],
  )
  return children
}
