import {
  afterSave,
  type Conflict,
  type EditedForm,
  edited,
  type Edits,
  type Reading,
  editsTo,
  overlapOf,
  unsavedOf,
  useEdits,
} from './edits.ts'
import { type Failure, fieldErrors } from './failure.ts'
import { type LeaveQuestion, useGuard } from './guard.tsx'
import { keepDraft } from './drafts.ts'
import type { Saved, Saving } from './save.ts'
import { useDraft } from './use-draft.ts'
import { useMemo, useState } from 'react'
import { useIsThere, useLatest } from './use-latest.ts'
import { useOpening } from './use-opening.ts'

const BEING_SAVED: LeaveQuestion = {
  title: 'Still saving',
  text: 'This is being saved, and closing does not stop it. If it fails, what you typed waits here as a draft.',
  stay: 'Keep waiting',
  go: 'Close',
}

type EntityFormOptions<T extends object> = {
  /** what is saved now, or the defaults of a new one */
  base: T
  /** of a new one that began with other values: the defaults, over which its draft is kept */
  defaults?: T
  /** what a value says, where that of a text is not enough */
  read?: Reading<T>
  /** the name of its draft: one per form and record */
  name: string
  /** the part of the dashboard that the guard asks about, see `useGuard` */
  scope: string
  saving: Saving
  /** the draft of an earlier visit was asked for already */
  restoring?: boolean
  /** a draft has come back into the fields */
  onRestored?: (edits: Edits<T>) => void
}

export type EntityForm<T extends object> = EditedForm<T> &
  Saving & {
    /** messages by field path, of the last save */
    errors: Readonly<Record<string, string>>
    /** fields changed elsewhere that wait for a choice; none while a save is under way, which changes them itself */
    undecided: readonly Conflict<T>[]
    /** what an earlier visit left, and what was put aside in this one */
    draft: ReturnType<typeof useDraft<Edits<T>>>
    /** puts a draft into the fields */
    bringBack: (edits: Edits<T>) => void
    /** gives up what is unsaved, its draft too */
    discard: () => void
    /**
     * Saves changes. What was sent is unsaved no more then, what was typed meanwhile stays.
     * @param save sends them
     * @param valuesOf what the form holds of the record that is answered
     * @returns whether the form is to be closed: they were saved, nothing was typed meanwhile, nothing else of its part is
     * unsaved, as an upload that is under way, and it is still there
     */
    saveChanges: <Answer>(
      changes: Partial<T>,
      save: () => Promise<Saved<Answer>>,
      valuesOf: (answer: Answer) => T,
    ) => Promise<boolean>
    /**
     * After a new one was added: what was typed meanwhile stays.
     * @param goesOnAs the name of its draft by now
     * @returns whether the form is to be closed
     */
    goOn: (left: Edits<T>, goesOnAs: string) => boolean
    /** Sends a save: what was typed is offered as a draft again only when that fails. Gives what it gives. */
    send: <Sent>(save: () => Promise<Sent>) => Promise<Sent>
  }

/**
 * A form over a saved record, or over the defaults of a new one: edits that notice what others change, a draft that
 * outlives the browser, the question before it is left, and what the server said of its fields.
 */
