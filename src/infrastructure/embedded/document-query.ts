import type { DocumentQuery, Scalar } from '#application/kernel/ports/documents.ts'
import { type SortKey, sortKeysOf, waysBehind } from '../page-order.ts'
import { fieldSql, scalarOf, type ViewTable } from './view-tables.ts'

/** A piece of SQL with the values for its question marks. */
export interface Sql {
  readonly text: string
  readonly values: readonly (string | number | null)[]
}

const condition = (place: string, wanted: Scalar | { readonly in: readonly Scalar[] }): Sql => {
  if (wanted === null) return { text: `${place} IS NULL`, values: [] }
  if (typeof wanted !== 'object') return { text: `${place} = ?`, values: [scalarOf(wanted)] }
  // one parameter for any number of values, so that one statement serves them all
  const list = { text: `${place} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(wanted.in)] }
  return wanted.in.includes(null) ? { text: `(${list.text} OR ${place} IS NULL)`, values: list.values } : list
}

const all = (parts: readonly Sql[], joiner: string): Sql => ({
  text: parts.map((part) => part.text).join(joiner),
  values: parts.flatMap((part) => part.values),
})

/** What comes behind one value of one key; null comes first, as in every index. Null when nothing does. */
const behind = ({ place, descending }: SortKey, last: Scalar): Sql | null => {
  if (last === null) return descending ? null : { text: `${place} IS NOT NULL`, values: [] }
  if (!descending) return { text: `${place} > ?`, values: [scalarOf(last)] }
  return place === 'id'
    ? { text: 'id < ?', values: [scalarOf(last)] }
    : { text: `(${place} < ? OR ${place} IS NULL)`, values: [scalarOf(last)] }
}

const equal = ({ place }: SortKey, value: Scalar): Sql => ({
  text: `${place} IS ?`,
  values: [scalarOf(value)],
})

/** Everything behind the last document seen. */
const afterLast = (keys: readonly SortKey[], last: readonly Scalar[]): Sql => {
  const ways = waysBehind(keys, last, { equal, behind }).map((way) => all(way, ' AND '))
  const somewhere = all(
    ways.map((way) => ({ text: `(${way.text})`, values: way.values })),
    ' OR ',
  )
  // says the same once more about the first key alone, so that SQLite begins in the middle of the index
  const [first] = keys
  const bound = last[0] ?? null
  return first && bound !== null && !first.descending
    ? { text: `${first.place} >= ? AND (${somewhere.text})`, values: [scalarOf(bound), ...somewhere.values] }
    : { text: `(${somewhere.text})`, values: somewhere.values }
}

const whereOf = (parts: readonly Sql[]): Sql =>
  parts.length === 0
    ? { text: '', values: [] }
    : all([{ text: ' WHERE ', values: [] }, all(parts, ' AND ')], '')

const conditionsOf = (table: ViewTable, where: NonNullable<DocumentQuery['where']>): readonly Sql[] =>
  Object.entries(where).map(([field, wanted]) => condition(fieldSql(table, field), wanted))

/** The SELECT that answers a query, columns `id` and `doc`. @throws TypeError for a field that is no plain word */
export const selectOf = (table: ViewTable, query: DocumentQuery): Sql => {
  const keys = sortKeysOf(query.order, (field) => fieldSql(table, field))
  const where = whereOf([
    ...conditionsOf(table, query.where ?? {}),
    ...(query.after ? [afterLast(keys, query.after)] : []),
  ])
  const order = keys.map(({ place, descending }) => `${place}${descending ? ' DESC' : ''}`).join(', ')
  return {
    text: `SELECT id, doc FROM ${table.name}${where.text} ORDER BY ${order} LIMIT ?`,
    values: [...where.values, query.limit ?? -1],
  }
}

/** The SELECT that counts, one column `number`. */
export const countOf = (table: ViewTable, where: NonNullable<DocumentQuery['where']>): Sql => {
  const { text, values } = whereOf(conditionsOf(table, where))
  return { text: `SELECT count(*) AS number FROM ${table.name}${text}`, values }
}
