import { useCallback, useEffect, useRef, useState } from 'react'
import type { Artwork, NewArtworkInput } from '#web/contract/artworks.ts'
import { isUnauthorized } from '../../lib/api.ts'
import { LIMITS } from '../../lib/constants.ts'
import { showToast } from '../../ui/toast-store.ts'
import { TOASTS } from '../admin-constants.ts'
import { KEYS } from '../lib/queries.ts'
import { useSave } from '../lib/save.ts'
import { sessionEnded } from '../lib/session-end.ts'
import { alertFor, isCancelled, uploadFailureToast, uploadImage } from '../lib/upload.ts'
import { GALLERY_TOASTS } from './gallery-words.ts'
import { newBodyOf, newValues, titleFromFile } from './work-values.ts'

export type BatchFile = {
  key: number
  name: string
  title: string
  /** an object URL of the file */
  preview: string
  state: 'waiting' | 'uploading' | 'adding' | 'added' | 'failed' | 'cancelled'
  /** of the upload, 0 to 1 */
  part: number
  /** why it failed */
  reason: string | null
}

type Batch = {
  files: readonly BatchFile[]
  running: boolean
  /** adds files to the queue and begins with them */
  take: (files: readonly File[]) => void
  /** tries a failed one again */
  retry: (key: number) => void
  /** gives up what is not added yet */
  stop: () => void
}

/** So many pictures are sent at once: more only make every single one slower. */
const AT_ONCE = 2

const isOpen = ({ state }: BatchFile): boolean =>
  state === 'waiting' || state === 'uploading' || state === 'adding'

/** Several pictures become drafts: not on the website, price 0, titled by their files (issue 6, part 3). */
export function useBatch(): Batch {
  const [files, setFiles] = useState<readonly BatchFile[]>([])
  const waiting = useRef<{ key: number; file: File }[]>([])
  const sent = useRef(new Map<number, { file: File; preview: string }>())
  const working = useRef(0)
  const added = useRef(0)
  const lastKey = useRef(0)
  const stopper = useRef(new AbortController())
  const { save } = useSave<NewArtworkInput, Artwork>({
    request: (body) => ({ method: 'POST', path: '/api/artworks', body }),
    refetch: [KEYS.artworks],
    success: null,
    failure: TOASTS.artworkAddFailed,
  })

  const change = useCallback((key: number, to: Partial<BatchFile>) => {
    setFiles((list) => list.map((each) => (each.key === key ? { ...each, ...to } : each)))
  }, [])

  const addOne = useCallback(
    async (key: number, file: File, signal: AbortSignal): Promise<void> => {
      const alert = alertFor(file, LIMITS.uploadMegabytes)
      if (alert !== null) {
        change(key, { state: 'failed', reason: alert })
        return
      }
      change(key, { state: 'uploading', part: 0, reason: null })
      try {
        const image = await uploadImage(file, { signal, onProgress: (part) => change(key, { part }) })
        change(key, { state: 'adding', part: 1 })
        const values = newValues(new Date())
        const saved = await save(
          newBodyOf({
            ...values,
            title: titleFromFile(file.name),
            imageUrl: image.imageUrl,
            isVisible: false,
          }),
        )
        if (saved.ok) added.current += 1
        change(key, saved.ok ? { state: 'added' } : { state: 'failed', reason: saved.failure.message })
      } catch (error) {
        if (isCancelled(error)) {
          change(key, { state: 'cancelled' })
          return
        }
        change(key, { state: 'failed', reason: uploadFailureToast(error, TOASTS.uploadFailed).description })
        if (isUnauthorized(error)) sessionEnded()
      }
    },
    [change, save],
  )

  const work = useCallback(async (): Promise<void> => {
    if (working.current >= AT_ONCE) return
    working.current += 1
    const { signal } = stopper.current
    for (let next = waiting.current.shift(); next; next = waiting.current.shift()) {
      // One after the other is the point: AT_ONCE of these loops run.
      await addOne(next.key, next.file, signal)
    }
    working.current -= 1
    if (working.current === 0 && added.current > 0) {
      showToast(GALLERY_TOASTS.draftsAdded(added.current))
      added.current = 0
    }
  }, [addOne])

  const begin = useCallback(() => {
    for (let started = 0; started < AT_ONCE; started += 1) void work()
  }, [work])

  const take = useCallback(
    (chosen: readonly File[]) => {
      const more = chosen.map((file): BatchFile => {
        lastKey.current += 1
        const key = lastKey.current
        const preview = URL.createObjectURL(file)
        sent.current.set(key, { file, preview })
        waiting.current.push({ key, file })
        const title = titleFromFile(file.name)
        return { key, name: file.name, title, preview, state: 'waiting', part: 0, reason: null }
      })
      if (stopper.current.signal.aborted) stopper.current = new AbortController()
      setFiles((list) => [...list, ...more])
      begin()
    },
    [begin],
  )
  const retry = useCallback(
    (key: number) => {
      const file = sent.current.get(key)?.file
      if (!file) return
      if (stopper.current.signal.aborted) stopper.current = new AbortController()
      change(key, { state: 'waiting', part: 0, reason: null })
      waiting.current.push({ key, file })
      begin()
    },
    [begin, change],
  )
  const stop = useCallback(() => {
    waiting.current = []
    stopper.current.abort()
    setFiles((list) =>
      list.map((each) => (each.state === 'waiting' ? { ...each, state: 'cancelled' } : each)),
    )
  }, [])

  useEffect(() => {
    const previews = sent.current
    return () => {
      stopper.current.abort()
      for (const { preview } of previews.values()) URL.revokeObjectURL(preview)
    }
  }, [])
  return { files, running: files.some(isOpen), take, retry, stop }
}
