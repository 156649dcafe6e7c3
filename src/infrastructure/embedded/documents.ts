import { randomUUID } from 'node:crypto'
import { pause } from '#application/kernel/retry.ts'
import {
  asStored,
  changesDocuments,
  CheckpointMoved,
  liveView,
  allReadable,
  type Document,
  type DocumentQuery,
  type Documents,
  type StoredDocument,
  type ViewDefinition,
  type Numbered,
  type ViewPlace,
  type ViewSwitch,
  type ViewWrite,
} from '#application/kernel/ports/documents.ts'
import type { Position } from '#application/kernel/ports/event-store.ts'
import type { Database } from './database.ts'
import { countOf, selectOf } from './document-query.ts'
import { tableNameOf, viewTable, type ViewTable } from './view-tables.ts'
import { viewKey } from '../view-key.ts'

/** So many documents are few. */
const fewIds = 16

/** What SQLite says of a view that was never made: its code is that of any mistake in a statement. */
const isNeverMade = (error: unknown, { name }: ViewTable): boolean =>
  error instanceof Error && error.message === `no such table: ${name.slice(1, -1)}`

/** Tables of views that were dropped or switched away, until they are empty. */
export const droppedPrefix = 'dropped~'
const rowsPerStep = 100
const pauseMs = 5

/** An index without its name: it keeps the one it was made under. */
const unnamed = (statement: string): string => statement.replace(/^CREATE INDEX "[^"]+"/, 'CREATE INDEX')

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // Told as a document that cannot be read.
    return null
  }
}
const stored = <D extends Document>(rows: readonly Record<string, unknown>[]): readonly StoredDocument<D>[] =>
  rows.map((row) => asStored<D>(String(row['id']), parsed(String(row['doc']))))

/** How far each view is. */
const checkpointsIn = ({ sql }: Database) => {
  const placeOf = (view: ViewDefinition): ViewPlace => {
    const row = sql('SELECT position, changed_at FROM view_checkpoints WHERE view = ?').get(viewKey(view))
    return row
      ? { position: String(row['position']) as Position, changedAt: String(row['changed_at']) } // as the event store made it
      : { position: null, changedAt: null }
  }

  const numberedIn = (view: ViewDefinition): Numbered => {
    const row = sql('SELECT position, numbered FROM view_checkpoints WHERE view = ?').get(viewKey(view))
    return row
      ? { checkpoint: String(row['position']) as Position, numbered: Number(row['numbered']) } // as the event store made it
      : { checkpoint: null, numbered: 0 }
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
    ).run(first.to, first.from, ...writes.map(({ view }) => viewKey(view)))
    const together = changes === writes.length
    if (!together) sql('ROLLBACK TO checkpoints').run()
    sql('RELEASE checkpoints').run()
    const changed = writes.filter(changesDocuments)
    if (together && changed.length > 0)
      sql(`UPDATE view_checkpoints SET changed_at = ? WHERE view IN (${changed.map(() => '?').join()})`).run(
        first.to,
        ...changed.map(({ view }) => viewKey(view)),
      )
    return together
  }

  /** @returns false when the view stands where the batch goes: it is the very same batch once more */
  const moveOne = (write: ViewWrite): boolean => {
    const { view, from, to } = write
    const { position: stored, changedAt } = placeOf(view)
    if (stored !== from && stored === to) return false
    if (stored !== from) throw new CheckpointMoved(view.name)
    sql(
      `INSERT INTO view_checkpoints (view, position, changed_at) VALUES (?, ?, ?)
       ON CONFLICT (view) DO UPDATE SET position = excluded.position, changed_at = excluded.changed_at`,
    ).run(viewKey(view), to, changedAt === null || changesDocuments(write) ? to : changedAt)
    return true
  }

  return { placeOf, numberedIn, moveTogether, moveOne }
}