export function useEntityForm<T extends object>(options: EntityFormOptions<T>): EntityForm<T> {
  const { base: listed, defaults, read, name, scope, saving, restoring = false, onRestored } = options
  const { pending, failure } = saving
  /** what the last save was sent over, and its answer: the list may not be fetched after it */
  const [[over, answered = listed], setAnswered] = useState<readonly T[]>([])
  const base = over === listed ? answered : listed
  /** what is saved may be something else by now: a save was sent since the last that was made, and not refused for its fields alone */
  const [isUnsure, setIsUnsure] = useState(false)
  const form = useEdits(base, pending || isUnsure, read)
  const { value, edits, dirty } = form
  if (isUnsure && !dirty) setIsUnsure(false)
  const kept = useMemo(() => {
    if (!dirty) return null
    return defaults ? editsTo(defaults, value) : edits
  }, [dirty, defaults, value, edits])
  const draft = useDraft<Edits<T>>(name, kept)
  const discard = (): void => {
    draft.drop()
    form.reset()
  }
  // What is being sent keeps its draft until it is answered.
  const isAlone = useGuard(
    scope,
    dirty,
    pending ? () => undefined : discard,
    pending ? BEING_SAVED : undefined,
  )
  const bringBack = (taken: Edits<T>): void => {
    // Over defaults nothing was changed by anybody else; what is saved by now is nothing to bring back.
    const back = defaults ? editsTo(base, edited(base, taken)) : unsavedOf(base, taken)
    const instead = overlapOf(edits, back)
    const all = { ...edits, ...back }
    form.restore(all)
    // An earlier visit may have sent it.
    setIsUnsure(!defaults)
    onRestored?.(back)
    draft.settle(taken, Object.keys(instead).length > 0 ? instead : null)
    if (Object.keys(all).length === 0) draft.drop()
  }
  useOpening(() => {
    if (restoring && draft.offered) bringBack(draft.offered.value)
  })
  const latest = useLatest(edits)
  const isThere = useIsThere()
  /** Nothing is left of what was typed. */
  const isDone = (): boolean => {
    discard()
    return isThere.current && isAlone()
  }
  const goOn = (left: Edits<T>, goesOnAs: string): boolean => {
    if (Object.keys(left).length === 0) return isDone()
    draft.drop()
    // What was corrected of it may have got no answer.
    setIsUnsure(true)
    if (isThere.current) form.restore(left)
    else keepDraft(goesOnAs, left, new Date())
    return false
  }
  const errors = useFieldErrors(failure, form.value)
  const undecided = pending ? [] : form.conflicts
  const send = <Sent>(save: () => Promise<Sent>): Promise<Sent> => {
    const end = draft.withhold()
    return save().finally(end)
  }
  const saveChanges: EntityForm<T>['saveChanges'] = async (changes, save, valuesOf) => {
    setIsUnsure(true)
    const result = await send(save)
    if (result.ok || (result.failure.kind === 'fields' && !isUnsure)) setIsUnsure(false)
    if (!result.ok) return false
    const now = valuesOf(result.answer)
    setAnswered([listed, now])
    const left = afterSave(now, latest.current, changes)
    if (Object.keys(left).length === 0) return isDone()
    if (isThere.current) form.settle(changes, now)
    else draft.keep(left)
    return false
  }
  return { ...form, pending, failure, errors, undecided, draft, bringBack, discard, saveChanges, goOn, send }
}

/**
 * What the server said of a form's fields, by field path, of those that still hold what it judged: a field that was
 * put right must not stay red until the next save.
 * @param failure of `useSave`
 * @param values what the form holds now
 */
export function useFieldErrors(failure: Failure | null, values: object): Readonly<Record<string, string>> {
  const [judged, setJudged] = useState({ failure, values })
  if (judged.failure !== failure) setJudged({ failure, values })
  return Object.fromEntries(
    Object.entries(fieldErrors(failure)).filter(
      ([path]) => valueAt(values, path) === valueAt(judged.values, path),
    ),
  )
}

// A path of a field's message names one of the form's own keys, or none.
const valueAt = (values: object, path: string): unknown => (values as Record<string, unknown>)[path]

/**
 * A record as it is now, or as it was last known: deleted elsewhere while it is edited, it must not take what was
 * typed with it.
 * @param now the record in its list; undefined once it is not there any more
 * @param opened the record as it was when the form opened
 */
export function useLastKnown<T>(now: T | undefined, opened: T): T {
  const [last, setLast] = useState(opened)
  if (now !== undefined && now !== last) setLast(now)
  return now ?? last
}
