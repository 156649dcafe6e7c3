import { WORDS } from '../lib/constants.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { useTakenOver } from './taken-over.ts'

/**
 * Stands where a screen broke or a part of the program could not be fetched (offline, or the site was renewed
 * meanwhile). Loading the address again mends the latter, since every page arrives complete.
 */
export function ErrorPage() {
  useTakenOver()
  return (
    <main>
      <Notice role="alert" text={WORDS.broken} hint={WORDS.brokenHint}>
        <Button onClick={() => window.location.reload()}>{WORDS.reload}</Button>
      </Notice>
    </main>
  )
}
