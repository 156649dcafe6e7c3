import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Saving } from '../lib/save.ts'
import { type EntityForm, useEntityForm } from '../lib/use-entity-form.ts'
import { useGuard } from '../lib/guard.tsx'
import { type ArtworkValues, readingOf } from './artwork-values.ts'
import { isOwnImage } from '#web/contract/artwork-address.ts'
import type { UploadedImage } from '#web/contract/images.ts'
import { TOASTS } from '../admin-constants.ts'
import { isUnsent, type Upload, useUpload } from '../lib/upload.ts'

/** The scope under which the guard asks about the dialogs of an artwork. */
export const ARTWORK_SCOPE = 'artwork'

/** What the names of the drafts of artworks begin with. */
export const ARTWORK_DRAFTS = 'artwork.'

/** The name of the draft of an artwork that was never saved. */
const NEW_DRAFT = `${ARTWORK_DRAFTS}new`

/** The name of the draft of a saved artwork. */
export const draftNameOf = (id: string): string => `${ARTWORK_DRAFTS}${id}`

type ArtworkFormOptions = {
  base: ArtworkValues
  /** what a new one begins with where it is like no other */
  defaults?: ArtworkValues
  /** the saved artwork; null for a new one */
  id: string | null
  saving: Saving
  /** the draft of an earlier visit was asked for already */
  restoring: boolean
}

/** The form of an artwork with its image, which may still be on its way. */
export function useArtworkForm(options: ArtworkFormOptions): {
  form: EntityForm<ArtworkValues>
  image: ArtworkImage
} {
  const { base, defaults, id, saving, restoring } = options
  const image = useArtworkImage(id === null ? null : base.imageUrl, (imageUrl) =>
    // oxlint-disable-next-line react/immutability -- form and image know one another; it is called later
    form.set('imageUrl', imageUrl),
  )
  const form = useEntityForm({
    base,
    read: readingOf,
    ...(defaults && { defaults }),
    name: id === null ? NEW_DRAFT : draftNameOf(id),
    scope: ARTWORK_SCOPE,
    saving,
    restoring,
    onRestored: (edits) => {
      if (edits.imageUrl) image.adopt(edits.imageUrl.mine)
    },
  })
  useGuard(ARTWORK_SCOPE, isUnsent(image.upload.state), image.upload.clear)
  return { form, image }
}

/** Where an artwork's image comes from: the one it has, a file, an address. */
export type ImageMode = 'current' | 'upload' | 'url'

export type ArtworkImage = {
  mode: ImageMode
  choose: (mode: ImageMode) => void
  upload: Upload
  /** sends a file, from wherever it came, and puts its address into the form */
  take: (file: File) => void
  /** the address as typed in mode `url` */
  address: string
  setAddress: (address: string) => void
  /** the image of a draft: the right mode for an address that is in the form already */
  adopt: (imageUrl: string) => void
  /** an upload is under way */
  isDue: () => boolean
  /** resolves when no upload is under way any more: whether the last one has arrived, and is in the form */
  settled: () => Promise<boolean>
}

/**
 * The image part of an artwork's form.
 * @param current the saved address; null for a new artwork, which has none to keep
 * @param onChange puts an address into the form
 */
function useArtworkImage(current: string | null, onChange: (imageUrl: string) => void): ArtworkImage {
  const [mode, setMode] = useState<ImageMode>(current === null ? 'upload' : 'current')
  const [address, setText] = useState('')
  const running = useRef<Promise<UploadedImage | null> | null>(null)
  const upload = useUpload({ success: TOASTS.imageUploaded, failure: TOASTS.uploadFailed })
  const { start, clear } = upload

  const take = (file: File): void => {
    setMode('upload')
    const sending = start(file)
    running.current = sending
    void sending.then((image) => {
      if (running.current === sending) running.current = null
      // At once: who waits for it sends the form next.
      if (image) flushSync(() => onChange(image.imageUrl))
    })
  }
  const choose = (next: ImageMode): void => {
    if (next === mode) return
    setMode(next)
    if (next !== 'upload') clear()
    if (next === 'url') onChange(address)
    else onChange(current ?? '')
  }
  const setAddress = (text: string): void => {
    setText(text)
    onChange(text)
  }
  const adopt = (imageUrl: string): void => {
    clear()
    running.current = null
    if (imageUrl === '' || imageUrl === current) return
    if (isOwnImage(imageUrl)) setMode('upload')
    else {
      setText(imageUrl)
      setMode('url')
    }
  }
  const isDue = (): boolean => running.current !== null
  const settled = async (): Promise<boolean> => {
    let image: UploadedImage | null = null
    // Another one may have been chosen instead meanwhile.
    while (running.current) image = await running.current
    return image !== null
  }
  return { mode, choose, upload, take, address, setAddress, adopt, isDue, settled }
}
