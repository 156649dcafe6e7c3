import { useNavigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import * as TEXT from '../lib/texts.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { AdminApp } from './admin-overlay.tsx'
import styles from './admin-page.module.css'
import { useHydrated } from './hydrated.ts'
import { OTHER_WORDS } from './other-words.ts'

/** `/admin`: the dashboard on a page of its own; closing it leads to `/`. */
export function AdminPage() {
  const hydrated = useHydrated()
  const navigate = useNavigate()
  const waiting = (
    <main>
      <p role="status" className={styles.loading}>
        {TEXT.loading}
      </p>
      {/* Shown by the style sheet when the program could not be fetched: there is none that could. */}
      <div className={styles.missed}>
        <Notice text={OTHER_WORDS.dashboardMissed} role="alert">
          <ButtonLink look="primary" href="/admin">
            {OTHER_WORDS.loadAgain}
          </ButtonLink>
          <ButtonLink href="/">{OTHER_WORDS.notFoundHome}</ButtonLink>
        </Notice>
      </div>
      <noscript className={styles.without}>
        <Notice text={OTHER_WORDS.dashboardNeedsScript} hint={OTHER_WORDS.dashboardNeedsScriptHint}>
          <ButtonLink href="/">{OTHER_WORDS.notFoundHome}</ButtonLink>
        </Notice>
      </noscript>
    </main>
  )
  if (!hydrated) return waiting
  return (
    <Suspense fallback={waiting}>
      <AdminApp place="page" onClose={() => void navigate({ to: '/' })} />
    </Suspense>
  )
}
