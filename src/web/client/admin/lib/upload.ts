import { uploadImage as uploadCall } from '#web/contract/addresses.ts'
import type { UploadedImage } from '#web/contract/images.ts'
import { ApiError, requestOf } from '../../lib/api.ts'
import { type ToastText, UPLOAD_IMAGE_TYPES } from '../../lib/constants.ts'
import {
  failure,
  UPLOAD_ALERTS,
  UPLOAD_FAILED_DEFAULT,
  UPLOAD_FAILED_TITLE,
  OWNER_LIMITS,
} from '../admin-constants.ts'

const BYTES_PER_MEGABYTE = 1024 * 1024

/**
 * Looks at a file before it is sent.
 * @param megabytes the largest size; 10 unless the place allows more (25 in the artwork dialogs and for the profile)
 * @returns the alert to show, or null when the file may be sent
 */
export function alertFor(
  file: Pick<File, 'type' | 'size'>,
  megabytes: number = OWNER_LIMITS.uploaderDefaultMegabytes,
): string | null {
  const types: readonly string[] = UPLOAD_IMAGE_TYPES
  if (!types.includes(file.type)) return UPLOAD_ALERTS.type
  return file.size > megabytes * BYTES_PER_MEGABYTE ? UPLOAD_ALERTS.size(megabytes) : null
}

/** Images as iPhones keep them; some browsers give such a file no type. */
export function isHeic({ type, name }: Pick<File, 'type' | 'name'>): boolean {
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

/**
 * Looks at a file and into it before it is sent.
 * @returns null when it may be sent
 */
export async function problemOf(file: File, megabytes: number): Promise<FileProblem | null> {
  const alert = alertFor(file, megabytes)
  if (alert !== null) return { alert, help: helpFor(file) }
  return (await holdsHeic(file)) ? { alert: UPLOAD_ALERTS.type, help: UPLOAD_ALERTS.heic } : null
}

/** Beside the alert: what a file is that looks like an image and is not taken, and how to make a JPEG of it. */
function helpFor(file: Pick<File, 'type' | 'name'>): string | null {
  return isHeic(file) ? UPLOAD_ALERTS.heic : null
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
      // The contract's 201 of this call.
      else resolve(JSON.parse(responseText) as UploadedImage)
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
 * 'HTTP {status}'; without any answer the place's own words.
 */
export function uploadFailureToast(error: unknown, withoutAnswer: ToastText): ToastText {
  if (!(error instanceof ApiError)) return withoutAnswer
  const words = error.serverMessage ?? (error.text || `HTTP ${error.status}`)
  return failure(words || UPLOAD_FAILED_DEFAULT, UPLOAD_FAILED_TITLE)
}
