import type { Artwork } from '#web/contract/artworks.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ADMIN_WORDS } from '../admin-constants.ts'
import { GALLERY_WORDS } from './gallery-words.ts'

type DeleteWorkProps = {
  /** the work in question; null when nothing is asked */
  work: Artwork | null
  onCancel: () => void
  onConfirm: (work: Artwork) => void
  returnFocus: () => HTMLElement | null
}

/** Asks in the specification's words, with the focus on Cancel. */
export function DeleteWork({ work, onCancel, onConfirm, returnFocus }: DeleteWorkProps) {
  return (
    <ConfirmDialog
      open={work !== null}
      title={GALLERY_WORDS.deleteTitle}
      text={GALLERY_WORDS.deleteQuestion}
      cancel={ADMIN_WORDS.cancel}
      confirm={ADMIN_WORDS.delete}
      onCancel={onCancel}
      onConfirm={() => work && onConfirm(work)}
      returnFocus={returnFocus}
    >
      {work && (
        <p>
          <cite>{work.title}</cite>
        </p>
      )}
    </ConfirmDialog>
  )
}
