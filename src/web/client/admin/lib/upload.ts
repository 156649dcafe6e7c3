import { uploadImage as uploadCall } from '#web/contract/addresses.ts'
import type { UploadedImage } from '#web/contract/images.ts'
import { imageTooLarge, limits } from '#web/contract/limits.ts'
import { ApiError, requestOf } from '../../lib/api.ts'
import type { ToastText } from '../../lib/constants.ts'
import { failureToast, UPLOAD_IMAGE_TYPES } from '../admin-constants.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { showToast } from '../../ui/toast-store.ts'
import { sessionEnded } from './session-end.ts'
import { useLatest } from './use-latest.ts'
import { isUnauthorized } from './failure.ts'

/** Alerts of the uploader; shown at the field and as a toast. */
const ALERTS = {
  type: 'Please select a valid image file',
  empty: 'This file is empty',
  fetched:
    'It may not have been copied or fetched to this device whole. Open it here once, then choose it again.',
  heic: 'This is a HEIC picture, as iPhones keep them; browsers cannot show it. To make a JPEG of it: on the iPhone share it from Photos, press Options, choose “Most Compatible” and save it to Files; on a Mac open it in Preview and choose File, Export. For new photos: Settings, Camera, Formats, “Most Compatible”.',
} as const

/** What speaks against sending a file, by its kind and size; null for nothing. */
export function alertFor(file: Pick<File, 'type' | 'size'>): string | null {
  const types: readonly string[] = UPLOAD_IMAGE_TYPES
  if (!types.includes(file.type)) return ALERTS.type
  return file.size > limits.imageBytes ? imageTooLarge : null
}

/** Images as iPhones keep them; some browsers give such a file no type. */
function isHeic({ type, name }: Pick<File, 'type' | 'name'>): boolean {
  return /^image\/hei[cf]/.test(type) || /\.(?:heic|heif|hif)$/i.test(name)
}

/** The kinds that an ISO file names of itself when it is such an image. */
const HEIC_BRANDS: readonly string[] = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']
const BRAND_ENDS = 12

/** The same by what is in it: some programs call such a file .jpg, and browsers believe the name. */
async function holdsHeic(file: Blob): Promise<boolean> {
  try {
    const head = await file.slice(4, BRAND_ENDS).text()
    return head.startsWith('ftyp') && HEIC_BRANDS.includes(head.slice(4))
  } catch (error) {
    // Gone since it was chosen: sending it tells.
    console.warn('The file could not be looked into', error)
    return false
  }
}

/** Why a file is not sent: the alert, and how to get on where that is known. */
export type FileProblem = { alert: string; help: string | null }

/** Looks at a file and into it before it is sent; null when it may be. */
export async function problemOf(file: File): Promise<FileProblem | null> {
  const alert = alertFor(file)
  if (alert !== null) return { alert, help: isHeic(file) ? ALERTS.heic : null }
  if (file.size === 0) return { alert: ALERTS.empty, help: ALERTS.fetched }
  return (await holdsHeic(file)) ? { alert: ALERTS.type, help: ALERTS.heic } : null
}

/** Whether the server would refuse the same image again: too large, of another kind, or not readable. */
export function isFinalRefusal(error: unknown): boolean {
  return error instanceof ApiError && [400, 413, 415, 422].includes(error.status)
}

export type UploadOptions = {
  /** called with the part that has been sent, 0 to 1 */
  onProgress?: (part: number) => void
  /** aborting it cancels the upload; the promise then rejects with an AbortError */
  signal?: AbortSignal
}

/**
 * Sends an image. XMLHttpRequest, because fetch does not tell how much has been sent.
 * Throws `ApiError` when the server refuses, TypeError when no answer came, an AbortError when cancelled.
 */
export function uploadImage(file: Blob, { onProgress, signal }: UploadOptions = {}): Promise<UploadedImage> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const { method, path } = requestOf(uploadCall, {})
    request.open(method, path)
    request.withCredentials = true
    request.setRequestHeader('accept', 'application/json')
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      if (total > 0) onProgress?.(loaded / total)
    })
    request.addEventListener('load', () => {
      const { status, statusText, responseText } = request
      if (status < 200 || status >= 300) reject(new ApiError(status, statusText, responseText))
      // The contract's 201 of this call; a network's own page in its place is no answer.
      else resolve(new Response(responseText).json() as Promise<UploadedImage>)
    })
    request.addEventListener('error', () => reject(new TypeError('The upload got no answer')))
    request.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    const body = new FormData()
    body.append('image', file)
    request.send(body)
  })
}

