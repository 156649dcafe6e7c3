import type { Document, Scalar, ViewDefinition } from '#application/kernel/ports/documents.ts'
import type { Json } from '#application/kernel/ports/event-store.ts'
import { checkedField, viewKey } from '../view-key.ts'

/** The name of the table of one version of a view, by its {@link viewKey}. */
export const tableNameOf = (key: string): string => `view_${key}`

/** A field as a query's and an index's expression; one of the table's own fields is a column. */
export const fieldSql = (table: ViewTable, field: string): string => {
  if (field === 'id') return 'id'
  return table.fields.includes(field) ? `"f_${field}"` : `json_extract(doc, '$.${checkedField(field)}')`
}

/** A scalar as SQLite keeps it, in columns and out of json_extract alike: true and false are 1 and 0. */
export const scalarOf = (scalar: Scalar): string | number | null =>
  typeof scalar === 'boolean' ? Number(scalar) : scalar

const columnOf = (value: Json | undefined): string | number | null => {
  if (value === undefined || value === null) return null
  return typeof value === 'object' ? JSON.stringify(value) : scalarOf(value)
}

/**
 * How one version of a view is kept: documents as JSON text, and beside it a column for each field that an
 * index names. Columns instead of indexes on json_extract: SQLite would parse each text again for every
 * index, at every write. A change writes only the columns whose values are others than before, because SQLite
 * takes an entry out of an index and puts it back in for every column named, changed or not.
 */
export interface ViewTable {
  /** quoted, for SQL */
  readonly name: string
  /** the fields that have a column */
  readonly fields: readonly string[]
  readonly create: string
  /** @param suffix goes behind each index's name: an index keeps its name when its table gets another one */
  readonly createIndexes: (suffix?: string) => readonly string[]
  /** fills the table from another one's documents */
  readonly refill: (from: string) => string
  /** the document's columns by its id */
  readonly stored: string
  readonly insert: string
  /** the text, then the columns at these places, by id; all where they stand in `fields` */
  readonly update: (changed: readonly number[]) => string
  /** for tables without columns */
  readonly upsert: string
  readonly remove: string
  /** values of the document's columns, in the order of `fields` */
  readonly columns: (document: Document) => readonly (string | number | null)[]
}

/** @throws TypeError for names that are no plain words */
export const viewTable = (view: ViewDefinition): ViewTable => {
  const bare = tableNameOf(viewKey(view))
  const name = `"${bare}"`
  const fields = [...new Set(view.indexes.flat())].filter((field) => field !== 'id').map(checkedField)
  const columns = fields.map((field) => `"f_${field}"`)
  const list = (parts: readonly string[]): string => parts.map((part) => `, ${part}`).join('')
  const insert = `INSERT INTO ${name} (doc, id${list(columns)}) VALUES (?, ?${list(columns.map(() => '?'))})`
  const updates = new Map<string, string>()
  return {
    name,
    fields,
    create: `CREATE TABLE ${name} (id TEXT PRIMARY KEY, doc TEXT NOT NULL${list(columns.map((column) => `${column} ANY`))}) STRICT`,
    createIndexes: (suffix = '') =>
      view.indexes.map((index) => {
        const keys = [...index.filter((field) => field !== 'id').map((field) => `"f_${field}"`), 'id']
        return `CREATE INDEX "${bare}_by_${index.join()}${suffix}" ON ${name} (${keys.join(', ')})`
      }),
    refill: (from) =>
      `INSERT INTO ${name} (id, doc${list(columns)})
       SELECT id, doc${list(fields.map((field) => `CASE WHEN json_valid(doc) THEN json_extract(doc, '$.${field}') END`))} FROM ${from}`,
    stored: `SELECT ${columns.join(', ') || 'id'} FROM ${name} WHERE id = ?`,
    insert,
    update: (changed) => {
      const key = changed.join()
      const known = updates.get(key)
      if (known !== undefined) return known
      const set = changed.map((place) => `${columns[place]} = ?`)
      const made = `UPDATE ${name} SET doc = ?${list(set)} WHERE id = ?`
      updates.set(key, made)
      return made
    },
    upsert: `${insert} ON CONFLICT (id) DO UPDATE SET doc = excluded.doc`,
    remove: `DELETE FROM ${name} WHERE id = ?`,
    columns: (document) => fields.map((field) => columnOf(document[field])),
  }
}
