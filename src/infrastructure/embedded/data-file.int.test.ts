import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isSameFile, watchFile } from './data-folder.ts'
import { type Database, openDatabase } from './database.ts'
import { DamagedData } from './sqlite-errors.ts'

describe('the data file of a running server', () => {
  let folder: string
  let path: string
  let database: Database
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'atelier-file-'))
    path = join(folder, 'atelier.db')
    database = openDatabase(path)
  })
  afterEach(() => {
    vi.useRealTimers()
    database.close()
    rmSync(folder, { recursive: true })
  })

  const look = (of = path) => statSync(of, { bigint: true })

  it('is the same while it is written, and also where its folder numbers files anew', () => {
    const replaced = watchFile(path)
    database.exec(
      'CREATE TABLE more (n INTEGER); INSERT INTO more VALUES (1); PRAGMA wal_checkpoint(TRUNCATE)',
    )
    expect(replaced()).toBeNull()
    const { size, mtimeNs, ctimeNs } = look()
    expect(isSameFile(look(), { ino: 7n, dev: 8n, size, mtimeNs, ctimeNs })).toBe(true)
  })

  it('is whole again once a disk that failed for a moment gives it, and damaged for as long as that does not', () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    // As SQLite tells of a page that the disk did not give.
    const read = () =>
      database.reading(() => {
        throw Object.assign(new Error('database disk image is malformed'), { errcode: 11 })
      })
    expect(read).toThrow(DamagedData)
    expect([database.damage(), database.damageAnywhere()]).toEqual([null, null])

    database.exec(
      'CREATE TABLE more (n TEXT); INSERT INTO more VALUES (hex(zeroblob(9000))); PRAGMA wal_checkpoint(TRUNCATE)',
    )
    database.close()
    const whole = readFileSync(path)
    writeFileSync(path, Buffer.concat([whole.subarray(0, -4096), Buffer.alloc(4096, 255)]))
    database = openDatabase(path)
    expect(database.damageAnywhere()).toContain('is damaged')
    expect(database.damage()).toContain('is damaged')
    writeFileSync(path, whole)
    // A page that the disk did not give would not be remembered.
    database.exec('PRAGMA shrink_memory')
    expect(database.damage()).toContain('is damaged')
    vi.advanceTimersByTime(60_000)
    expect(database.damage()).toBeNull()
  })

  it('is damaged where reads fail again and again that a look finds well, and is not looked at for each of them', () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const read = () =>
      database.reading(() => {
        throw Object.assign(new Error('database disk image is malformed'), { errcode: 11 })
      })
    const found: boolean[] = []
    for (let at = 0; at < 600; at += 5) {
      expect(read).toThrow(DamagedData)
      found.push(database.damage() !== null)
      vi.advanceTimersByTime(5_000)
    }
    // Looked at, and well for that moment: at once, after one minute, three and seven.
    expect(found.filter((isDamaged) => !isDamaged)).toHaveLength(4)
    vi.advanceTimersByTime(60 * 60_000)
    expect(database.damage()).toBeNull()
    vi.advanceTimersByTime(60 * 60_000)
    expect(read).toThrow(DamagedData)
    expect(database.damage()).toBeNull()
  })

  it('is found damaged by whoever looks anywhere where an index does not match its table', () => {
    database.exec(`
      CREATE TABLE more (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO more VALUES (1, 'first'), (2, 'second');
      CREATE INDEX by_name ON more (name); PRAGMA wal_checkpoint(TRUNCATE)`)
    database.close()
    // As a power cut leaves it on a disk that has not kept what it said was kept: the index alone is older.
    const file = readFileSync(path, 'latin1')
    const at = file.lastIndexOf('second')
    writeFileSync(path, `${file.slice(0, at)}secund${file.slice(at + 6)}`, 'latin1')
    database = openDatabase(path)
    expect(database.damageAnywhere()).toContain('is damaged')
  })

  it('is said to be of two moments where events lack between others, though each page is whole', () => {
    const insert = database.sql(
      `INSERT INTO events (stream, revision, id, type, schema_version, occurred_at, meta, data)
       VALUES (?, 0, ?, 'ArtworkHidden', 1, '2026-01-01T03:00:00Z', '{}', '{}')`,
    )
    for (const name of ['a', 'b', 'c', 'd']) insert.run(name, name)
    expect(database.damageAnywhere()).toBeNull()
    database.exec("DELETE FROM events WHERE stream IN ('b', 'c')")
    expect(database.damageAnywhere()).toContain('lacks 2 events between others')
    expect(database.damageAnywhere()).toContain('backup from before that')
  })

  it('holds by itself what stood in a write-ahead log that was removed, which is told', () => {
    database.exec('CREATE TABLE more (n INTEGER); INSERT INTO more VALUES (1)')
    expect(database.damage()).toBeNull()
    for (const end of ['wal', 'shm']) rmSync(`${path}-${end}`)
    expect(database.damage()).toContain('atelier.db-wal was removed while this server runs')
    const copy = join(folder, 'copy.db')
    copyFileSync(path, copy)
    const alone = openDatabase(copy)
    expect(alone.sql('SELECT n FROM more').all()).toMatchObject([{ n: 1 }])
    alone.close()
  })

  it('has lost nothing once it is closed, which removes its write-ahead log', () => {
    database.exec('CREATE TABLE more (n INTEGER)')
    database.close()
    expect(database.damage()).toBeNull()
  })

  it('is another when a copy stands in its place, also one with its time', () => {
    const replaced = watchFile(path)
    const copy = join(folder, 'copy.db')
    copyFileSync(path, copy)
    const { atime, mtime } = statSync(path)
    utimesSync(copy, atime, mtime)
    expect(isSameFile(look(), look(copy))).toBe(false)
    renameSync(copy, path)
    expect(replaced()).toContain('was replaced')
    rmSync(path)
    expect(replaced()).toContain('was removed')
  })
})
