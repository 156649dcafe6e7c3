import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { EngineAway } from '#application/ports/event-store.ts'
import { translated } from './database.ts'

/** Another process holds the data folder (decisions 95). The message is for people. */
export class DataFolderInUse extends Error {
  constructor(dataDir: string, options?: ErrorOptions) {
    super(
      `The data folder ${dataDir} is in use by another Atelier server: stop that one, or set another DATA_DIR`,
      options,
    )
    this.name = 'DataFolderInUse'
  }
}

const makeFolder = (dataDir: string): void => {
  try {
    const first = mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    if (first === undefined) return
    // the folder's own name must not be lost with the power either; SQLite sees to the names inside
    const parent = openSync(dirname(first), 'r')
    fsyncSync(parent)
    closeSync(parent)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new EngineAway('disk', `The data folder ${dataDir} cannot be made: check DATA_DIR (${why})`, {
      cause: error,
    })
  }
}

/**
 * Makes the data folder (mode 0700) and holds it for this process. What holds it is SQLite's exclusive lock
 * on a file of its own, which the kernel lifts when the process ends, however it ends. Nobody else may open
 * `lock.db`: closing any handle of it in this process would lift the lock (POSIX).
 * @returns what lets it go
 * @throws {DataFolderInUse} when another process, or another part of this one, holds it
 * @throws {EngineAway} when the folder cannot be written
 */
export const lockDataFolder = (dataDir: string): (() => void) => {
  makeFolder(dataDir)
  let lock: DatabaseSync | null = null
  try {
    // no waiting: a server that holds the folder does so for good
    lock = new DatabaseSync(join(dataDir, 'lock.db'), { timeout: 0 })
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock?.close()
    const busy = error instanceof Error && 'errcode' in error && error.errcode === 5
    throw busy ? new DataFolderInUse(dataDir, { cause: error }) : translated(error)
  }
  const held = lock
  return () => {
    if (held.isOpen) held.close()
  }
}
