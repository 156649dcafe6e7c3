import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { DiskFull } from '#application/kernel/ports/event-store.ts'
import type { FolderState } from '../engine-sets.ts'
import { NewerData } from '../newer-data.ts'
import { noReserve, type Reserve } from './reserve.ts'
import { type LackingColumn, dataVersion, migrations } from './schema.ts'
import { DamagedData, translated } from './sqlite-errors.ts'
import { watchLog } from './watch-log.ts'
import { eventsLacking } from '../disk-words.ts'

/**
 * `durable`: on the disk before the transaction answers (synchronous = FULL), for whatever is acknowledged to
 * somebody. `relaxed`: survives `kill -9`, costs no fsync (NORMAL), for whatever can be made again.
 *
 * Both go through one connection and one write-ahead log. A power cut can only cut that log's tail, in
 * order: relaxed commits before a durable one are kept with it, those after it may be lost, oldest kept
 * first. A view's documents and its checkpoint are in one commit, so they go back together, and the events
 * behind the checkpoint, which were durable before, are projected again.
 */
type Durability = 'durable' | 'relaxed'

/**
 * `growing`: adds to what is kept for good, and is refused while the disk is short. `small`: sessions, deletions and
 * the bookkeeping of what is there already; on a full disk it takes of the reserve.
 */
export type Growth = 'growing' | 'small'

/**
 * `read`: beside a server that holds the folder; nothing can be changed. `read any form`: the same of a folder that no
 * server holds; a file of an older form is read as a copy that was brought to this one.
 */
export type Access = 'hold' | 'read' | 'read any form'

/** The one data file, shared by all embedded engines. Calls are synchronous; never await inside `transaction`. */
export interface Database extends Pick<FolderState, 'damage' | 'damageAnywhere'> {
  /** A prepared statement, made once per text. */
  readonly sql: (text: string) => StatementSync
  /** The same, answering each row as a list of its columns: half the time of an object. */
  readonly lists: (text: string) => StatementSync
  /** Runs statements that have no result and are not repeated. */
  readonly exec: (text: string) => void
  /** All or nothing; `work` may run more than once. @throws {DiskFull} {EngineAway} and whatever `work` throws, then nothing is written */
  readonly transaction: <T>(durability: Durability, work: () => T, growth?: Growth) => T
  /**
   * Copies the write-ahead log into the file and cuts it to nothing.
   * @returns false when a reader stands in the way for so long, in ms. @throws {DiskFull} {EngineAway}
   */
  readonly emptyLog: (ms: number) => boolean
  /** Runs reads, with SQLite's errors turned into the ports' own. */
  readonly reading: <T>(work: () => T) => T
  readonly close: () => void
}

/** The data version of a file that is open. */
const versionOf = (db: DatabaseSync): number =>
  Number(db.prepare('PRAGMA user_version').get()?.['user_version'])

