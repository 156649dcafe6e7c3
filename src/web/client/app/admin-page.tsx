import { useNavigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import * as WORDS from '../lib/words.ts'
import { ButtonLink } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Notice } from '../ui/notice.tsx'
import { AdminApp } from './admin-overlay.tsx'
import waiting from '../ui/waiting.module.css'
import styles from './admin-page.module.css'
import { useHydrated } from '../lib/hydrated.ts'

/** `/admin`: the dashboard on a page of its own; closing it leads to `/`. */
export function AdminPage() {
  const hydrated = useHydrated()
  const navigate = useNavigate()
  const meanwhile = (
    <main>
      <p role="status" className={classNames(waiting.waiting, styles.loading)}>
        {WORDS.loading}
      </p>
      {/* Shown by the style sheet when the program could not be fetched: there is none that could. */}
      <div className={styles.missed}>
        <Notice text="The dashboard could not be loaded." role="alert">
          <ButtonLink look="primary" href="/admin">
            Load again
          </ButtonLink>
          <ButtonLink href="/">{WORDS.notFoundHome}</ButtonLink>
        </Notice>
      </div>
      <noscript className={styles.without}>
        <Notice
          text="The dashboard needs JavaScript."
          hint="Switch it on in the settings of your browser, then load this page again."
        >
          <ButtonLink href="/">{WORDS.notFoundHome}</ButtonLink>
        </Notice>
      </noscript>
    </main>
  )
  if (!hydrated) return meanwhile
  return (
    <Suspense fallback={meanwhile}>
      {/* What is unsaved was asked about before. */}
      <AdminApp place="page" onClose={() => void navigate({ to: '/', ignoreBlocker: true })} />
    </Suspense>
  )
}
