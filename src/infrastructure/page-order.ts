import type { DocumentQuery, Scalar } from '#application/kernel/ports/documents.ts'

/** A key that a list of documents is ordered by, and the place where an engine keeps it. */
export interface SortKey {
  readonly place: string
  readonly descending: boolean
}

/**
 * The keys of an order, in every engine the same: those asked for, then the id, so that no two documents share a
 * place. The id runs in the direction of the key before it, so that one index serves both directions of a list.
 */
export const sortKeysOf = (
  order: DocumentQuery['order'],
  fieldAt: (field: string) => string,
): readonly SortKey[] => [
  ...(order ?? []).map(({ field, descending = false }) => ({ place: fieldAt(field), descending })),
  { place: fieldAt('id'), descending: order?.at(-1)?.descending ?? false },
]

/**
 * The ways to come behind the last document seen: equal in the first keys, behind it in the next, for each.
 * @param last its values at the keys
 * @param words how an engine says that a key has a value, and that it comes behind one (null: nothing does)
 * @returns for each way the conditions that must all hold
 * @throws TypeError for a wrong page mark
 */
export const waysBehind = <Condition>(
  keys: readonly SortKey[],
  last: readonly Scalar[],
  words: {
    readonly equal: (key: SortKey, value: Scalar) => Condition
    readonly behind: (key: SortKey, value: Scalar) => Condition | null
  },
): readonly (readonly Condition[])[] => {
  if (last.length !== keys.length)
    throw new TypeError(
      `"after" needs ${keys.length} values (the order fields, then the id), not ${last.length}`,
    )
  return keys.flatMap((key, at) => {
    const step = words.behind(key, last[at] ?? null)
    if (step === null) return []
    return [[...keys.slice(0, at).map((earlier, n) => words.equal(earlier, last[n] ?? null)), step]]
  })
}
