import type { Filter, SortDirection } from 'mongodb'
import type { DocumentQuery, Scalar, ViewDefinition } from '#application/kernel/ports/documents.ts'
import type { JsonObject, Position } from '#application/kernel/ports/event-store.ts'
import { type SortKey, sortKeysOf, waysBehind } from '../../page-order.ts'
import { checkedField } from '../../view-key.ts'

/** A document of a view as it is stored; without `doc` it was removed, and keeps its place against late writers. */
export interface DocumentRow {
  readonly _id: string
  /** everything up to this event is in it */
  readonly at: Position
  /** without its lists, by which nothing can be found */
  readonly doc?: JsonObject
  /** its lists, as text: for each field of each of their entries driver and server would take longer than for the rest */
  readonly lists?: string
  readonly gone?: true
}

/** Where a field stands. @throws TypeError for a name that is no plain word */
const pathOf = (field: string): string => (field === 'id' ? '_id' : `doc.${checkedField(field)}`)

type Condition = Filter<DocumentRow>

const isOneOf = (wanted: Scalar | { readonly in: readonly Scalar[] }): wanted is { in: readonly Scalar[] } =>
  typeof wanted === 'object' && wanted !== null

const conditionsOf = (where: NonNullable<DocumentQuery['where']>): readonly Condition[] => [
  ...Object.entries(where).map(([field, wanted]) => ({
    // null is also what is not there, in lists too
    [pathOf(field)]: isOneOf(wanted) ? { $in: wanted.in } : { $eq: wanted },
  })),
  { gone: { $exists: false } },
]

/** What comes behind one value of one key; null comes first. Null when nothing does. */
const behind = ({ place, descending }: SortKey, last: Scalar): Condition | null => {
  if (last === null) return descending ? null : { [place]: { $ne: null } }
  if (!descending) return { [place]: { $gt: last } }
  return place === '_id'
    ? { _id: { $lt: String(last) } }
    : { $or: [{ [place]: { $lt: last } }, { [place]: null }] }
}

const equal = ({ place }: SortKey, value: Scalar): Condition => ({ [place]: { $eq: value } })

/** Everything behind the last document seen. */
const afterLast = (keys: readonly SortKey[], last: readonly Scalar[]): readonly Condition[] => {
  const ways = waysBehind(keys, last, { equal, behind }).map((all) => ({ $and: [...all] }))
  // says the same once more about the first key alone, so that a page begins in the middle of the index
  const [first] = keys
  const bound = last[0] ?? null
  const begin = first && bound !== null && !first.descending ? [{ [first.place]: { $gte: bound } }] : []
  return [...begin, { $or: ways }]
}

/** The filter of a count. @throws TypeError for a field that is no plain word */
export const filterOf = (where: NonNullable<DocumentQuery['where']>): Condition => ({
  $and: [...conditionsOf(where)],
})

/** Filter and order of a query. @throws TypeError for a field that is no plain word, or a wrong page mark */
export const findOf = (
  query: DocumentQuery,
): { readonly filter: Condition; readonly sort: [string, SortDirection][] } => {
  const keys = sortKeysOf(query.order, pathOf)
  return {
    filter: {
      $and: [...conditionsOf(query.where ?? {}), ...(query.after ? afterLast(keys, query.after) : [])],
    },
    sort: keys.map(({ place, descending }) => [place, descending ? -1 : 1]),
  }
}

/** A view's indexes as MongoDB is told of them, by name. @throws TypeError for a field that is no plain word */
export const indexesOf = (view: ViewDefinition): readonly { name: string; key: Record<string, 1> }[] =>
  view.indexes.map((index) => ({
    name: `by_${index.join('_')}`,
    key: Object.fromEntries([...index.map(pathOf), '_id'].map((place) => [place, 1])),
  }))
