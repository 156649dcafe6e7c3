import { useMemo, useState } from 'react'
import { addArtwork, deleteArtwork, changeArtwork, restoreArtwork } from '#web/contract/addresses.ts'
import type { Artwork } from '#web/contract/artworks.ts'
import { Button } from '../../ui/button.tsx'
import { ADMIN_WORDS, TOASTS } from '../admin-constants.ts'
import { requestOf } from '../../lib/api.ts'
import { useAdding } from '../lib/use-adding.ts'
import { useArtworks } from '../lib/queries.ts'
import { useSave } from '../lib/save.ts'
import { ArtworkForm } from './artwork-form.tsx'
import { ARTWORK_TOASTS, ARTWORK_WORDS } from './artworks-words.ts'
import { newBodyOf, newValues, valuesLike, type ArtworkValues, bodyOf, valuesOf } from './artwork-values.ts'
import { draftNameOf, useArtworkForm } from './use-artwork-form.ts'
import { type EntityForm, useLastKnown } from '../lib/use-entity-form.ts'
import { useLatest } from '../lib/use-latest.ts'
import { useOpening } from '../lib/use-opening.ts'

/** A saved artwork that is edited: as it is now, how it is saved, and what is said once it is not there any more. */
function useEditing(opened: Artwork | null) {
  const { data: artworks } = useArtworks()
  const listed = artworks?.find(({ id }) => id === opened?.id)
  const known = useLastKnown(listed, opened)
  const changing = useSave(changeArtwork, {
    success: TOASTS.artworkUpdated,
    failure: TOASTS.artworkUpdateFailed,
  })
  const restored = useSave(restoreArtwork, ARTWORK_TOASTS.restored)
  const save = (form: EntityForm<ArtworkValues>, artwork: Artwork): Promise<boolean> => {
    const { changes } = form
    const body = { ...bodyOf(changes), expectedVersion: artwork.version }
    return form.saveChanges(changes, () => changing.save({ params: { id: artwork.id }, body }), valuesOf)
  }
  // Samples that were removed are not among the deleted artworks: only the undo of that brings them back.
  const gone =
    known &&
    artworks &&
    !listed &&
    (known.sample ? (
      ARTWORK_WORDS.sampleGone
    ) : (
      <>
        This artwork was deleted meanwhile.{' '}
        <Button busy={restored.pending} onClick={() => void restored.save({ params: { id: known.id } })}>
          {ARTWORK_WORDS.restore}
        </Button>
      </>
    ))
  return { known, changing, save, gone }
}

const EDIT_WORDS = { title: 'Edit Artwork', submitText: 'Update Artwork', pendingText: 'Updating...' }
const ADD_WORDS = {
  title: 'Add New Artwork',
  submitText: 'Add Artwork',
  pendingText: ADMIN_WORDS.adding,
}

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
  const [defaults] = useState(() => newValues(new Date()))
  const fresh = useMemo(() => (like ? valuesLike(like, defaults) : defaults), [like, defaults])
  const adding = useAdding({
    path: requestOf(addArtwork, {}).path,
    adding: useSave(addArtwork, {
      success: ARTWORK_TOASTS.added,
      takenBackBy: (_sent, { id }) => ({ by: deleteArtwork, id }),
      failure: TOASTS.artworkAddFailed,
    }),
    correcting: useSave(changeArtwork, { success: null, failure: TOASTS.artworkUpdateFailed }),
    newBodyOf,
    bodyOf,
    valuesOf,
    draftName: draftNameOf,
  })
  const editing = useEditing(adding.added)
  const artwork = editing.known ?? adding.added
  const base = useMemo(() => (artwork ? valuesOf(artwork) : fresh), [artwork, fresh])
  const { form, image } = useArtworkForm({
    base,
    ...(artwork === null && { defaults }),
    id: artwork?.id ?? null,
    saving: artwork ? editing.changing : adding,
    restoring,
  })
  useOpening(() => {
    if (file) image.take(file)
  })
  const latest = useLatest(form.value)
  const add = (values: ArtworkValues): Promise<boolean> =>
    adding.add(form, values, () => ({
      ...latest.current,
      // Given up meanwhile, a picture leaves the one that was sent.
      imageUrl: latest.current.imageUrl || values.imageUrl,
    }))
  return (
    <ArtworkForm
      {...(artwork ? EDIT_WORDS : ADD_WORDS)}
      form={form}
      image={image}
      artwork={artwork}
      gone={editing.gone}
      onSave={(values) => (artwork ? editing.save(form, artwork) : add(values))}
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
  const { known, changing, save, gone } = useEditing(opened)
  const artwork = known ?? opened
  const base = useMemo(() => valuesOf(artwork), [artwork])
  const { form, image } = useArtworkForm({ base, id: opened.id, saving: changing, restoring })
  return (
    <ArtworkForm
      {...EDIT_WORDS}
      form={form}
      image={image}
      artwork={artwork}
      gone={gone}
      onSave={() => save(form, artwork)}
      onClose={onClose}
      returnFocus={returnFocus}
    />
  )
}
