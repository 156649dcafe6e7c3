import { type Conflict, type Edits, type EditedForm, useEdits } from './edits.ts'
import { type Failure, fieldErrors } from './failure.ts'
import { useGuard } from './guard.tsx'
import { useDraft } from './drafts.ts'
import { useState } from 'react'

type EntityFormOptions<T extends object> = {
  /** what is saved now, or the defaults of a new one */
  base: T
  /** the name of its draft: one per form and record */
  name: string
  /** the part of the dashboard that the guard asks about, see `useGuard` */
  scope: string
  /** the save of this form, of `useSave` */
  saving: { pending: boolean; failure: Failure | null }
  /** what of it is no field and unsaved too, and how it is given up */
  beside?: { dirty: boolean; discard: () => void }
  /** a draft has come back into the fields */
  onRestored?: (edits: Edits<T>) => void
}

export type EntityForm<T extends object> = EditedForm<T> & {
  pending: boolean
  failure: Failure | null
  /** anything would be lost */
  unsaved: boolean
  /** messages by field path, of the last save */
  errors: Readonly<Record<string, string>>
  /** fields changed elsewhere that wait for a choice; none while a save is under way, which changes them itself */
  open: readonly Conflict<T>[]
  /** what an earlier visit left, and what was put aside in this one */
  draft: ReturnType<typeof useDraft<Edits<T>>>
  /** puts a draft into the fields */
  bringBack: (edits: Edits<T>) => void
  /** gives up what is unsaved, its draft too: after a save, or when she discards */
  discard: () => void
}

/**
 * A form over a saved record, or over the defaults of a new one: edits that notice what others change, a draft that
 * outlives the browser, the question before it is left, and what the server said of its fields.
 */
export function useEntityForm<T extends object>(options: EntityFormOptions<T>): EntityForm<T> {
  const { base, name, scope, saving, beside, onRestored } = options
  const form = useEdits(base)
  const draft = useDraft<Edits<T>>(name, form.dirty ? form.edits : null)
  const unsaved = form.dirty || (beside?.dirty ?? false)
  const discard = (): void => {
    beside?.discard()
    draft.drop()
    form.reset()
  }
  useGuard(scope, unsaved, discard)
  const bringBack = (edits: Edits<T>): void => {
    form.restore(edits)
    onRestored?.(edits)
    draft.settle(edits)
  }
  const errors = useFieldErrors(saving.failure, form.value)
  const open = saving.pending ? [] : form.conflicts
  const { pending, failure } = saving
  return { ...form, pending, failure, unsaved, errors, open, draft, bringBack, discard }
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
