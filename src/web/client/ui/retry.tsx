import type { Again, Loadable } from '../lib/page-data.ts'
import * as WORDS from '../lib/words.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

/** Asks once more for what did not come. */
export const Retry = ({ again, label = 'Retry' }: { again: Again; label?: string }) => (
  <Button busy={again.retrying} onClick={again.retry}>
    {label}
  </Button>
)

/** Says that a list is shown as it was before a change; nothing where it is not. */
export const Outdated = ({ list }: { list: Loadable<unknown> }) =>
  list.status === 'ready' &&
  list.outdated && (
    <Notice role="alert" text={WORDS.outdated}>
      <Retry again={list.outdated} label={WORDS.tryAgain} />
    </Notice>
  )
