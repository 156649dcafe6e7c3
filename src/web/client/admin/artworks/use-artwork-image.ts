import { useCallback, useRef, useState } from 'react'
import type { UploadedImage } from '#web/contract/images.ts'
import { TOASTS, OWNER_LIMITS } from '../admin-constants.ts'
import { type Upload, useUpload } from '../lib/use-upload.ts'

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
  /** an upload is under way, or has arrived and is not in the form yet, which holds this address */
  isDue: (imageUrl: string) => boolean
  /** resolves when no upload is under way any more: the image's address, or null when it failed or there was none */
  settled: () => Promise<string | null>
}

/** An address of our own, as an upload answers it. */
export const isUploaded = (imageUrl: string): boolean => imageUrl.startsWith('/images/')

/**
 * The image part of an artwork's form.
 * @param current the saved address; null for a new artwork, which has none to keep
 * @param onChange puts an address into the form
 */
export function useArtworkImage(current: string | null, onChange: (imageUrl: string) => void): ArtworkImage {
  const [mode, setMode] = useState<ImageMode>(current === null ? 'upload' : 'current')
  const [address, setText] = useState('')
  const running = useRef<Promise<UploadedImage | null> | null>(null)
  const uploaded = useRef<string | null>(null)
  const upload = useUpload({
    megabytes: OWNER_LIMITS.uploadMegabytes,
    success: TOASTS.imageUploaded,
    failure: TOASTS.uploadFailed,
  })
  const { start, clear } = upload

  const take = (file: File): void => {
    setMode('upload')
    const sending = start(file)
    running.current = sending
    void sending.then((image) => {
      if (running.current === sending) running.current = null
      if (!image) return
      uploaded.current = image.imageUrl
      onChange(image.imageUrl)
    })
  }
  const choose = (next: ImageMode): void => {
    if (next === mode) return
    setMode(next)
    if (next !== 'upload') {
      clear()
      uploaded.current = null
    }
    if (next === 'url') onChange(address)
    else onChange(current ?? '')
  }
  const setAddress = (text: string): void => {
    setText(text)
    onChange(text)
  }
  const adopt = (imageUrl: string): void => {
    if (imageUrl === '' || imageUrl === current) return
    if (isUploaded(imageUrl)) {
      uploaded.current = imageUrl
      setMode('upload')
    } else {
      setText(imageUrl)
      setMode('url')
    }
  }
  const settled = useCallback(async () => {
    if (running.current) return (await running.current)?.imageUrl ?? null
    return uploaded.current
  }, [])
  const isDue = (imageUrl: string): boolean =>
    running.current !== null || (uploaded.current !== null && uploaded.current !== imageUrl)
  return { mode, choose, upload, take, address, setAddress, adopt, isDue, settled }
}
