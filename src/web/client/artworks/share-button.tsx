import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { ArtworkIcon } from './artwork-icon.tsx'
import { copyText } from './copy-text.ts'
import * as WORDS from '../lib/words.ts'
import styles from './stage.module.css'
import { useMoment } from './moment.ts'

/** The system's own sharing where there is one, else the link goes to the clipboard. */
export function ShareButton({ title, path }: { title: string; path: string }) {
  const copied = useMoment()
  const [failed, setFailed] = useState(false)
  const share = async () => {
    const url = new URL(path, window.location.href).href
    if (navigator.share) {
      try {
        await navigator.share({ title, url })
        return
      } catch (error) {
        // Closing the system's sheet is no failure; anything else falls back to copying.
        if (error instanceof DOMException && error.name === 'AbortError') return
      }
    }
    const done = await copyText(url)
    setFailed(!done)
    copied.begin()
  }
  const outcome = failed ? WORDS.copyFailed : 'Link copied'
  return (
    <Button look="plain" className={styles.share} onClick={() => void share()}>
      {copied.now && !failed ? <Icon name="check" /> : <ArtworkIcon name="share" />}
      <span aria-live="polite">{copied.now ? outcome : 'Share'}</span>
    </Button>
  )
}
