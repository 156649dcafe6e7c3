import { useMemo } from 'react'
import { changeArtwork } from '#web/contract/addresses.ts'
import type { Artwork } from '#web/contract/artworks.ts'
import { TOASTS } from '../admin-constants.ts'
import { KEYS, useArtworks } from '../lib/queries.ts'
import { useSave } from '../lib/save.ts'
import { useLastKnown } from '../lib/use-last-known.ts'
import { ArtworkForm } from './artwork-form.tsx'
import { GALLERY_WORDS } from './artworks-words.ts'
import { type ArtworkValues, bodyOf, valuesOf } from './artwork-values.ts'
import { useArtworkForm } from './use-artwork-form.ts'

type EditDialogProps = {
  /** the artwork as it was when the dialog opened */
  opened: Artwork
  restoring: boolean
  onClose: () => void
  returnFocus?: (() => HTMLElement | null) | undefined
}

/** Edit Artwork: keeps the image until another one is chosen, and notices what others change. */
export function EditDialog({ opened, restoring, onClose, returnFocus }: EditDialogProps) {
  const { data: artworks } = useArtworks()
  const listed = artworks?.find(({ id }) => id === opened.id)
  const artwork = useLastKnown(listed, opened)
  const base = useMemo(() => valuesOf(artwork), [artwork])
  const saving = useSave(changeArtwork, {
    refetch: [KEYS.artworks],
    success: TOASTS.artworkUpdated,
    failure: TOASTS.artworkUpdateFailed,
  })
  const { form, image } = useArtworkForm({ base, id: opened.id, saving, restoring })
  const save = async ({ imageUrl }: ArtworkValues): Promise<boolean> => {
    // It may have arrived a moment ago, after this form was drawn.
    const changes = { ...form.changes, ...(imageUrl === base.imageUrl ? {} : { imageUrl }) }
    const body = { ...bodyOf(changes), expectedVersion: artwork.version }
    return (await saving.save({ params: { id: opened.id }, body })).ok
  }
  return (
    <ArtworkForm
      title={GALLERY_WORDS.editTitle}
      submitText={GALLERY_WORDS.editSubmit}
      pendingText={GALLERY_WORDS.updating}
      form={form}
      image={image}
      artwork={artwork}
      gone={artworks && !listed ? GALLERY_WORDS.gone : null}
      onSave={save}
      onClose={onClose}
      returnFocus={returnFocus}
    />
  )
}