/** Whether an upload ended because she cancelled it. */
export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

/**
 * The toast of a failed upload: 'Upload Failed' with the server's sentence, else its raw text, else
 * 'HTTP {status}', also for the page of a proxy; without any answer the place's own words.
 */
export function uploadFailureToast(error: unknown, withoutAnswer: ToastText): ToastText {
  if (!(error instanceof ApiError)) return withoutAnswer
  const { serverMessage, status } = error
  const text = error.text.trim()
  const words = serverMessage ?? (text && !text.startsWith('<') ? text : `HTTP ${status}`)
  return failureToast(words || 'Upload failed', 'Upload Failed')
}

type UploadState =
  | { status: 'idle' }
  /** `part` is 0 to 1; `preview` an object URL of the file, null while the file itself is still read */
  | { status: 'uploading'; file: File; preview: string | null; part: number }
  | { status: 'done'; file: File; preview: string; image: UploadedImage }
  /**
   * `alert` is the sentence to show at the field with role alert; `help` says how to get on, where that is known; `again` may be
   * taken another time, and is perhaps nowhere else, as a photo that was just made
   */
  | { status: 'failed'; alert: string; help: string | null; again: File | null }

/** Whether there is an image that is not sent yet: leaving would lose it. */
export const isUnsent = (state: UploadState): boolean =>
  state.status === 'uploading' || (state.status === 'failed' && state.again !== null)

export type Upload = {
  state: UploadState
  /** Checks and sends the file, tells by toast; resolves with the image, or null when it failed or was cancelled. */
  start: (file: File) => Promise<UploadedImage | null>
  cancel: () => void
  /** back to idle, the preview is forgotten */
  clear: () => void
}

export type UploadPlace = {
  success: ToastText
  /** the toast when no answer came: 'Failed to upload image.' or 'Failed to upload profile image.' */
  failure: ToastText
}

/** An upload with progress, cancel and the catalogue's toasts. */
export function useUpload(place: UploadPlace): Upload {
  const [state, setState] = useState<UploadState>({ status: 'idle' })
  const running = useRef<AbortController | null>(null)
  const preview = useRef<string | null>(null)
  const latest = useLatest(place)

  const forgetPreview = useCallback(() => {
    if (preview.current) URL.revokeObjectURL(preview.current)
    preview.current = null
  }, [])
  const cancel = useCallback(() => running.current?.abort(), [])
  const clear = useCallback(() => {
    running.current?.abort()
    running.current = null
    forgetPreview()
    setState({ status: 'idle' })
  }, [forgetPreview])

  const start = useCallback(
    async (file: File): Promise<UploadedImage | null> => {
      running.current?.abort()
      forgetPreview()
      const { success, failure: withoutAnswer } = latest.current
      const controller = new AbortController()
      running.current = controller
      // From here on: reading it may take seconds, and a form that is sent meanwhile has to wait.
      setState({ status: 'uploading', file, preview: null, part: 0 })
      const problem = await problemOf(file)
      if (running.current !== controller) return null
      if (controller.signal.aborted) {
        setState({ status: 'idle' })
        return null
      }
      if (problem !== null) {
        setState({ status: 'failed', ...problem, again: null })
        showToast(failureToast(problem.alert))
        return null
      }
      const url = URL.createObjectURL(file)
      preview.current = url
      setState({ status: 'uploading', file, preview: url, part: 0 })
      try {
        const image = await uploadImage(file, {
          signal: controller.signal,
          onProgress: (part) => {
            if (running.current === controller) setState({ status: 'uploading', file, preview: url, part })
          },
        })
        if (running.current !== controller) return null
        setState({ status: 'done', file, preview: url, image })
        showToast(success)
        return image
      } catch (error) {
        if (running.current !== controller) return null
        if (isCancelled(error)) {
          setState({ status: 'idle' })
          return null
        }
        const toast = uploadFailureToast(error, withoutAnswer)
        const again = isFinalRefusal(error) ? null : file
        setState({ status: 'failed', alert: toast.description, help: null, again })
        if (isUnauthorized(error)) sessionEnded()
        else showToast(toast)
        return null
      }
    },
    [forgetPreview, latest],
  )

  useEffect(
    () => () => {
      running.current?.abort()
      running.current = null
      forgetPreview()
    },
    [forgetPreview],
  )
  return { state, start, cancel, clear }
}
