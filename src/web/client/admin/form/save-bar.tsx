import { Button } from '../../ui/button.tsx'
import { ADMIN_WORDS, unsavedChanges } from '../admin-constants.ts'
import styles from './save-bar.module.css'

type SaveBarProps = {
  /** unsaved changes; the bar stands only while there are some, or while a save is under way */
  count: number
  pending: boolean
  /** 'Save Changes', 'Saving...' or 'Uploading...' (specification §2) */
  saveText?: string | undefined
  onDiscard: () => void
}

/** Sticks to the lower edge of a form while something is unsaved. Put it last inside the `form`: Save submits it. */
export function SaveBar({ count, pending, saveText, onDiscard }: SaveBarProps) {
  if (count === 0 && !pending) return null
  return (
    <div className={styles.bar}>
      <p role="status">{unsavedChanges(count)}</p>
      <Button look="plain" onClick={onDiscard} aria-disabled={pending || undefined}>
        {ADMIN_WORDS.discard}
      </Button>
      <Button look="primary" type="submit" busy={pending}>
        {saveText ?? (pending ? ADMIN_WORDS.saving : ADMIN_WORDS.saveChanges)}
      </Button>
    </div>
  )
}
