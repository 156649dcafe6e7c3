import { useMemo, useState } from 'react'
import { tidyText } from '#web/contract/limits.ts'
import { useLatest } from './use-latest.ts'

/**
 * Edits over a record that may change underneath. Untouched fields follow the server; an edited field keeps
 * what was typed and remembers what it replaced, so that a change made elsewhere meanwhile is noticed and never
 * overwritten silently.
 */

/** Per edited field: what was typed, and the saved value that it is meant to replace. */
export type Edits<T> = { readonly [K in keyof T]?: { readonly mine: T[K]; readonly instead: T[K] } }

/** A field that somebody else changed since it was edited here. */
export type Conflict<T> = { [K in keyof T]: { key: K; mine: T[K]; saved: T[K] } }[keyof T]

const same = (a: unknown, b: unknown): boolean => Object.is(a, b)

/** What a value of a field says, to compare what was typed with what the server has made of it. */
export type Reading<T> = <K extends keyof T>(key: K, value: T[K]) => unknown

/** Of a text what is kept of it: without outer blanks, in one kind of line break. */
export const asKept = (_key: PropertyKey, value: unknown): unknown =>
  typeof value === 'string' ? tidyText({ lines: true }, value) : value

/** Whether this is what is kept of that where it is a text of one line. */
const isOneLineOf = (saved: unknown, typed: unknown): boolean =>
  typeof typed === 'string' && !typed.includes('\n') && saved === tidyText({ lines: false }, typed)

/** The record as the form shows it. */
export function edited<T extends object>(base: T, edits: Edits<T>): T {
  return { ...base, ...changesOf(edits) }
}

/**
 * Edits after `key` was set. What is set back to what is saved is no edit any more.
 * @param isOpen what was sent may be saved yet: then what is put back as it was may turn out to be a change, and stays
 */
export function edit<T extends object, K extends keyof T & string>(
  base: T,
  edits: Edits<T>,
  key: K,
  value: T[K],
  isOpen = false,
): Edits<T> {
  const before = edits[key]
  if (same(value, base[key]) && !(isOpen && before)) return those(edits, (other) => other !== key)
  return { ...edits, [key]: { mine: value, instead: before ? before.instead : base[key] } }
}

/** These values in the place of what is saved. */
function inPlace<T extends object>(base: T, values: Partial<T>): Edits<T> {
  // The keys of a record of text are its own.
  const keys = Object.keys(values) as (keyof T)[]
  // The same keys with values of their own types.
  return Object.fromEntries(keys.map((key) => [key, { mine: values[key], instead: base[key] }])) as Edits<T>
}

/** The edits that make of one record the other, key by key. */
export function editsTo<T extends object>(base: T, value: T): Edits<T> {
  return those(inPlace(base, value), (key) => !same(value[key], base[key]))
}

/**
 * What was typed since a new record was sent, as edits of the one that was added.
 * @param sent the body that was answered
 * @param body the one of what was typed
 * @param tried the one that it was to become since, where no answer says that it did: what that has changed is unsaved, also
 * where it was put back
 */
export function typedSince<T extends object>(
  sent: object,
  body: object,
  value: T,
  added: T,
  tried = sent,
): Edits<T> {
  const [before, now, between] = [sent, body, tried] as readonly Readonly<Record<string, unknown>>[] // bodies of JSON
  const typed = Object.entries(value).filter(([field]) => now?.[field] !== before?.[field])
  const open = Object.entries(value).filter(([field]) => between?.[field] !== before?.[field])
  // Some of its own entries.
  const left = Object.fromEntries(open) as Partial<T>
  return { ...editsTo(added, { ...added, ...Object.fromEntries(typed) }), ...inPlace(added, left) }
}

/** The edits that are not saved by now; what was put back as it was is one for as long as that is saved still. */
export function unsavedOf<T extends object>(base: T, edits: Edits<T>): Edits<T> {
  return those(edits, (key) => !same(edits[key]?.mine, base[key]) || same(edits[key]?.instead, base[key]))
}

/** What stands in both and is not the same: what the one would write over of the other, which is given. */
export function overlapOf<T extends object>(mine: Edits<T>, other: Edits<T>): Edits<T> {
  return those(mine, (key) => key in other && !same(mine[key]?.mine, other[key]?.mine))
}

/** What was typed: the body of a PUT. */
export function changesOf<T extends object>(edits: Edits<T>): Partial<T> {
  // Made of the record's own keys with values of their own types.
  return Object.fromEntries(keysOf(edits).map((key) => [key, edits[key]?.mine])) as Partial<T>
}

