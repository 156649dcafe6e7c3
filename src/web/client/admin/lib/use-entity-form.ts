import type { Conflict, Edits } from './edits.ts'
import type { Failure } from './failure.ts'
import { useGuard } from './guard.tsx'
import { useDraft } from './use-draft.ts'
import { type EditedForm, useEdits } from './use-edits.ts'
import { useFieldErrors } from './use-field-errors.ts'

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
    draft.settle()
  }
  const errors = useFieldErrors(saving.failure, form.value)
  const open = saving.pending ? [] : form.conflicts
  const { pending, failure } = saving
  return { ...form, pending, failure, unsaved, errors, open, draft, bringBack, discard }
}
