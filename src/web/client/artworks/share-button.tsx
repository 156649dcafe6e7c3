import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { ArtworkIcon } from './artwork-icon.tsx'
import { useCopied } from './copied.ts'
import styles from './stage.module.css'

/** The system's own sharing where there is one, else the link goes to the clipboard. */
export function ShareButton({ title, path }: { title: string; path: string }) {
  const { copy, said, isDone } = useCopied('Link copied')
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
    await copy(url)
  }
  return (
    <Button look="plain" className={styles.share} onClick={() => void share()}>
      {isDone ? <Icon name="check" /> : <ArtworkIcon name="share" />}
      <span aria-live="polite">{said ?? 'Share'}</span>
    </Button>
  )
}
