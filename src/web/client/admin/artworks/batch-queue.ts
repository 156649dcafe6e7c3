import type { batchArtworks } from '#web/contract/addresses.ts'
import type { NewArtworkInput } from '#web/contract/artworks.ts'
import { limits } from '#web/contract/limits.ts'
import type { AnswerOf, SentTo } from '../../lib/api.ts'
import { showToast } from '../../ui/toast-store.ts'
import { TOASTS } from '../admin-constants.ts'
import { dropDraft, type FoundDraft } from '../lib/drafts.ts'
import { failureOf, isUnauthorized, isUndecided } from '../lib/failure.ts'
import type { Save, Saved } from '../lib/save.ts'
import { isCancelled, isFinalRefusal, problemOf, uploadFailureToast, uploadImage } from '../lib/upload.ts'
import { type Arrived, holdArrived, keepArrived, newSlot } from './arrived.ts'
import { newBodyOf, newValues, titleFromFile } from './artwork-values.ts'
import { ARTWORK_TOASTS } from './artworks-words.ts'

/** How far a file has come. */
export type Progress = {
  state: 'waiting' | 'uploading' | 'adding' | 'added' | 'there' | 'failed' | 'cancelled'
  /** of the upload, 0 to 1 */
  part: number
  /** why it failed */
  reason: string | null
  /** how to make an image of it that is taken; null where that is not the trouble */
  help: string | null
  /** the same file would be refused again */
  isFinal: boolean
  /** of the artwork that was made of it */
  id: string | null
}

/** One of a batch: a file, or an image that has arrived before. */
export type Row = {
  readonly key: number
  readonly title: string
  /** an object URL of the file, or the address of the image */
  readonly preview: string
  readonly file: File | null
  /** what it becomes: its image has arrived, and the artwork is not added yet */
  fields: NewArtworkInput | null
  /** what is sent again with it: while nobody knows whether it was added, all that was sent with it, as the same command */
  together: readonly Row[]
}

/** So many images are sent at once: more only make every single one slower. */
const AT_ONCE = 2

/** Sends a file. What it becomes; null when it does not arrive. */
async function arrivalOf(
  file: File,
  signal: AbortSignal,
  change: (to: Partial<Progress>) => void,
  loggedOut: () => void,
): Promise<NewArtworkInput | null> {
  const problem = await problemOf(file)
  if (problem !== null) change({ state: 'failed', reason: problem.alert, help: problem.help, isFinal: true })
  else if (signal.aborted) change({ state: 'cancelled' })
  else
    try {
      change({ state: 'uploading', part: 0, reason: null })
      const { imageUrl } = await uploadImage(file, { signal, onProgress: (part) => change({ part }) })
      return newBodyOf({
        ...newValues(new Date()),
        title: titleFromFile(file.name),
        imageUrl,
        isVisible: false,
      })
    } catch (error) {
      const isLoggedOut = isUnauthorized(error)
      const { description } = uploadFailureToast(error, TOASTS.uploadFailed)
      const reason = isLoggedOut ? failureOf(error).message : description
      change(
        isCancelled(error)
          ? { state: 'cancelled' }
          : { state: 'failed', reason, isFinal: isFinalRefusal(error) },
      )
      if (isLoggedOut) loggedOut()
    }
  return null
}

/** What became of the row at this place. */
function outcomeOf(saved: Saved<AnswerOf<typeof batchArtworks>>, at: number): Partial<Progress> {
  if (!saved.ok) return { state: 'failed', reason: saved.failure.message, isFinal: false }
  const row = saved.answer.rows[at]
  if (row?.status === 201) return { state: 'added', id: row.id }
  // An earlier act has made it of the same picture and name, whatever it is called by now.
  if (row?.status === 200) return { state: 'there', id: row.id }
  const reason = Object.values(row?.fields ?? {}).join('. ')
  return { state: 'failed', reason, isFinal: row?.status === 422 }
}

/**
 * Several images become artworks: not on the website, price 0, titled by their files. Those that have arrived
 * are added by one call, so that they are one act, which is taken back as one; until then they wait in the browser.
 * @param save makes the call
 * @param show shows a new row
 * @param change shows how far the row of that key has come
 * @param loggedOut the session has ended: the login is asked for here, since no browser keeps the files over a login elsewhere
 */
