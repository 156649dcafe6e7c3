import { useCallback, useMemo, useState } from 'react'
import {
  type Conflict,
  type Edits,
  afterSave,
  changesOf,
  conflictsOf,
  edit,
  edited,
  keepMine,
  takeSaved,
} from './edits.ts'
import { useLatest } from './use-latest.ts'

export type EditedForm<T extends object> = {
  /** the record with the edits: what the fields show */
  value: T
  /** sets one field; setting it back to what is saved is no edit any more */
  set: <K extends keyof T>(key: K, value: T[K]) => void
  /** only what differs from what is saved: the body of a PUT, beside `expectedVersion` */
  changes: Partial<T>
  /** how many fields differ */
  count: number
  dirty: boolean
  /** fields that were changed elsewhere since they were edited here; show `ConflictNotice` */
  conflicts: readonly Conflict<T>[]
  keepMine: () => void
  takeSaved: () => void
  /** drops all edits */
  reset: () => void
  /** drops what was saved; what was typed meanwhile stays (`sent` was given to the call, `saved` is its answer) */
  settle: (sent: Partial<T>, saved: T) => void
  /** the edits as they go into a draft, and back */
  edits: Edits<T>
  restore: (edits: Edits<T>) => void
}

/**
 * A form over a saved record (or over the defaults of a new one). Untouched fields follow `base` when it is
 * refetched; edited ones never do. After a save whose refetch brings the saved values, the
 * edits vanish by themselves; `reset` makes sure.
 * @param base what is saved now, e.g. the item of the query's list
 */
export function useEdits<T extends object>(base: T): EditedForm<T> {
  const [edits, setEdits] = useState<Edits<T>>({})
  const latest = useLatest(base)

  const set = useCallback(
    <K extends keyof T>(key: K, value: T[K]) => {
      setEdits((before) => edit(latest.current, before, key, value))
    },
    [latest],
  )
  const reset = useCallback(() => setEdits({}), [])
  const settle = useCallback(
    (sent: Partial<T>, saved: T) => setEdits((before) => afterSave(saved, before, sent)),
    [],
  )
  const restore = useCallback((draft: Edits<T>) => setEdits(draft), [])
  const keep = useCallback(() => setEdits((before) => keepMine(latest.current, before)), [latest])
  const take = useCallback(() => setEdits((before) => takeSaved(latest.current, before)), [latest])

  return useMemo(() => {
    const changes = changesOf(base, edits)
    const count = Object.keys(changes).length
    return {
      value: edited(base, edits),
      set,
      changes,
      count,
      dirty: count > 0,
      conflicts: conflictsOf(base, edits),
      keepMine: keep,
      takeSaved: take,
      reset,
      settle,
      edits,
      restore,
    }
  }, [base, edits, set, reset, settle, restore, keep, take])
}
