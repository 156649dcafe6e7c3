import { useCallback, useEffect, useRef, useState } from 'react'
import type { UploadedImage } from '#web/contract/images.ts'
import type { ToastText } from '../../lib/constants.ts'
import { showToast } from '../../ui/toast-store.ts'
import { failure } from '../admin-constants.ts'
import { sessionEnded } from './session-end.ts'
import { useLatest } from './use-latest.ts'
import { isUnauthorized } from './failure.ts'
import { isCancelled, problemOf, uploadFailureToast, uploadImage } from './upload.ts'

export type UploadState =
  | { status: 'idle' }
  /** `part` is 0 to 1; `preview` an object URL of the file, null while the file itself is still read */
  | { status: 'uploading'; file: File; preview: string | null; part: number }
  | { status: 'done'; file: File; preview: string; image: UploadedImage }
  /** `alert` is the sentence to show at the field with role alert; `help` says how to get on, where that is known */
  | { status: 'failed'; alert: string; help: string | null }

export type Upload = {
  state: UploadState
  /** Checks and sends the file, tells by toast; resolves with the image, or null when it failed or was cancelled. */
  start: (file: File) => Promise<UploadedImage | null>
  cancel: () => void
  /** back to idle, the preview is forgotten */
  clear: () => void
}

export type UploadPlace = {
  /** the largest file: 25 in the artwork dialogs and for the profile */
  megabytes: number
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
      const { megabytes, success, failure: withoutAnswer } = latest.current
      const controller = new AbortController()
      running.current = controller
      // From here on: reading it may take seconds, and a form that is sent meanwhile has to wait.
      setState({ status: 'uploading', file, preview: null, part: 0 })
      const problem = await problemOf(file, megabytes)
      if (running.current !== controller) return null
      if (controller.signal.aborted) {
        setState({ status: 'idle' })
        return null
      }
      if (problem !== null) {
        setState({ status: 'failed', ...problem })
        showToast(failure(problem.alert))
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
        setState({ status: 'failed', alert: toast.description, help: null })
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