export function createBatchQueue(
  save: Save<SentTo<typeof batchArtworks>, AnswerOf<typeof batchArtworks>>['save'],
  show: (row: Row) => void,
  change: (key: number, to: Partial<Progress>) => void,
  loggedOut: () => void,
) {
  const rows: Row[] = []
  const waiting: Row[] = []
  const arrived: Row[] = []
  let uploads = 0
  const slot = newSlot(new Date())
  let stopper = new AbortController()

  const keep = (): void => {
    const left = rows.flatMap(({ fields }) => fields ?? [])
    keepArrived(slot, left)
  }

  const upload = async (row: Row): Promise<void> => {
    if (row.fields === null && row.file !== null) {
      row.fields = await arrivalOf(row.file, stopper.signal, (to) => change(row.key, to), loggedOut)
      keep()
    }
    if (row.fields === null) return
    change(row.key, { state: 'adding', part: 1 })
    arrived.push(row)
  }

  const addArrived = async (): Promise<void> => {
    // In the order of the list, whichever came first.
    const together = arrived.splice(0, limits.batchRows).toSorted((a, b) => a.key - b.key)
    const bodies = together.flatMap(({ fields }) => (fields ? [{ fields }] : []))
    const saved = await save({ body: { rows: bodies } })
    if (!saved.ok && saved.failure.kind === 'unauthorized') loggedOut()
    let added = 0
    for (const [at, row] of together.entries()) {
      const outcome = outcomeOf(saved, at)
      row.together = !saved.ok && isUndecided(saved.failure) ? together : [row]
      if (outcome.state === 'added') added += 1
      if (outcome.state === 'added' || outcome.state === 'there' || outcome.isFinal) row.fields = null
      change(row.key, outcome)
    }
    keep()
    if (saved.ok && added > 0) showToast(ARTWORK_TOASTS.batchAdded(added), saved.undo)
  }

  const work = async (): Promise<void> => {
    if (uploads === AT_ONCE) return
    const letGo = holdArrived()
    uploads += 1
    // One after the other is the point: AT_ONCE of these loops run.
    for (let next = waiting.shift(); next; next = waiting.shift()) await upload(next)
    uploads -= 1
    while (uploads === 0 && arrived.length > 0) await addArrived()
    letGo()
  }
  const queue = (more: readonly Row[]): void => {
    waiting.push(...more)
    if (stopper.signal.aborted) stopper = new AbortController()
    for (let started = 0; started < AT_ONCE; started += 1) void work()
  }
  const add = (each: Pick<Row, 'title' | 'preview' | 'file' | 'fields'>): Row => {
    const row: Row = { ...each, key: rows.length, together: [] }
    row.together = [row]
    rows.push(row)
    show(row)
    return row
  }

  return {
    /** Adds files, and begins with them. */
    take: (files: readonly File[]): void =>
      queue(
        files.map((file) =>
          add({ title: titleFromFile(file.name), preview: URL.createObjectURL(file), file, fields: null }),
        ),
      ),
    /** Adds what an earlier visit left. */
    bringBack: (draft: FoundDraft<Arrived>): void => {
      const back = draft.value.map((fields) =>
        add({ title: fields.title, preview: fields.imageUrl, file: null, fields }),
      )
      // In a slot of its own: whoever left it may stand open in another tab, and drop what is kept there.
      dropDraft(draft.slot)
      keep()
      queue(back)
    },
    /** Tries a failed one again. */
    retry: (key: number): void => {
      const again = rows[key]?.together ?? []
      for (const each of again) change(each.key, { state: 'waiting', part: 0, reason: null, help: null })
      queue(again)
    },
    /** Gives up what has not arrived yet. */
    stop: (): void => {
      for (const { key } of waiting.splice(0)) change(key, { state: 'cancelled' })
      stopper.abort()
    },
    /** Frees the previews, which are shown no more. */
    close: (): void => {
      stopper.abort()
      for (const { file, preview } of rows) if (file) URL.revokeObjectURL(preview)
    },
  }
}