/**
 * The edited fields whose saved value is no longer the one they were meant to replace, and says something else than what
 * was typed: where a save was made and its answer lost, the two may differ in blanks alone.
 */
export function conflictsOf<T extends object>(
  base: T,
  edits: Edits<T>,
  read: Reading<T> = asKept,
): readonly Conflict<T>[] {
  return keysOf(edits).flatMap((key) => {
    const entry = edits[key]
    if (!entry || same(entry.instead, base[key])) return []
    if (same(read(key, entry.mine), read(key, base[key])) || isOneLineOf(base[key], entry.mine)) return []
    return [{ key, mine: entry.mine, saved: base[key] }]
  })
}

/** "Keep mine": the edits now mean to replace what is saved now. */
export function keepMine<T extends object>(base: T, edits: Edits<T>): Edits<T> {
  return inPlace(base, changesOf(edits))
}

/** "Take the saved one": the conflicting edits are dropped, the others stay. */
export function takeSaved<T extends object>(base: T, edits: Edits<T>, read: Reading<T> = asKept): Edits<T> {
  const conflicting = new Set<PropertyKey>(conflictsOf(base, edits, read).map(({ key }) => key))
  return those(edits, (key) => !conflicting.has(key))
}

/**
 * After a save: what was sent is no edit any more, also where it was stored a little differently (trimmed,
 * sanitised), nor is what is saved already, as by one whose answer was lost. What was typed while it was on its way stays,
 * over what is saved now.
 * @param saved the record that the call answered
 * @param sent the changes that the call was given
 */
export function afterSave<T extends object>(saved: T, edits: Edits<T>, sent: Partial<T>): Edits<T> {
  const left = keysOf(edits).flatMap((key) => {
    const mine = edits[key]?.mine
    if ((key in sent && same(mine, sent[key])) || same(mine, saved[key])) return []
    return [[key, { mine, instead: key in sent ? saved[key] : edits[key]?.instead }]]
  })
  // Some of the same keys with values of their own types.
  return Object.fromEntries(left) as Edits<T>
}

/** The edits of those fields. */
function those<T extends object>(edits: Edits<T>, isMeant: (key: keyof T & string) => boolean): Edits<T> {
  const kept = keysOf(edits).filter(isMeant)
  return Object.fromEntries(kept.map((key) => [key, edits[key]])) as Edits<T> // some of its own entries
}

function keysOf<T extends object>(edits: Edits<T>): readonly (keyof T & string)[] {
  // The keys of edits are keys of the record, and those of a JSON record are text.
  return Object.keys(edits) as (keyof T & string)[]
}

export type EditedForm<T extends object> = {
  /** the record with the edits: what the fields show */
  value: T
  /** sets one field; one that is set back to what is saved is no edit, but while a save may change that yet */
  set: <K extends keyof T & string>(key: K, value: T[K]) => void
  /** only what is unsaved: the body of a PUT, beside `expectedVersion` */
  changes: Partial<T>
  /** how many fields are unsaved */
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
 * @param isOpen what is saved may be something else by now, as while a save is under way
 */
export function useEdits<T extends object>(
  base: T,
  isOpen: boolean,
  read: Reading<T> = asKept,
): EditedForm<T> {
  const [edits, setEdits] = useState<Edits<T>>({})
  // What is asked for later, as when an image has arrived, is about what is saved then.
  const latest = useLatest({ base, isOpen })
  const value = useMemo(() => edited(base, edits), [base, edits])
  const count = keysOf(edits).length
  // What is saved by now is hers no more: it must not come back when that is changed elsewhere, or undone.
  const unsaved = unsavedOf(base, edits)
  if (keysOf(unsaved).length < count) setEdits(unsaved)
  return {
    value,
    set: (key, to) => {
      const now = latest.current
      setEdits((before) => edit(now.base, before, key, to, now.isOpen))
    },
    changes: changesOf(edits),
    count,
    dirty: count > 0,
    conflicts: conflictsOf(base, edits, read),
    keepMine: () => setEdits((before) => keepMine(latest.current.base, before)),
    takeSaved: () => setEdits((before) => takeSaved(latest.current.base, before, read)),
    reset: () => setEdits({}),
    settle: (sent, saved) => setEdits((before) => afterSave(saved, before, sent)),
    edits,
    restore: setEdits,
  }
}
