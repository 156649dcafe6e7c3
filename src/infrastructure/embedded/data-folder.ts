import { reasonOf } from '#application/kernel/reason.ts'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  type Stats,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { translated } from './database.ts'

/** Another process holds the data folder. The message is for people. */
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
    const why = reasonOf(error)
    throw new EngineAway('disk', `The data folder ${dataDir} cannot be made: check DATA_DIR (${why})`, {
      cause: error,
    })
  }
}

/** Whether somebody else than the owner may do anything with it. */
const isOpen = (mode: number): boolean => (mode & 0o077) !== 0
const isOwn = ({ uid }: Stats): boolean => uid === process.getuid?.()

/**
 * Takes from a folder, and from all that lies in it, what others than its owner may do. Of a folder that was closed
 * only its first level is looked at: nobody can have come further. What belongs to somebody else stays as it is,
 * since only he may change it.
 */
const keepToOwner = (path: string, deep: boolean): void => {
  const folder = lstatSync(path)
  const all = deep || isOpen(folder.mode)
  for (const { name } of readdirSync(path, { withFileTypes: true })) {
    const inside = join(path, name)
    const found = lstatSync(inside, { throwIfNoEntry: false })
    if (found === undefined || !isOwn(found) || found.isSymbolicLink()) continue
    if (found.isDirectory() && all) keepToOwner(inside, true)
    if (isOpen(found.mode)) chmodSync(inside, found.mode & 0o700)
  }
  if (isOpen(folder.mode) && isOwn(folder)) chmodSync(path, folder.mode & 0o700)
}

/**
 * Makes the data folder, keeps it and its files to their owner, and holds it for this process. What holds it is SQLite's exclusive lock
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
    // its journal in memory: on a full disk there is no room for even that
    lock.exec('PRAGMA journal_mode = MEMORY')
    lock.exec('BEGIN EXCLUSIVE')
    keepToOwner(dataDir, false)
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
