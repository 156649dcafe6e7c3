import { useEffect, useRef } from 'react'
import type { Failure } from '../lib/failure.ts'
import { type EntityForm, useEntityForm } from '../lib/use-entity-form.ts'
import { useLatest } from '../lib/use-latest.ts'
import type { ArtworkValues } from './artwork-values.ts'
import { type ArtworkImage, useArtworkImage } from './use-artwork-image.ts'

/** The scope under which the guard asks about the dialogs of an artwork. */
export const ARTWORK_SCOPE = 'artwork'

/** The name of the draft of an artwork that was never saved. */
export const NEW_DRAFT = 'artwork.new'

/** The name of the draft of a saved work. */
export const draftNameOf = (id: string): string => `artwork.${id}`

type ArtworkFormOptions = {
  base: ArtworkValues
  /** the saved work; null for a new one */
  id: string | null
  saving: { pending: boolean; failure: Failure | null }
  /** the draft of an earlier visit was asked for already */
  restoring: boolean
  /** an image that was dropped on the gallery */
  file?: File | null
}

/** The form of an artwork with its image, which may still be on its way. */
export function useArtworkForm(options: ArtworkFormOptions): {
  form: EntityForm<ArtworkValues>
  image: ArtworkImage
} {
  const { base, id, saving, restoring, file = null } = options
  const image = useArtworkImage(id === null ? null : base.imageUrl, (imageUrl) =>
    form.set('imageUrl', imageUrl),
  )
  const form = useEntityForm({
    base,
    name: id === null ? NEW_DRAFT : draftNameOf(id),
    scope: ARTWORK_SCOPE,
    saving,
    beside: { dirty: image.upload.state.status === 'uploading', discard: image.upload.clear },
    onRestored: (edits) => edits.imageUrl && image.adopt(edits.imageUrl.mine),
  })
  const opening = useLatest({ form, image })
  const isOpened = useRef(false)
  useEffect(() => {
    if (isOpened.current) return
    isOpened.current = true
    const { offered } = opening.current.form.draft
    if (restoring && offered) opening.current.form.bringBack(offered.value)
    if (file) opening.current.image.take(file)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, with what the dialog was opened for
  }, [])
  return { form, image }
}
