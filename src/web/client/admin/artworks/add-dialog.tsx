import { useEffect, useMemo, useRef } from 'react'
import { addArtwork, deleteArtwork } from '#web/contract/addresses.ts'
import type { Artwork } from '#web/contract/artworks.ts'
import { TOASTS } from '../admin-constants.ts'
import { DraftBanner } from '../form/banner.tsx'
import type { Edits } from '../lib/edits.ts'
import { useGuard } from '../lib/guard.tsx'
import { KEYS } from '../lib/queries.ts'
import { useSave } from '../lib/save.ts'
import { useDraft } from '../lib/use-draft.ts'
import { useEdits } from '../lib/use-edits.ts'
import { useLatest } from '../lib/use-latest.ts'
import { useNow } from '../lib/use-now.ts'
import { ARTWORK_SCOPE, ArtworkForm } from './artwork-form.tsx'
import { GALLERY_WORDS } from './artworks-words.ts'
import { useArtworkImage } from './use-artwork-image.ts'
import { newBodyOf, newValues, valuesLike, type ArtworkValues } from './artwork-values.ts'

/** The name of the draft of a work that was never saved. */
export const NEW_DRAFT = 'artwork.new'

type AddDialogProps = {
  /** the work whose fields are copied, or null */
  like: Artwork | null
  /** a picture that was dropped on the gallery */
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
  const form = useEdits(base)
  const picture = useArtworkImage(null, (imageUrl) => form.set('imageUrl', imageUrl))
  const draft = useDraft<Edits<ArtworkValues>>(NEW_DRAFT, form.dirty ? form.edits : null)
  const { save, pending, failure } = useSave(addArtwork, {
    refetch: [KEYS.artworks, KEYS.deletedArtworks],
    success: TOASTS.artworkAdded,
    takenBackBy: (_sent, { id }) => ({ by: deleteArtwork, id }),
    failure: TOASTS.artworkAddFailed,
  })
  const isUploading = picture.upload.state.status === 'uploading'
  useGuard(ARTWORK_SCOPE, form.dirty || isUploading, () => {
    picture.upload.clear()
    draft.drop()
    form.reset()
  })

  const restore = (edits: Edits<ArtworkValues>): void => {
    form.restore(edits)
    if (edits.imageUrl) picture.adopt(edits.imageUrl.mine)
    draft.settle()
  }
  const opening = useLatest({ restore, file, offered: draft.offered })
  const opened = useRef(false)
  useEffect(() => {
    if (opened.current) return
    opened.current = true
    const { offered } = opening.current
    if (restoring && offered) opening.current.restore(offered.value)
    if (opening.current.file) picture.take(opening.current.file)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, with what the dialog was opened for
  }, [])

  const submit = async (values: ArtworkValues): Promise<void> => {
    const { ok } = await save({ body: newBodyOf(values) })
    if (!ok) return
    draft.drop()
    form.reset()
    onClose()
  }
  return (
    <ArtworkForm
      title={GALLERY_WORDS.addTitle}
      submitText={GALLERY_WORDS.addSubmit}
      pendingText={GALLERY_WORDS.adding}
      form={form}
      picture={picture}
      artwork={null}
      pending={pending}
      failure={failure}
      notices={<DraftBanner draft={draft.offered} onRestore={restore} onDiscard={draft.drop} />}
      onSubmit={(values) => void submit(values)}
      onClose={onClose}
      returnFocus={returnFocus}
    />
  )
}
