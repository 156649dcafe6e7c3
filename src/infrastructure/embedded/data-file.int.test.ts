import { copyFileSync, mkdtempSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isSameFile, watchFile } from './data-folder.ts'
import { type Database, openDatabase } from './database.ts'

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
