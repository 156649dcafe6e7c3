import { useEffect, useMemo, useRef } from 'react'
import { changeArtwork } from '#web/contract/addresses.ts'
import type { Artwork } from '#web/contract/artworks.ts'
import { TOASTS } from '../admin-constants.ts'
import { ConflictNotice, DraftBanner, FormAlert } from '../form/banner.tsx'
import type { Edits } from '../lib/edits.ts'
import { useGuard } from '../lib/guard.tsx'
import { KEYS, useArtworks } from '../lib/queries.ts'
import { useSave } from '../lib/save.ts'
import { useDraft } from '../lib/use-draft.ts'
import { useEdits } from '../lib/use-edits.ts'
import { useLastKnown } from '../lib/use-last-known.ts'
import { useLatest } from '../lib/use-latest.ts'
import { ARTWORK_SCOPE, ArtworkForm } from './artwork-form.tsx'
import { GALLERY_WORDS } from './artworks-words.ts'
import { useArtworkImage } from './use-artwork-image.ts'
import { bodyOf, FIELD_WORDS, type ArtworkValues, valueInWords, valuesOf } from './artwork-values.ts'

/** The name of the draft of a saved work. */
export const draftNameOf = (id: string): string => `artwork.${id}`

type EditDialogProps = {
  /** the work as it was when the dialog opened */
  opened: Artwork
  restoring: boolean
  onClose: () => void
  returnFocus?: (() => HTMLElement | null) | undefined
}

/** Edit Artwork: keeps the picture until another one is chosen, and notices what others change. */
export function EditDialog({ opened, restoring, onClose, returnFocus }: EditDialogProps) {
  const { data: artworks } = useArtworks()
  const listed = artworks?.find(({ id }) => id === opened.id)
  const artwork = useLastKnown(listed, opened)

  const base = useMemo(() => valuesOf(artwork), [artwork])
  const form = useEdits(base)
  const picture = useArtworkImage(base.imageUrl, (imageUrl) => form.set('imageUrl', imageUrl))
  const draft = useDraft<Edits<ArtworkValues>>(draftNameOf(artwork.id), form.dirty ? form.edits : null)
  const { save, pending, failure } = useSave(changeArtwork, {
    refetch: [KEYS.artworks],
    success: TOASTS.artworkUpdated,
    failure: TOASTS.artworkUpdateFailed,
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
  const opening = useLatest({ restore, offered: draft.offered })
  const isOpened = useRef(false)
  useEffect(() => {
    if (isOpened.current) return
    isOpened.current = true
    const { offered } = opening.current
    if (restoring && offered) opening.current.restore(offered.value)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, with what the dialog was opened for
  }, [])

  const submit = async (values: ArtworkValues): Promise<void> => {
    const changes = {
      ...form.changes,
      // It may have arrived a moment ago, after this form was drawn.
      ...(values.imageUrl === base.imageUrl ? {} : { imageUrl: values.imageUrl }),
    }
    const { ok } = await save({
      params: { id: opened.id },
      body: { ...bodyOf(changes), expectedVersion: artwork.version },
    })
    if (!ok) return
    draft.drop()
    form.reset()
    onClose()
  }

  const conflicts = pending
    ? []
    : form.conflicts.map(({ key, mine, saved }) => ({
        key,
        label: FIELD_WORDS[key],
        mine: valueInWords(key, mine),
        saved: valueInWords(key, saved),
      }))
  const takeSaved = (): void => {
    if (form.conflicts.some(({ key }) => key === 'imageUrl')) picture.choose('current')
    form.takeSaved()
  }
  return (
    <ArtworkForm
      title={GALLERY_WORDS.editTitle}
      submitText={GALLERY_WORDS.editSubmit}
      pendingText={GALLERY_WORDS.updating}
      form={form}
      picture={picture}
      artwork={artwork}
      pending={pending}
      failure={failure}
      conflicts={conflicts.length}
      notices={
        <>
          <DraftBanner draft={draft.offered} onRestore={restore} onDiscard={draft.drop} />
          <ConflictNotice conflicts={conflicts} onKeepMine={form.keepMine} onTakeSaved={takeSaved} />
          {artworks && !listed && <FormAlert>{GALLERY_WORDS.gone}</FormAlert>}
        </>
      }
      onSubmit={(values) => void submit(values)}
      onClose={onClose}
      returnFocus={returnFocus}
    />
  )
}
