import type { SQLOutputValue, SQLInputValue } from 'node:sqlite'
import type { Database } from './database.ts'

const columnOf = (field: string): string => field.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)

/**
 * A table of records: each field has a column of its name in snake case; yes and no are kept as 1 and 0.
 * @param beside columns that are made of the record and are none of its fields
 */
export const recordTable = <T extends object>(
  name: string,
  fields: { readonly [Field in keyof T]-?: 'text' | 'yes or no' },
  beside: { readonly [column: string]: (record: T) => string } = {},
) => {
  const all = Object.entries<'text' | 'yes or no'>(fields)
  const columns = [...all.map(([field]) => columnOf(field)), ...Object.keys(beside)]
  const select = `SELECT ${all.map(([field]) => `${columnOf(field)} AS "${field}"`).join()} FROM ${name}`
  const record = (row: Record<string, SQLOutputValue>): T =>
    Object.fromEntries(
      all.map(([field, kind]) => [field, kind === 'text' ? row[field] : row[field] === 1]),
    ) as T // every field, as `values` kept it
  return {
    insert: `INSERT INTO ${name} (${columns.join()})`,
    places: columns.map(() => '?').join(),
    update: columns.map((column) => `${column} = excluded.${column}`).join(),
    /** In the order of `insert`. */
    values: (of: T): SQLInputValue[] => [
      ...Object.keys(fields).map((field) => {
        const value: unknown = of[field as keyof T] // a key of the table is one of the record
        return typeof value === 'boolean' ? Number(value) : (value as SQLInputValue) // text or null, by the table
      }),
      ...Object.values(beside).map((make) => make(of)),
    ],
    /** Its records in a database; what is kept in memory of them is forgotten at each write. */
    in: ({ sql, reading, transaction }: Pick<Database, 'sql' | 'reading' | 'transaction'>) => {
      const kept = new Map<string, T>()
      return {
        kept,
        write: <Result>(work: () => Result): Result => {
          kept.clear()
          return transaction('durable', work)
        },
        rows: (where: string, ...values: string[]): readonly T[] =>
          reading(() =>
            sql(`${select} ${where}`)
              .all(...values)
              .map(record),
          ),
      }
    },
  }
}
