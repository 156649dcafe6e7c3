import type { Artwork } from '#web/contract/artworks.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ADMIN_WORDS } from '../admin-constants.ts'
import { GALLERY_WORDS } from './artworks-words.ts'

type DeleteArtworkProps = {
  /** the artwork in question; null when nothing is asked */
  artwork: Artwork | null
  onCancel: () => void
  onConfirm: (artwork: Artwork) => void
  returnFocus: () => HTMLElement | null
}

/** Asks in the specification's words, with the focus on Cancel. */
export function DeleteArtwork({ artwork, onCancel, onConfirm, returnFocus }: DeleteArtworkProps) {
  return (
    <ConfirmDialog
      open={artwork !== null}
      title={GALLERY_WORDS.deleteTitle}
      text={GALLERY_WORDS.deleteQuestion}
      cancel={ADMIN_WORDS.cancel}
      confirm={ADMIN_WORDS.delete}
      onCancel={onCancel}
      onConfirm={() => artwork && onConfirm(artwork)}
      returnFocus={returnFocus}
    >
      <small>{GALLERY_WORDS.deleteKept}</small>
      {artwork && (
        <p>
          <cite>{artwork.title}</cite>
        </p>
      )}
    </ConfirmDialog>
  )
}
