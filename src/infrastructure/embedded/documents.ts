import { CheckpointMoved } from '#application/ports/documents.ts'
import type { Document, Documents, ViewDefinition, ViewWrite } from '#application/ports/documents.ts'
import type { Position } from '#application/ports/event-store.ts'
import type { Database } from './database.ts'
import { checkpointKeyOf, countOf, indexesOf, selectOf, tableOf } from './document-query.ts'

/**
 * Read models in SQLite: one table of JSON texts per version of a view. Documents and checkpoint move in one
 * relaxed transaction: projecting costs no fsync, and after a power cut both stand at the same earlier
 * place (database.ts), from where the log is projected again.
 */
export const openDocuments = (database: Database): Documents => {
  const { sql } = database

  const checkpoint = (view: ViewDefinition): Position | null => {
    const row = sql('SELECT position FROM view_checkpoints WHERE view = ?').get(checkpointKeyOf(view))
    return row ? (String(row['position']) as Position) : null // as the event store made it
  }

  const parse = <D extends Document>(rows: readonly Record<string, unknown>[]): readonly D[] =>
    rows.map((row) => JSON.parse(String(row['doc'])) as D) // as the view's own projection wrote it

  const apply = ({ view, put, remove, from, to }: ViewWrite): void => {
    const stored = checkpoint(view)
    if (stored !== from) {
      // the very same batch once more
      if (stored === to) return
      throw new CheckpointMoved(view.name)
    }
    const table = tableOf(view)
    const upsert = sql(
      `INSERT INTO ${table} (id, doc) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET doc = excluded.doc`,
    )
    for (const document of put) upsert.run(document.id, JSON.stringify(document))
    const drop = sql(`DELETE FROM ${table} WHERE id = ?`)
    for (const id of remove) drop.run(id)
    sql(
      'INSERT INTO view_checkpoints (view, position) VALUES (?, ?) ON CONFLICT (view) DO UPDATE SET position = excluded.position',
    ).run(checkpointKeyOf(view), to)
  }

  return {
    prepare: async (views) => {
      database.transaction('relaxed', () => {
        for (const view of views) {
          database.exec(
            `CREATE TABLE IF NOT EXISTS ${tableOf(view)} (id TEXT PRIMARY KEY, doc TEXT NOT NULL) STRICT`,
          )
          for (const index of indexesOf(view)) database.exec(index)
        }
      })
    },
    checkpoints: async (views) => database.reading(() => views.map(checkpoint)),
    get: async <D extends Document>(view: ViewDefinition, id: string) =>
      database.reading(() => {
        const row = sql(`SELECT doc FROM ${tableOf(view)} WHERE id = ?`).get(id)
        return row ? (parse<D>([row])[0] ?? null) : null
      }),
    getMany: async (view, ids) =>
      database.reading(() =>
        parse(
          sql(`SELECT doc FROM ${tableOf(view)} WHERE id IN (SELECT value FROM json_each(?))`).all(
            JSON.stringify(ids),
          ),
        ),
      ),
    find: async (view, query) =>
      database.reading(() => {
        const { text, values } = selectOf(view, query)
        return parse(sql(text).all(...values))
      }),
    count: async (view, where) =>
      database.reading(() => {
        const { text, values } = countOf(view, where)
        return Number(sql(text).get(...values)?.['number'])
      }),
    write: async (writes) => {
      database.transaction('relaxed', () => writes.forEach(apply))
    },
    drop: async (view) => {
      database.transaction('relaxed', () => {
        database.exec(`DROP TABLE IF EXISTS ${tableOf(view)}`)
        sql('DELETE FROM view_checkpoints WHERE view = ?').run(checkpointKeyOf(view))
      })
    },
    close: async () => undefined,
  }
}
