import { useCallback, useEffect, useRef, useState } from 'react'
import { batchArtworks } from '#web/contract/addresses.ts'
import type { NewArtworkInput, Artwork } from '#web/contract/artworks.ts'
import { limits } from '#web/contract/limits.ts'
import type { AnswerOf } from '../../lib/api.ts'
import { showToast } from '../../ui/toast-store.ts'
import { TOASTS } from '../admin-constants.ts'
import { isUnauthorized } from '../lib/failure.ts'
import { type Saved, useSave } from '../lib/save.ts'
import { sessionEnded } from '../lib/session-end.ts'
import { isCancelled, isFinalRefusal, problemOf, uploadFailureToast, uploadImage } from '../lib/upload.ts'
import { ARTWORK_TOASTS } from './artworks-words.ts'
import { newBodyOf, newValues, titleFromFile } from './artwork-values.ts'

export type BatchFile = {
  key: number
  title: string
  /** an object URL of the file */
  preview: string
  state: 'waiting' | 'uploading' | 'adding' | 'added' | 'failed' | 'cancelled'
  /** of the upload, 0 to 1 */
  part: number
  /** why it failed */
  reason: string | null
  /** how to make an image of it that is taken; null where that is not the trouble */
  help: string | null
  /** the same file would be refused again */
  isFinal: boolean
  /** of the draft that was made of it */
  id: string | null
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

/** So many images are sent at once: more only make every single one slower. */
const AT_ONCE = 2

const isOpen = ({ state }: BatchFile): boolean =>
  state === 'waiting' || state === 'uploading' || state === 'adding'

const UNTRIED = { state: 'waiting', part: 0, reason: null, help: null, isFinal: false, id: null } as const

/** What an uploaded file becomes. */
const draftOf = (file: File, imageUrl: string): NewArtworkInput =>
  newBodyOf({ ...newValues(new Date()), title: titleFromFile(file.name), imageUrl, isVisible: false })

/** What became of the row at this place. */
function outcomeOf(saved: Saved<AnswerOf<typeof batchArtworks>>, at: number): Partial<BatchFile> {
  if (!saved.ok) return { state: 'failed', reason: saved.failure.message, isFinal: false }
  const row = saved.answer.rows[at]
  if (row?.status === 200 || row?.status === 201) return { state: 'added', id: row.id }
  const reason = Object.values(row?.fields ?? {}).join('. ')
  return { state: 'failed', reason, isFinal: row?.status === 422 }
}

/**
 * Several images become drafts: not on the website, price 0, titled by their files. Those that have arrived
 * are added by one call, so that they are one act, which is taken back as one.
 */
export function useBatch(): Batch {
  const [files, setFiles] = useState<readonly BatchFile[]>([])
  const waiting = useRef<{ key: number; file: File }[]>([])
  const sent = useRef(new Map<number, { file: File; preview: string }>())
  const working = useRef(0)
  const arrived = useRef<{ key: number; fields: NewArtworkInput }[]>([])
  const lastKey = useRef(0)
  const stopper = useRef(new AbortController())
  const { save } = useSave(batchArtworks, {
    success: null,
    failure: TOASTS.artworkAddFailed,
  })

  const change = useCallback((key: number, to: Partial<BatchFile>) => {
    setFiles((list) => list.map((each) => (each.key === key ? { ...each, ...to } : each)))
  }, [])

  const uploadOne = useCallback(
    async (key: number, file: File, signal: AbortSignal): Promise<void> => {
      const problem = await problemOf(file)
      if (problem !== null) {
        change(key, { state: 'failed', reason: problem.alert, help: problem.help, isFinal: true })
        return
      }
      if (signal.aborted) {
        change(key, { state: 'cancelled' })
        return
      }
      change(key, { state: 'uploading', part: 0, reason: null })
      try {
        const image = await uploadImage(file, { signal, onProgress: (part) => change(key, { part }) })
        change(key, { state: 'adding', part: 1 })
        arrived.current.push({ key, fields: draftOf(file, image.imageUrl) })
      } catch (error) {
        if (isCancelled(error)) {
          change(key, { state: 'cancelled' })
          return
        }
        const reason = uploadFailureToast(error, TOASTS.uploadFailed).description
        change(key, { state: 'failed', reason, isFinal: isFinalRefusal(error) })
        if (isUnauthorized(error)) sessionEnded()
      }
    },
    [change],
  )

  const addArrived = useCallback(async (): Promise<void> => {
    // In the order of the list, whichever came first.
    const rows = arrived.current.splice(0, limits.batchRows).toSorted((a, b) => a.key - b.key)
    if (rows.length === 0) return
    const saved = await save({ body: { rows: rows.map(({ fields }) => ({ fields })) } })
    const outcomes = rows.map(({ key }, n) => ({ key, outcome: outcomeOf(saved, n) }))
    for (const { key, outcome } of outcomes) change(key, outcome)
    const added = outcomes.filter(({ outcome }) => outcome.state === 'added').length
    if (saved.ok && added > 0) showToast(ARTWORK_TOASTS.draftsAdded(added), saved.undo)
  }, [change, save])

  const work = useCallback(async (): Promise<void> => {
    if (working.current >= AT_ONCE) return
    working.current += 1
    const { signal } = stopper.current
    for (let next = waiting.current.shift(); next; next = waiting.current.shift()) {
      // One after the other is the point: AT_ONCE of these loops run.
      await uploadOne(next.key, next.file, signal)
    }
    working.current -= 1
    while (working.current === 0 && arrived.current.length > 0) await addArrived()
  }, [uploadOne, addArrived])

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
        return { ...UNTRIED, key, title: titleFromFile(file.name), preview }
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
      change(key, { state: 'waiting', part: 0, reason: null, help: null })
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

/** How a file of the queue stands now: what was made of it may have been published or taken back since. */
export type BatchState = BatchFile['state'] | 'published' | 'gone'

/** @param artworks all that there are now; undefined while they are not known */
export function batchState(
  { state, id }: Pick<BatchFile, 'state' | 'id'>,
  artworks: readonly Pick<Artwork, 'id' | 'isVisible'>[] | undefined,
): BatchState {
  if (state !== 'added' || artworks === undefined) return state
  const artwork = artworks.find((each) => each.id === id)
  if (artwork === undefined) return 'gone'
  return artwork.isVisible ? 'published' : 'added'
}
