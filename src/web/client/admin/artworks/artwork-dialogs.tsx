import { useMemo } from 'react'
import { addArtwork, deleteArtwork, changeArtwork } from '#web/contract/addresses.ts'
import type { Artwork } from '#web/contract/artworks.ts'
import { TOASTS } from '../admin-constants.ts'
import { useArtworks } from '../lib/queries.ts'
import { useSave } from '../lib/save.ts'
import { useNow } from '../lib/in-words.ts'
import { ArtworkForm } from './artwork-form.tsx'
import { ARTWORK_WORDS } from './artworks-words.ts'
import { newBodyOf, newValues, valuesLike, type ArtworkValues, bodyOf, valuesOf } from './artwork-values.ts'
import { useArtworkForm } from './use-artwork-form.ts'
import { useLastKnown } from '../lib/use-entity-form.ts'

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
    success: TOASTS.artworkAdded,
    takenBackBy: (_sent, { id }) => ({ by: deleteArtwork, id }),
    failure: TOASTS.artworkAddFailed,
  })
  const { form, image } = useArtworkForm({ base, id: null, saving, restoring, file })
  return (
    <ArtworkForm
      title="Add New Artwork"
      submitText="Add Artwork"
      pendingText={ARTWORK_WORDS.adding}
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
      title="Edit Artwork"
      submitText="Update Artwork"
      pendingText="Updating..."
      form={form}
      image={image}
      artwork={artwork}
      gone={
        artworks && !listed
          ? 'This artwork was deleted meanwhile. Restore it from “Recently deleted” first.'
          : null
      }
      onSave={save}
      onClose={onClose}
      returnFocus={returnFocus}
    />
  )
}
