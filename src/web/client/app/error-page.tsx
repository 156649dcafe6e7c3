import * as WORDS from '../lib/words.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import styles from './error-page.module.css'

const takeFocus = (button: HTMLButtonElement | null): void => button?.focus()

const Broken = () => (
  <Notice
    role="alert"
    text={WORDS.broken}
    hint="Perhaps the connection was lost, or the site was renewed a moment ago."
  >
    <Button ref={takeFocus} onClick={() => window.location.reload()}>
      {WORDS.reload}
    </Button>
  </Notice>
)

/**
 * Stands where a screen broke or a part of the program could not be fetched (offline, or the site was renewed
 * meanwhile). Loading the address again mends the latter, since every page arrives complete.
 */
export function ErrorPage() {
  return (
    <main>
      <Broken />
    </main>
  )
}

/** The same above the page, which stays with what was typed: in the place of an open artwork or of the dashboard. */
export function ErrorAbovePage() {
  return (
    <div className={styles.over}>
      <Broken />
    </div>
  )
}
