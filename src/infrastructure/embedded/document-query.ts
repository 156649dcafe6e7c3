import type { DocumentQuery, Scalar, ViewDefinition } from '#application/ports/documents.ts'

/** A piece of SQL with the values for its question marks. */
export interface Sql {
  readonly text: string
  readonly values: readonly (string | number | null)[]
}

const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/
const FIELD = /^[A-Za-z_][A-Za-z0-9_]*$/

/** The quoted table of one version of a view. @throws TypeError for a name that is no plain word */
export const tableOf = (view: ViewDefinition): string => {
  if (!NAME.test(view.name) || !Number.isSafeInteger(view.version))
    throw new TypeError(`"${view.name}" version ${view.version} cannot name a view`)
  return `"view_${view.name}_v${view.version}"`
}

/** Key of a view's checkpoint: each version has its own, so that one can be built beside another. */
export const checkpointKeyOf = (view: ViewDefinition): string => `${view.name}_v${view.version}`

/** The expression of a field. Indexes and queries use this very text: only then does SQLite match them. */
const expression = (field: string): string => {
  if (field === 'id') return 'id'
  if (!FIELD.test(field)) throw new TypeError(`"${field}" cannot name a field of a document`)
  return `json_extract(doc, '$.${field}')`
}

/** JSON's true and false come out of json_extract as 1 and 0. */
const value = (scalar: Scalar): string | number | null =>
  typeof scalar === 'boolean' ? Number(scalar) : scalar

/** `CREATE INDEX` for each query shape of a view; `id` is the last column of each. */
export const indexesOf = (view: ViewDefinition): readonly string[] =>
  view.indexes.map((fields) => {
    const columns = [...fields.filter((field) => field !== 'id'), 'id'].map(expression)
    const name = `"view_${view.name}_v${view.version}_by_${fields.join('_')}"`
    return `CREATE INDEX IF NOT EXISTS ${name} ON ${tableOf(view)} (${columns.join(', ')})`
  })

const condition = (field: string, wanted: Scalar | { readonly in: readonly Scalar[] }): Sql => {
  const place = expression(field)
  if (wanted === null) return { text: `${place} IS NULL`, values: [] }
  if (typeof wanted !== 'object') return { text: `${place} = ?`, values: [value(wanted)] }
  // one parameter for any number of values, so that one statement serves them all
  const list = { text: `${place} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(wanted.in)] }
  return wanted.in.includes(null) ? { text: `(${list.text} OR ${place} IS NULL)`, values: list.values } : list
}

const all = (parts: readonly Sql[], joiner: string): Sql => ({
  text: parts.map((part) => part.text).join(joiner),
  values: parts.flatMap((part) => part.values),
})

interface SortKey {
  readonly place: string
  readonly descending: boolean
}

// `id` runs in the direction of the key before it, so that one index serves both directions of a list.
const sortKeys = (order: NonNullable<DocumentQuery['order']>): readonly SortKey[] => [
  ...order.map(({ field, descending = false }) => ({ place: expression(field), descending })),
  { place: 'id', descending: order.at(-1)?.descending ?? false },
]

/** What comes behind one value of one key; null comes first, as in every index. Null when nothing does. */
const behind = ({ place, descending }: SortKey, last: Scalar): Sql | null => {
  if (last === null) return descending ? null : { text: `${place} IS NOT NULL`, values: [] }
  if (!descending) return { text: `${place} > ?`, values: [value(last)] }
  return place === 'id'
    ? { text: 'id < ?', values: [value(last)] }
    : { text: `(${place} < ? OR ${place} IS NULL)`, values: [value(last)] }
}

/** Everything behind the last document seen: equal in the first keys, behind it in the next, for each. */
const afterLast = (keys: readonly SortKey[], last: readonly Scalar[]): Sql => {
  if (last.length !== keys.length)
    throw new TypeError(
      `"after" needs ${keys.length} values (the order fields, then the id), not ${last.length}`,
    )
  const ways = keys.flatMap((key, at) => {
    const step = behind(key, last[at] ?? null)
    if (!step) return []
    const equal = keys.slice(0, at).map((earlier, index) => ({
      text: `${earlier.place} IS ?`,
      values: [value(last[index] ?? null)],
    }))
    return [all([...equal, step], ' AND ')]
  })
  const somewhere = all(
    ways.map((way) => ({ text: `(${way.text})`, values: way.values })),
    ' OR ',
  )
  // says the same once more about the first key alone, so that SQLite begins in the middle of the index
  const [first] = keys
  const bound = last[0] ?? null
  return first && bound !== null && !first.descending
    ? { text: `${first.place} >= ? AND (${somewhere.text})`, values: [value(bound), ...somewhere.values] }
    : { text: `(${somewhere.text})`, values: somewhere.values }
}

const whereOf = (parts: readonly Sql[]): Sql =>
  parts.length === 0
    ? { text: '', values: [] }
    : all([{ text: ' WHERE ', values: [] }, all(parts, ' AND ')], '')

const conditionsOf = (where: NonNullable<DocumentQuery['where']>): readonly Sql[] =>
  Object.entries(where).map(([field, wanted]) => condition(field, wanted))

/** The SELECT that answers a query, one column `doc`. @throws TypeError for a field that is no plain word */
export const selectOf = (view: ViewDefinition, query: DocumentQuery): Sql => {
  const keys = sortKeys(query.order ?? [])
  const where = whereOf([
    ...conditionsOf(query.where ?? {}),
    ...(query.after ? [afterLast(keys, query.after)] : []),
  ])
  const order = keys.map(({ place, descending }) => `${place}${descending ? ' DESC' : ''}`).join(', ')
  return {
    text: `SELECT doc FROM ${tableOf(view)}${where.text} ORDER BY ${order} LIMIT ?`,
    values: [...where.values, query.limit ?? -1],
  }
}

/** The SELECT that counts, one column `number`. */
export const countOf = (view: ViewDefinition, where: NonNullable<DocumentQuery['where']>): Sql => {
  const { text, values } = whereOf(conditionsOf(where))
  return { text: `SELECT count(*) AS number FROM ${tableOf(view)}${text}`, values }
}
