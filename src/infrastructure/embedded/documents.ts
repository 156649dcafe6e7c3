import { CheckpointMoved, liveView } from '#application/ports/documents.ts'
import type {
  Document,
  Documents,
  ViewDefinition,
  ViewSwitch,
  ViewWrite,
} from '#application/ports/documents.ts'
import type { Position } from '#application/ports/event-store.ts'
import type { Database } from './database.ts'
import { countOf, selectOf } from './document-query.ts'
import { checkpointKeyOf, viewTable } from './view-tables.ts'
import type { ViewTable } from './view-tables.ts'

/** So many documents are sooner found one by one than through a list that SQLite has to parse. */
const fewIds = 16

/**
 * Read models in SQLite: one table per version of a view (view-tables.ts). Documents and checkpoint move in one
 * relaxed transaction: projecting costs no fsync, and after a power cut both stand at the same earlier
 * place (database.ts), from where the log is projected again.
 */
export const openDocuments = (database: Database): Documents => {
  const { sql, lists } = database

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

  const one = <D extends Document>(view: ViewDefinition, id: string): D | null => {
    const row = sql(`SELECT doc FROM ${tableOf(view).name} WHERE id = ?`).get(id)
    return row ? (parse<D>([row])[0] ?? null) : null
  }

  const put = (table: ViewTable, document: Document): void => {
    const text = JSON.stringify(document)
    if (table.fields.length === 0) {
      sql(table.upsert).run(text, document.id)
      return
    }
    const values = table.columns(document)
    // a list, as the statement answers
    const before = lists(table.stored).get(document.id) as unknown as readonly unknown[] | undefined
    if (before === undefined) {
      sql(table.insert).run(text, document.id, ...values)
      return
    }
    const changed = [...values.keys()].filter((place) => values[place] !== before[place])
    sql(table.update(changed)).run(text, ...changed.map((place) => values[place] ?? null), document.id)
  }

  /**
   * Moves the checkpoints of a batch in which all views go from one place to one place, as they do once they
   * are up to date: one statement in place of two for each view.
   * @returns false when the batch or what is stored is different; then none has moved
   */
  const moveTogether = (writes: readonly ViewWrite[]): boolean => {
    const [first] = writes
    if (!first || writes.some(({ from, to }) => from === null || from !== first.from || to !== first.to))
      return false
    sql('SAVEPOINT checkpoints').run()
    const { changes } = sql(
      `UPDATE view_checkpoints SET position = ?
       WHERE position = ? AND view IN (${writes.map(() => '?').join()})`,
    ).run(first.to, first.from, ...writes.map(({ view }) => checkpointKeyOf(view)))
    const together = changes === writes.length
    if (!together) sql('ROLLBACK TO checkpoints').run()
    sql('RELEASE checkpoints').run()
    return together
  }

  /** @returns false when the view stands where the batch goes: it is the very same batch once more */
  const moveOne = ({ view, from, to }: ViewWrite): boolean => {
    const stored = checkpoint(view)
    if (stored !== from && stored === to) return false
    if (stored !== from) throw new CheckpointMoved(view.name)
    sql(
      'INSERT INTO view_checkpoints (view, position) VALUES (?, ?) ON CONFLICT (view) DO UPDATE SET position = excluded.position',
    ).run(checkpointKeyOf(view), to)
    return true
  }

  const writeDocuments = ({ view, put: documents, remove }: ViewWrite): void => {
    const table = tableOf(view)
    for (const document of documents) put(table, document)
    for (const id of remove) sql(table.remove).run(id)
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

  const drop = (view: ViewDefinition): void => {
    database.exec(`DROP TABLE IF EXISTS ${tableOf(view).name}`)
    sql('DELETE FROM view_checkpoints WHERE view = ?').run(checkpointKeyOf(view))
  }

  const switchTo = ({ built, from }: ViewSwitch): void => {
    if (built.build === undefined) throw new TypeError(`${built.name} is no view built beside another`)
    const live = liveView(built)
    const [place, livePlace] = [tableOf(built), tableOf(live)]
    if (shapeOf(place).length === 0) throw new TypeError(`${built.name} was never built as ${built.build}`)
    if (checkpoint(live) !== from) throw new CheckpointMoved(live.name)
    drop(live)
    // SQLite renames no index: they are made anew under the live view's names
    for (const index of place.dropIndexes) database.exec(index)
    database.exec(`ALTER TABLE ${place.name} RENAME TO ${livePlace.name}`)
    for (const index of livePlace.createIndexes) database.exec(index)
    sql('UPDATE view_checkpoints SET view = ? WHERE view = ?').run(
      checkpointKeyOf(live),
      checkpointKeyOf(built),
    )
  }

  return {
    prepare: async (views) => database.transaction('relaxed', () => views.forEach(prepare)),
    checkpoints: async (views) => database.reading(() => views.map(checkpoint)),
    get: async <D extends Document>(view: ViewDefinition, id: string) =>
      database.reading(() => one<D>(view, id)),
    getMany: async <D extends Document>(view: ViewDefinition, ids: readonly string[]) =>
      database.reading(() =>
        ids.length <= fewIds
          ? [...new Set(ids)].flatMap((id) => one<D>(view, id) ?? [])
          : parse<D>(
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
      database.transaction('relaxed', () => {
        const together = moveTogether(writes)
        for (const write of writes) if (together || moveOne(write)) writeDocuments(write)
      })
    },
    switchTo: async (switches) => database.transaction('relaxed', () => switches.forEach(switchTo)),
    drop: async (view) => database.transaction('relaxed', () => drop(view)),
    close: async () => undefined,
  }
}
