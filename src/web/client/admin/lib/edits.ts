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

/** The record as the form shows it. */
export function edited<T extends object>(base: T, edits: Edits<T>): T {
  const mine = Object.fromEntries(keysOf(edits).map((key) => [key, edits[key]?.mine]))
  return { ...base, ...mine }
}

/** Edits after `key` was set; setting a field back to what is saved is no edit. */
export function edit<T extends object, K extends keyof T>(
  base: T,
  edits: Edits<T>,
  key: K,
  value: T[K],
): Edits<T> {
  const { [key]: before, ...others } = edits
  // Without one of its optional entries it still is a set of edits.
  const rest = others as Edits<T>
  if (same(value, base[key])) return rest
  const instead = before ? before.instead : base[key]
  return { ...rest, [key]: { mine: value, instead } }
}

/** Only what differs from the saved record: the body of a PUT. */
export function changesOf<T extends object>(base: T, edits: Edits<T>): Partial<T> {
  const changed = keysOf(edits).filter((key) => !same(edits[key]?.mine, base[key]))
  // Made of the record's own keys with values of their own types.
  return Object.fromEntries(changed.map((key) => [key, edits[key]?.mine])) as Partial<T>
}

/** The edited fields whose saved value is no longer the one they were meant to replace. */
export function conflictsOf<T extends object>(base: T, edits: Edits<T>): readonly Conflict<T>[] {
  return keysOf(edits).flatMap((key) => {
    const entry = edits[key]
    if (!entry || same(entry.instead, base[key]) || same(entry.mine, base[key])) return []
    return [{ key, mine: entry.mine, saved: base[key] }]
  })
}

/** "Keep mine": the edits now mean to replace what is saved now. */
export function keepMine<T extends object>(base: T, edits: Edits<T>): Edits<T> {
  const kept = keysOf(edits).map((key) => [key, { mine: edits[key]?.mine, instead: base[key] }])
  // The same keys with values of their own types.
  return Object.fromEntries(kept) as Edits<T>
}

/** "Take the saved one": the conflicting edits are dropped, the others stay. */
export function takeSaved<T extends object>(base: T, edits: Edits<T>): Edits<T> {
  const conflicting = new Set<PropertyKey>(conflictsOf(base, edits).map(({ key }) => key))
  const kept = keysOf(edits).filter((key) => !conflicting.has(key))
  return Object.fromEntries(kept.map((key) => [key, edits[key]])) as Edits<T> // some of its own entries
}

/**
 * After a save: what was sent is no edit any more, also where it was stored a little differently (trimmed,
 * sanitised). What was typed while it was on its way stays, over what is saved now.
 * @param saved the record that the call answered
 * @param sent the changes that the call was given
 */
export function afterSave<T extends object>(saved: T, edits: Edits<T>, sent: Partial<T>): Edits<T> {
  const left = keysOf(edits).flatMap((key) => {
    const mine = edits[key]?.mine
    if (key in sent && same(mine, sent[key])) return []
    return [[key, { mine, instead: key in sent ? saved[key] : edits[key]?.instead }]]
  })
  // Some of the same keys with values of their own types.
  return Object.fromEntries(left) as Edits<T>
}

function keysOf<T extends object>(edits: Edits<T>): readonly (keyof T & string)[] {
  // The keys of edits are keys of the record, and those of a JSON record are text.
  return Object.keys(edits) as (keyof T & string)[]
}
