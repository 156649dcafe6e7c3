import { useMemo } from 'react'
import { addArtwork, deleteArtwork } from '#web/contract/addresses.ts'
import type { Artwork } from '#web/contract/artworks.ts'
import { TOASTS } from '../admin-constants.ts'
import { KEYS } from '../lib/queries.ts'
import { useSave } from '../lib/save.ts'
import { useNow } from '../lib/use-now.ts'
import { ArtworkForm } from './artwork-form.tsx'
import { GALLERY_WORDS } from './artworks-words.ts'
import { newBodyOf, newValues, valuesLike } from './artwork-values.ts'
import { useArtworkForm } from './use-artwork-form.ts'

type AddDialogProps = {
  /** the artwork whose fields are copied, or null */
  like: Artwork | null
  /** an image that was dropped on the gallery */
  file: File | null
  /** the draft of an earlier visit was asked for already */
  restoring: boolean
  onClose: () => void
  returnFocus?: (() => HTMLElement | null) | undefined
}

/** Add New Artwork: starts with the file upload and can switch to an address. */
export function AddDialog({ like, file, restoring, onClose, returnFocus }: AddDialogProps) {
  const now = useNow()
  const base = useMemo(() => (like ? valuesLike(like) : newValues(now)), [like, now])
  const saving = useSave(addArtwork, {
    refetch: [KEYS.artworks, KEYS.deletedArtworks],
    success: TOASTS.artworkAdded,
    takenBackBy: (_sent, { id }) => ({ by: deleteArtwork, id }),
    failure: TOASTS.artworkAddFailed,
  })
  const { form, image } = useArtworkForm({ base, id: null, saving, restoring, file })
  return (
    <ArtworkForm
      title={GALLERY_WORDS.addTitle}
      submitText={GALLERY_WORDS.addSubmit}
      pendingText={GALLERY_WORDS.adding}
      form={form}
      image={image}
      artwork={null}
      gone={null}
      onSave={async (values) => (await saving.save({ body: newBodyOf(values) })).ok}
      onClose={onClose}
      returnFocus={returnFocus}
    />
  )
}
