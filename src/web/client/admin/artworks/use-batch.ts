import { useCallback, useEffect, useRef, useState } from 'react'
import { batchArtworks } from '#web/contract/addresses.ts'
import type { NewArtworkInput, Artwork } from '#web/contract/artworks.ts'
import { limits } from '#web/contract/limits.ts'
import type { AnswerOf } from '../../lib/api.ts'
import { showToast } from '../../ui/toast-store.ts'
import { TOASTS } from '../admin-constants.ts'
import { draftOf, dropDraft, type FoundDraft, keepDraft } from '../lib/drafts.ts'
import { isUnauthorized } from '../lib/failure.ts'
import { type Saved, useSave } from '../lib/save.ts'
import { sessionEnded } from '../lib/session-end.ts'
import { isCancelled, isFinalRefusal, problemOf, uploadFailureToast, uploadImage } from '../lib/upload.ts'
import { ARTWORK_TOASTS } from './artworks-words.ts'
import { newBodyOf, newValues, titleFromFile } from './artwork-values.ts'

export type BatchFile = {
  key: number
  title: string
  /** an object URL of the file, or the address of an image that has arrived before */
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
  /** adds what an earlier visit left */
  bringBack: (draft: FoundDraft<Arrived>) => void
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

/** Artworks to be, whose images have arrived. */
type Arrived = readonly NewArtworkInput[]

const DRAFT = 'several'

/** Images that had arrived on an earlier visit, which ended before artworks were made of them. */
export const arrivedBefore = (): FoundDraft<Arrived> | null => draftOf<Arrived>(DRAFT)

/** What an uploaded file becomes. */
const artworkOf = (file: File, imageUrl: string): NewArtworkInput =>
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
 * are added by one call, so that they are one act, which is taken back as one; until then they wait in the browser.
 */
export function useBatch(): Batch {
  const [files, setFiles] = useState<readonly BatchFile[]>([])
  const waiting = useRef<number[]>([])
  const sent = useRef(new Map<number, { file: File; preview: string }>())
  const working = useRef(0)
  const arrived = useRef<{ key: number; fields: NewArtworkInput }[]>([])
  /** what has arrived and is not added yet */
  const kept = useRef(new Map<number, NewArtworkInput>())
  const [ownSlot] = useState(() => `${DRAFT}~${Date.now()}`)
  const slot = useRef(ownSlot)
  const lastKey = useRef(0)
  const stopper = useRef(new AbortController())
  const { save } = useSave(batchArtworks, {
    success: null,
    failure: TOASTS.artworkAddFailed,
  })

  const change = useCallback((key: number, to: Partial<BatchFile>) => {
    setFiles((list) => list.map((each) => (each.key === key ? { ...each, ...to } : each)))
  }, [])

  const keep = useCallback(() => {
    const rows = [...kept.current].toSorted(([a], [b]) => a - b).map(([, fields]) => fields)
    if (rows.length === 0) dropDraft(slot.current)
    else keepDraft(slot.current, rows, new Date())
  }, [])

  const arrive = useCallback(
    (key: number, fields: NewArtworkInput) => {
      change(key, { state: 'adding', part: 1 })
      arrived.current.push({ key, fields })
    },
    [change],
  )

  const uploadOne = useCallback(
    async (key: number, signal: AbortSignal): Promise<void> => {
      const before = kept.current.get(key)
      if (before) {
        arrive(key, before)
        return
      }
      const file = sent.current.get(key)?.file
      if (!file) return
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
        const fields = artworkOf(file, image.imageUrl)
        kept.current.set(key, fields)
        keep()
        arrive(key, fields)
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
    [arrive, change, keep],
  )

  const addArrived = useCallback(async (): Promise<void> => {
    // In the order of the list, whichever came first.
    const rows = arrived.current.splice(0, limits.batchRows).toSorted((a, b) => a.key - b.key)
    if (rows.length === 0) return
    const saved = await save({ body: { rows: rows.map(({ fields }) => ({ fields })) } })
    const outcomes = rows.map(({ key }, n) => ({ key, outcome: outcomeOf(saved, n) }))
    for (const { key, outcome } of outcomes) {
      change(key, outcome)
      if (outcome.state === 'added' || outcome.isFinal) kept.current.delete(key)
    }
    keep()
    const added = outcomes.filter(({ outcome }) => outcome.state === 'added').length
    if (saved.ok && added > 0) showToast(ARTWORK_TOASTS.draftsAdded(added), saved.undo)
  }, [change, keep, save])

  const work = useCallback(async (): Promise<void> => {
    if (working.current >= AT_ONCE) return
    working.current += 1
    const { signal } = stopper.current
    for (let next = waiting.current.shift(); next; next = waiting.current.shift()) {
      // One after the other is the point: AT_ONCE of these loops run.
      await uploadOne(next, signal)
    }
    working.current -= 1
    while (working.current === 0 && arrived.current.length > 0) await addArrived()
  }, [uploadOne, addArrived])

  const begin = useCallback(() => {
    for (let started = 0; started < AT_ONCE; started += 1) void work()
  }, [work])

  const queue = useCallback(
    (keys: readonly number[]) => {
      waiting.current.push(...keys)
      if (stopper.current.signal.aborted) stopper.current = new AbortController()
      begin()
    },
    [begin],
  )
  const add = useCallback((each: Pick<BatchFile, 'title' | 'preview'>): number => {
    lastKey.current += 1
    const key = lastKey.current
    setFiles((list) => [...list, { ...UNTRIED, key, ...each }])
    return key
  }, [])
  const take = useCallback(
    (chosen: readonly File[]) =>
      queue(
        chosen.map((file) => {
          const preview = URL.createObjectURL(file)
          const key = add({ title: titleFromFile(file.name), preview })
          sent.current.set(key, { file, preview })
          return key
        }),
      ),
    [add, queue],
  )
  const bringBack = useCallback(
    (draft: FoundDraft<Arrived>) => {
      slot.current = draft.slot
      queue(
        draft.value.map((fields) => {
          const key = add({ title: fields.title, preview: fields.imageUrl })
          kept.current.set(key, fields)
          return key
        }),
      )
    },
    [add, queue],
  )
  const retry = useCallback(
    (key: number) => {
      change(key, { state: 'waiting', part: 0, reason: null, help: null })
      queue([key])
    },
    [change, queue],
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
  return { files, running: files.some(isOpen), take, bringBack, retry, stop }
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
