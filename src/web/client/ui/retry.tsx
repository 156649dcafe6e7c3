import { useLayoutEffect, useRef } from 'react'
import type { Again, Loadable } from '../lib/page-data.ts'
import * as WORDS from '../lib/words.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

/**
 * Asks once more for what did not come. The button goes when it has come, and the focus that stood on it to the heading of
 * its section, or of the open artwork.
 */
export function Retry({ again, label = 'Retry' }: { again: Again; label?: string }) {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const pressed = button.current
    const heading = pressed?.closest('section, dialog')?.querySelector<HTMLElement>('h1, h2')
    return () => {
      if (!heading || document.activeElement !== pressed) return
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    }
  }, [])
  return (
    <Button ref={button} busy={again.retrying} onClick={again.retry}>
      {label}
    </Button>
  )
}

/** Says that lists are shown as they were before a change, and asks for these once more; nothing where none is. */
export function Outdated({ lists }: { lists: readonly Loadable<unknown>[] }) {
  const outdated = lists.flatMap((list) => (list.status === 'ready' && list.outdated) || [])
  if (outdated.length === 0) return null
  const again = {
    retrying: outdated.some(({ retrying }) => retrying),
    retry: () => {
      for (const each of outdated) each.retry()
    },
  }
  return (
    <Notice role="alert" above text={WORDS.outdated}>
      <Retry again={again} label={WORDS.tryAgain} />
    </Notice>
  )
}