/** The tables of the views: made, put out of sight and cleared away. */
const tablesIn = (database: Database) => {
  const { sql } = database
  const tables = new WeakMap<ViewDefinition, ViewTable>()
  const tableOf = (view: ViewDefinition): ViewTable => {
    const known = tables.get(view) ?? viewTable(view)
    tables.set(view, known)
    return known
  }

  /** The table as it is now, as the statements that make it, indexes without their names; empty when there is none. */
  const shapeOf = (table: ViewTable): readonly string[] =>
    sql('SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL')
      .all(table.name.slice(1, -1))
      .map((row) => unnamed(String(row['sql'])))

  /** The name, quoted, of a table that is still to be cleared away; null when there is none. */
  const firstDropped = (): string | null => {
    const row = sql("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE ? LIMIT 1").get(
      `${droppedPrefix}%`,
    )
    return row === undefined ? null : `"${String(row['name'])}"`
  }

  const prepare = (view: ViewDefinition): void => {
    const table = tableOf(view)
    const former = shapeOf(table)
    const wanted = [table.create, ...table.createIndexes().map(unnamed)]
    if (former.length === wanted.length && wanted.every((statement) => former.includes(statement))) return
    // What is built gets the live table's name some day, and what was dropped keeps its indexes' names for a while.
    const isPlain = view.build === undefined && firstDropped() === null
    const indexes = table.createIndexes(isPlain ? '' : `~${randomUUID()}`)
    if (former.length === 0) {
      for (const statement of [table.create, ...indexes]) database.exec(statement)
      return
    }
    // other indexes than before, the same documents
    database.exec(`ALTER TABLE ${table.name} RENAME TO former_view`)
    database.exec(table.create)
    database.exec(table.refill('former_view'))
    database.exec('DROP TABLE former_view')
    for (const statement of indexes) database.exec(statement)
  }

  /** Takes the table out of sight; it is emptied later, in small steps. */
  const drop = (key: string): void => {
    const name = tableNameOf(key)
    if (sql('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined) {
      database.exec(`ALTER TABLE "${name}" RENAME TO "${droppedPrefix}${randomUUID()}"`)
    }
    sql('DELETE FROM view_checkpoints WHERE view = ?').run(key)
  }

  const dropAll = (): void => {
    for (const { view } of sql('SELECT view FROM view_checkpoints').all()) drop(String(view))
  }

  /** One step of clearing away; false when nothing is left. */
  const clearSome = (): boolean => {
    const name = firstDropped()
    if (name === null) return false
    database.transaction('relaxed', () => {
      const { changes } = sql(
        `DELETE FROM ${name} WHERE rowid IN (SELECT rowid FROM ${name} LIMIT ${rowsPerStep})`,
      ).run()
      if (changes === 0) database.exec(`DROP TABLE ${name}`)
    })
    return true
  }

  return { tableOf, shapeOf, prepare, drop, dropAll, clearSome }
}

type Tables = ReturnType<typeof tablesIn>

/** What is asked of the documents of a view; one that was never made has none. */
const readsIn = (database: Database, { tableOf }: Tables) => {
  const { sql } = database

  /** @param none what there is of a view that was never made */
  const reading = <T>(view: ViewDefinition, none: T, read: () => T): T => {
    try {
      return database.reading(read)
    } catch (error) {
      if (isNeverMade(error, tableOf(view))) return none
      throw error
    }
  }

  /** Few are sooner found one by one than through a list that SQLite has to parse. */
  const byIds = <D extends Document>(view: ViewDefinition, ids: readonly string[]): readonly D[] => {
    const select = `SELECT id, doc FROM ${tableOf(view).name} WHERE id`
    const one = sql(`${select} = ?`)
    const rows =
      ids.length <= fewIds
        ? [...new Set(ids)].map((id) => one.get(id)).filter((row) => row !== undefined)
        : sql(`${select} IN (SELECT value FROM json_each(?))`).all(JSON.stringify(ids))
    return allReadable(view, stored<D>(rows))
  }

  return {
    getMany: <D extends Document>(view: ViewDefinition, ids: readonly string[]) =>
      reading(view, [], () => byIds<D>(view, ids)),
    findStored: <D extends Document>(view: ViewDefinition, query: DocumentQuery) =>
      reading(view, [], () => {
        const { text, values } = selectOf(tableOf(view), query)
        return stored<D>(sql(text).all(...values))
      }),
    count: (view: ViewDefinition, where: NonNullable<DocumentQuery['where']>) =>
      reading(view, 0, () => {
        const { text, values } = countOf(tableOf(view), where)
        return Number(sql(text).get(...values)?.['number'])
      }),
  }
}

/** Writes the documents of a batch inside a transaction. */
const writesIn = ({ sql, lists }: Database, { tableOf }: Tables) => {
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

  return ({ view, put: documents, remove, numbered }: ViewWrite): void => {
    const table = tableOf(view)
    if (numbered !== undefined)
      sql('UPDATE view_checkpoints SET numbered = ? WHERE view = ?').run(numbered, viewKey(view))
    for (const document of documents) put(table, document)
    for (const id of remove) sql(table.remove).run(id)
  }
}

/**
 * Empties what was dropped. With `secure_delete` every page of it is written once more, for which nobody should
 * have to wait. What a stop leaves is found by the next `prepare`.
 */
const clearingOf = ({ clearSome }: Tables) => {
  let isClosed = false
  let isClearing = false
  const clearAway = async (): Promise<void> => {
    if (isClearing) return
    isClearing = true
    try {
      do await pause(pauseMs, undefined, { ref: false })
      while (!isClosed && clearSome())
    } catch {
      // The data file was closed, or the disk does not take it now: nothing is lost but room, until the next time.
    } finally {
      isClearing = false
    }
  }
  return {
    begin: () => void clearAway(),
    stop: () => {
      isClosed = true
    },
  }
}

/**
 * Read models in SQLite: one table per version of a view (view-tables.ts). Documents and checkpoint move in one
 * relaxed transaction: projecting costs no fsync, and after a power cut both stand at the same earlier
 * place (database.ts), from where the log is projected again.
 */
export const openDocuments = (database: Database): Documents => {
  const { placeOf, numberedIn, moveTogether, moveOne } = checkpointsIn(database)
  const tables = tablesIn(database)
  const { tableOf, shapeOf, prepare, drop, dropAll } = tables
  const { getMany, findStored, count } = readsIn(database, tables)
  const writeDocuments = writesIn(database, tables)
  const clearing = clearingOf(tables)

  const switchTo = ({ built, from, changedAt }: ViewSwitch): void => {
    if (built.build === undefined) throw new TypeError(`${built.name} is no view built beside another`)
    const live = liveView(built)
    const [place, livePlace] = [tableOf(built), tableOf(live)]
    if (shapeOf(place).length === 0) throw new TypeError(`${built.name} was never built as ${built.build}`)
    if (placeOf(live).position !== from) throw new CheckpointMoved(live.name)
    drop(viewKey(live))
    database.exec(`ALTER TABLE ${place.name} RENAME TO ${livePlace.name}`)
    database
      .sql('UPDATE view_checkpoints SET view = ?, changed_at = coalesce(?, changed_at) WHERE view = ?')
      .run(viewKey(live), changedAt ?? null, viewKey(built))
  }

  /** Changes tables, and clears away what is left of them. */
  const change = (work: () => void): void => {
    database.transaction('relaxed', work)
    clearing.begin()
  }

  return {
    prepare: async (views) => change(() => views.forEach(prepare)),
    places: async (views) => database.reading(() => views.map(placeOf)),
    // One process reads them.
    serve: async () => ({ others: [], isAnew: false }),
    checkpoints: async (views) => database.reading(() => views.map((view) => placeOf(view).position)),
    numbered: async (views) => database.reading(() => views.map(numberedIn)),
    get: async <D extends Document>(view: ViewDefinition, id: string) => getMany<D>(view, [id])[0] ?? null,
    getMany: async <D extends Document>(view: ViewDefinition, ids: readonly string[]) =>
      getMany<D>(view, ids),
    find: async <D extends Document>(view: ViewDefinition, query: DocumentQuery) =>
      allReadable(view, findStored<D>(view, query)),
    findStored: async <D extends Document>(view: ViewDefinition, query: DocumentQuery) =>
      findStored<D>(view, query),
    count: async (view, where) => count(view, where),
    write: async (writes) => {
      database.transaction('relaxed', () => {
        const together = moveTogether(writes)
        for (const write of writes) if (together || moveOne(write)) writeDocuments(write)
      })
    },
    switchTo: async (switches) => change(() => switches.forEach(switchTo)),
    drop: async (view) => change(() => drop(viewKey(view))),
    dropAll: async () => change(dropAll),
    close: async () => clearing.stop(),
  }
}