const addLacking = (db: DatabaseSync, { table, column, is }: LackingColumn): void => {
  const there = db.prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?').get(table, column)
  if (there === undefined) db.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${is}`)
}

const migrate = (db: DatabaseSync, access: Access): void => {
  const found = versionOf(db)
  if (found > dataVersion) throw new NewerData('folder', found, dataVersion)
  if (found === dataVersion) return
  if (access !== 'hold')
    throw new Error('The data folder was written by an older Atelier: start the server once')
  db.exec('BEGIN IMMEDIATE')
  try {
    for (const step of migrations.slice(found)) {
      if (typeof step === 'string') db.exec(step)
      else for (const each of step) addLacking(db, each)
    }
    db.exec(`PRAGMA user_version = ${dataVersion}`)
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** A copy that nobody else can open and that is gone with this process; the file itself is closed. */
const copyInThisForm = (older: DatabaseSync): DatabaseSync => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-older-'))
  try {
    const path = join(folder, 'atelier.db')
    older.prepare('VACUUM INTO ?').run(path)
    const copy = new DatabaseSync(path)
    // Its folder goes at once: a journal would have no place.
    copy.exec('PRAGMA journal_mode = MEMORY')
    migrate(copy, 'hold')
    older.close()
    return copy
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Statements, each prepared once for its text. */
const statementsOf = (db: DatabaseSync, asLists: boolean) => {
  const known = new Map<string, StatementSync>()
  return {
    of: (text: string): StatementSync => {
      const before = known.get(text)
      if (before) return before
      const made = db.prepare(text)
      if (asLists) made.setReturnArrays(true)
      known.set(text, made)
      return made
    },
    forget: (): void => known.clear(),
  }
}

/**
 * Runs what is small, again and again while the disk is full and there is more of the reserve to give up.
 * @param emptyLog has what is written next find the room of the write-ahead log
 */
const whileFull = (emptyLog: () => void, reserve: Reserve) => {
  const makeRoom = (): void => {
    try {
      emptyLog()
    } catch {
      // No room for that either: the write that comes next says so.
    }
  }
  return <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof DiskFull)) throw error
    }
    makeRoom()
    for (;;) {
      try {
        return work()
      } catch (error) {
        if (!(error instanceof DiskFull) || !reserve.giveUp()) throw error
        makeRoom()
      }
    }
  }
}

/** Runs work as one transaction of a connection, with SQLite's own errors. */
const transactionsOf = (db: DatabaseSync, sql: (text: string) => StatementSync) => {
  let durability: Durability = 'durable'
  // Measured: switching costs less than a second connection, whose page cache each commit would void.
  const settle = (wanted: Durability): void => {
    if (wanted === durability) return
    db.exec(wanted === 'durable' ? 'PRAGMA synchronous = FULL' : 'PRAGMA synchronous = NORMAL')
    durability = wanted
  }
  return <T>(wanted: Durability, work: () => T): T => {
    try {
      settle(wanted)
      // IMMEDIATE: a deferred transaction that reads first fails at once when another program writes
      sql('BEGIN IMMEDIATE').run()
      const result = work()
      sql('COMMIT').run()
      return result
    } catch (error) {
      // a full disk may have rolled back by itself
      if (db.isOpen && db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
}

/** Before a file that was found damaged is looked at once more, in ms: after the first look, and at most. */
const [secondLookMs, longestLookMs] = [60_000, 60 * 60_000]

/**
 * What is known of damage. Of a disk that fails for a moment SQLite says the same as of a damaged file, so what was found is
 * looked at again, ever more rarely: nobody else has a turn meanwhile. So is what is found again soon after a look that found
 * all well: an index that does not match its table passes each.
 */
const damageIn = (db: DatabaseSync) => {
  let known: string | null = null
  let [dueAt, waitMs] = [0, secondLookMs]
  const found = ({ message }: DamagedData): void => {
    const now = performance.now()
    if (known === null && now >= dueAt) [dueAt, waitMs] = [now, secondLookMs]
    known = message
  }
  /** @param check `integrity_check` also compares each index with its table, which takes many times as long */
  const look = (check: 'quick_check' | 'integrity_check'): string | null => {
    try {
      const [first] = db.prepare(`PRAGMA ${check}(1)`).all()
      if (first?.[check] !== 'ok') throw new DamagedData({ cause: first })
      known = null
    } catch (error) {
      const what = translated(error)
      if (!(what instanceof DamagedData)) throw what
      found(what)
    }
    return known
  }
  return {
    found,
    anywhere: () => look('integrity_check'),
    known: (): string | null => {
      if (known === null || performance.now() < dueAt) return known
      dueAt = performance.now() + waitMs
      waitMs = Math.min(2 * waitMs, longestLookMs)
      return look('quick_check')
    },
  }
}

/**
 * Says how many events lack between others: each has the next number, so a file in which some do not stand was put together of two
 * moments, and every page of it may be whole. Null where none lacks.
 */
const gapsInWords = (db: DatabaseSync): string | null => {
  const lacking = Number(
    db.prepare('SELECT max(position) - min(position) + 1 - count(*) AS lacking FROM events').get()?.[
      'lacking'
    ],
  )
  return lacking > 0 ? eventsLacking(lacking) : null
}

/** How long another program that holds the file is waited for, in ms. */
const busyTimeoutMs = 5_000

/**
 * Opens the data file and brings it to this version.
 * @param path of `atelier.db`; made when it is not there and `access` is `hold`
 * @param reserve given up bit by bit where the disk is full
 * @throws {NewerData} {EngineAway}
 */
export const openDatabase = (
  path: string,
  access: Access = 'hold',
  reserve: Reserve = noReserve,
): Database => {
  const db = openWithRoom(path, access, reserve)
  const [statements, lists] = [statementsOf(db, false), statementsOf(db, true)]
  const transact = transactionsOf(db, statements.of)
  const damage = damageIn(db)

  const named = (error: unknown): unknown => {
    const known = translated(error, reserve.takesNothing)
    if (known instanceof DamagedData) damage.found(known)
    return known
  }

  const reading: Database['reading'] = (work) => {
    try {
      return work()
    } catch (error) {
      throw named(error)
    }
  }

  const emptyLog = (ms: number): boolean => {
    db.exec(`PRAGMA busy_timeout = ${ms}`)
    try {
      return statements.of('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0
    } finally {
      db.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
    }
  }
  // not a moment's waiting for who reads: everybody else would wait too
  const makingRoom = whileFull(() => emptyLog(0), reserve)
  const logRemoved = access === 'hold' ? watchLog(path, () => emptyLog(0)) : () => null

  return {
    sql: statements.of,
    lists: lists.of,
    exec: (text) => {
      db.exec(text)
    },
    transaction: (wanted, work, growth = 'small') => {
      const transacted = () => reading(() => transact(wanted, work))
      if (growth === 'small') return makingRoom(transacted)
      if (reserve.isShort()) throw new DiskFull()
      return transacted()
    },
    emptyLog: (ms) => makingRoom(() => reading(() => emptyLog(ms))),
    reading,
    // Closing removes it, and a look may still be under way.
    damage: () => (db.isOpen ? logRemoved() : null) ?? damage.known(),
    damageAnywhere: () => damage.anywhere() ?? reading(() => gapsInWords(db)),
    close: () => {
      if (!db.isOpen) return
      statements.forget()
      lists.forget()
      db.close()
    },
  }
}

/** Opens the file on a full disk too: with room of the reserve, else so that it needs none. */
const openWithRoom = (path: string, access: Access, reserve: Reserve): DatabaseSync => {
  for (;;) {
    try {
      return openFile(path, access, reserve, 'shared')
    } catch (error) {
      if (!(error instanceof DiskFull) || access !== 'hold') throw error
      if (!reserve.giveUp()) return openFile(path, access, reserve, 'alone')
    }
  }
}

/** @param index of the write-ahead log: `alone` keeps it in memory, where it needs no room; nobody reads beside then */
const openFile = (
  path: string,
  access: Access,
  { takesNothing }: Pick<Reserve, 'takesNothing'>,
  index: 'shared' | 'alone',
): DatabaseSync => {
  let db: DatabaseSync | null = null
  try {
    db = new DatabaseSync(path, { timeout: busyTimeoutMs, readOnly: access !== 'hold' })
    if (index === 'alone') db.exec('PRAGMA locking_mode = EXCLUSIVE')
    if (access === 'hold') db.exec('PRAGMA journal_mode = WAL')
    db.exec(`
      PRAGMA synchronous = FULL;
      PRAGMA secure_delete = ON;
      -- room for a replay: with the default 2 MB and 4 MB it would write the same pages again and again
      PRAGMA cache_size = -16000;
      PRAGMA wal_autocheckpoint = 4000;
    `)
    if (access === 'read any form' && versionOf(db) < dataVersion) return copyInThisForm(db)
    migrate(db, access)
    return db
  } catch (error) {
    db?.close()
    throw translated(error, takesNothing)
  }
}
