import { useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { ADMIN_WORDS } from '../admin-constants.ts'
import { useBar } from '../lib/screen.ts'
import styles from './save-bar.module.css'

type SaveBarProps = {
  /** unsaved changes; the bar stands only while there are some, or while a save is under way */
  count: number
  pending: boolean
  /** 'Save Changes', 'Saving...' or 'Uploading...' */
  saveText: string
  onDiscard: () => void
  /** brings back what was discarded; null when nothing was */
  onBringBack: (() => void) | null
  /** gives up what was discarded */
  onForget: () => void
}

/**
 * Sticks to the lower edge of a form while something is unsaved, and offers what was discarded. Put it last inside
 * the `form`: Save submits it.
 */
export function SaveBar({ count, pending, saveText, onDiscard, onBringBack, onForget }: SaveBarProps) {
  const bringBack = useRef<HTMLButtonElement>(null)
  const isKept = onBringBack !== null && count === 0 && !pending
  const discarded = useRef(false)
  const bar = useBar('save')
  useEffect(() => {
    // The button that was pressed is gone: the one that takes the press back stands in its place.
    if (isKept && discarded.current) bringBack.current?.focus({ preventScroll: true })
    discarded.current = false
  }, [isKept])
  if (isKept) {
    return (
      <div key="kept" ref={bar} className={styles.bar} data-kept data-needed>
        <p role="status">Discarded. What you typed is kept as a draft.</p>
        <Button look="plain" onClick={onForget}>
          Forget it
        </Button>
        <Button ref={bringBack} onClick={onBringBack}>
          Bring it back
        </Button>
      </div>
    )
  }
  if (count === 0 && !pending) return null
  return (
    // Keys, since a button whose press makes it another one would be pressed as that one.
    <div key="unsaved" ref={bar} className={styles.bar} data-needed>
      <p role="status">{count === 1 ? '1 unsaved change' : `${count} unsaved changes`}</p>
      <Button
        look="plain"
        onClick={() => {
          // What was sent is not taken back by it.
          if (pending) return
          discarded.current = true
          onDiscard()
        }}
        aria-disabled={pending || undefined}
      >
        {ADMIN_WORDS.discard}
      </Button>
      <Button look="primary" type="submit" busy={pending}>
        {saveText}
      </Button>
    </div>
  )
}
