import { CheckpointMoved } from '#application/ports/documents.ts'
import type { Document, Documents, ViewDefinition, ViewWrite } from '#application/ports/documents.ts'
import type { Position } from '#application/ports/event-store.ts'
import type { Database } from './database.ts'
import { countOf, selectOf } from './document-query.ts'
import { checkpointKeyOf, viewTable } from './view-tables.ts'
import type { ViewTable } from './view-tables.ts'

/**
 * Read models in SQLite: one table per version of a view (view-tables.ts). Documents and checkpoint move in one
 * relaxed transaction: projecting costs no fsync, and after a power cut both stand at the same earlier
 * place (database.ts), from where the log is projected again.
 */
export const openDocuments = (database: Database): Documents => {
  const { sql } = database

  const tables = new WeakMap<ViewDefinition, ViewTable>()
  const tableOf = (view: ViewDefinition): ViewTable => {
    const known = tables.get(view) ?? viewTable(view)
    tables.set(view, known)
    return known
  }

  const checkpoint = (view: ViewDefinition): Position | null => {
    const row = sql('SELECT position FROM view_checkpoints WHERE view = ?').get(checkpointKeyOf(view))
    return row ? (String(row['position']) as Position) : null // as the event store made it
  }

  const parse = <D extends Document>(rows: readonly Record<string, unknown>[]): readonly D[] =>
    rows.map((row) => JSON.parse(String(row['doc'])) as D) // as the view's own projection wrote it

  const put = (table: ViewTable, documents: readonly Document[]): void => {
    const upsert = sql(table.upsert)
    const update = table.update === null ? null : sql(table.update)
    for (const document of documents) {
      const values = [JSON.stringify(document), document.id, ...table.columns(document)]
      if (update === null || update.run(...values).changes === 0) upsert.run(...values)
    }
  }

  const apply = (write: ViewWrite): void => {
    const { view, from, to } = write
    const stored = checkpoint(view)
    if (stored !== from) {
      // the very same batch once more
      if (stored === to) return
      throw new CheckpointMoved(view.name)
    }
    const table = tableOf(view)
    put(table, write.put)
    for (const id of write.remove) sql(table.remove).run(id)
    sql(
      'INSERT INTO view_checkpoints (view, position) VALUES (?, ?) ON CONFLICT (view) DO UPDATE SET position = excluded.position',
    ).run(checkpointKeyOf(view), to)
  }

  /** The table as it is now, as the statements that make it; empty when there is none. */
  const shapeOf = (table: ViewTable): readonly string[] =>
    sql('SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL')
      .all(table.name.slice(1, -1))
      .map((row) => String(row['sql']))

  const prepare = (view: ViewDefinition): void => {
    const table = tableOf(view)
    const former = shapeOf(table)
    const wanted = [table.create, ...table.createIndexes]
    if (former.length === wanted.length && wanted.every((statement) => former.includes(statement))) return
    if (former.length === 0) {
      for (const statement of wanted) database.exec(statement)
      return
    }
    // other indexes than before, the same documents
    database.exec(`ALTER TABLE ${table.name} RENAME TO former_view`)
    database.exec(table.create)
    database.exec(table.refill('former_view'))
    database.exec('DROP TABLE former_view')
    for (const statement of table.createIndexes) database.exec(statement)
  }

  return {
    prepare: async (views) => database.transaction('relaxed', () => views.forEach(prepare)),
    checkpoints: async (views) => database.reading(() => views.map(checkpoint)),
    get: async <D extends Document>(view: ViewDefinition, id: string) =>
      database.reading(() => {
        const row = sql(`SELECT doc FROM ${tableOf(view).name} WHERE id = ?`).get(id)
        return row ? (parse<D>([row])[0] ?? null) : null
      }),
    getMany: async (view, ids) =>
      database.reading(() =>
        parse(
          sql(`SELECT doc FROM ${tableOf(view).name} WHERE id IN (SELECT value FROM json_each(?))`).all(
            JSON.stringify(ids),
          ),
        ),
      ),
    find: async (view, query) =>
      database.reading(() => {
        const { text, values } = selectOf(tableOf(view), query)
        return parse(sql(text).all(...values))
      }),
    count: async (view, where) =>
      database.reading(() => {
        const { text, values } = countOf(tableOf(view), where)
        return Number(sql(text).get(...values)?.['number'])
      }),
    write: async (writes) => {
      database.transaction('relaxed', () => writes.forEach(apply))
    },
    drop: async (view) => {
      database.transaction('relaxed', () => {
        database.exec(`DROP TABLE IF EXISTS ${tableOf(view).name}`)
        sql('DELETE FROM view_checkpoints WHERE view = ?').run(checkpointKeyOf(view))
      })
    },
    close: async () => undefined,
  }
}
