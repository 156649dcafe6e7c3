import { reasonOf, codeOf, isMissing } from '#application/kernel/reason.ts'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  type Stats,
  accessSync,
  constants,
  existsSync,
  statSync,
  type BigIntStats,
  readlinkSync,
  realpathSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { Refusal } from '#domain/refusal.ts'
import { isPartOfKey } from '#application/kernel/ports/files.ts'
import { sqlite, translated } from './sqlite-errors.ts'
import { leadsNowhereInWords, ofCode } from '../disk-words.ts'
import { syncFolderAtOnce } from '../sync-folder.ts'

/** Another process holds the data folder. The message is for people. */
export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse'

  constructor(dataDir: string, options?: ErrorOptions) {
    super(
      `The data folder ${dataDir} is in use by another Atelier, a server or an operator’s command: stop that one or let it end, or set another DATA_DIR`,
      options,
    )
  }
}

const makeFolder = (dataDir: string): void => {
  try {
    const first = mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    if (first === undefined) return
    // the folder's own name must not be lost with the power either; SQLite sees to the names inside
    syncFolderAtOnce(dirname(first))
  } catch (error) {
    const why = reasonOf(error)
    throw new EngineAway('disk', `The data folder ${dataDir} cannot be made: check DATA_DIR (${why})`, {
      cause: error,
    })
  }
}

/** By any of these a folder is known as a site's own, also where some of it is lost. */
const ownFile = /^(?:atelier\.db|lock\.db|log\.mark|secret$|reserve$|control\.sock$)/
/** Images, ready pages, and what processes of the three servers keep. */
const ownFolder = /^(?:files|pages|processes)$/
/** What else may lie there before a first start: what a disk has of itself, hidden files and backups. */
const mayBeThere = /^(?:\..*|lost\+found|backups?|.*\.tar(?:\.keys)?)$/

/** Whether a site keeps something by this name in its data folder. */
export const isOfSite = (name: string): boolean => ownFile.test(name) || ownFolder.test(name)

/**
 * Keeps a site out of a folder of other things, which would be closed to all others for ever, and what is in one called
 * `scratch` removed.
 * @throws {Refusal}
 */
const refuseOthersFolder = (dataDir: string): void => {
  // Of one that may not be read the lock complains.
  const names = ((): readonly string[] => {
    try {
      return readdirSync(dataDir)
    } catch {
      return []
    }
  })()
  if (names.some((name) => ownFile.test(name))) return
  const other = names.find((name) => !ownFolder.test(name) && !mayBeThere.test(name))
  if (other === undefined) return
  throw new Refusal(
    'blocked',
    `The data folder ${dataDir} holds other things than a site, as ${other}: set DATA_DIR to a folder of its own. Nothing ` +
      'was changed',
  )
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
 * @throws {Refusal} when it holds other things than a site
 */
export const lockDataFolder = (dataDir: string): (() => void) => {
  makeFolder(dataDir)
  refuseOthersFolder(dataDir)
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
    const errcode = error instanceof Error && 'errcode' in error ? error.errcode : null
    if (errcode === sqlite.busy) throw new DataFolderInUse(dataDir, { cause: error })
    if (errcode === sqlite.corrupt || errcode === sqlite.notadb)
      throw new EngineAway('disk', `${join(dataDir, 'lock.db')} is damaged. It holds nothing: remove it`, {
        cause: error,
      })
    throw translated(error)
  }
  const held = lock
  return () => {
    if (held.isOpen) held.close()
  }
}

const { R_OK, W_OK, X_OK } = constants

type Kind = 'file' | 'folder'

const databaseFiles: readonly string[] = ['lock.db', 'atelier.db', 'atelier.db-wal', 'atelier.db-shm']

/**
 * Whether SQLite has a file of this name open for as long as a data folder is held: closing any handle of it in the same
 * process would lift its locks (POSIX).
 */
export const isOpenDatabase = (name: string): boolean => databaseFiles.includes(name)

/** What a process that holds a data folder works on; what is not there yet it makes. */
const known: Readonly<Record<string, Kind>> = {
  ...Object.fromEntries(databaseFiles.map((name) => [name, 'file' as const])),
  'log.mark': 'file',
  reserve: 'file',
  files: 'folder',
  scratch: 'folder',
}

/** Whether a path is a link to what is not there, and cannot be made through it. */
const leadsNowhere = (path: string, kind: Kind): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true &&
  (kind === 'folder' || !existsSync(dirname(resolve(dirname(path), readlinkSync(path)))))

const complaint = (path: string, kind: Kind): string | null => {
  try {
    const found = statSync(path)
    if (kind === 'folder' ? !found.isDirectory() : !found.isFile())
      return ofCode(kind === 'folder' ? 'ENOTDIR' : 'EISDIR', path)
    // SQLite opens a file that may only be read without a word, and refuses every write.
    accessSync(path, kind === 'folder' ? R_OK | W_OK | X_OK : R_OK | W_OK)
    return null
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && leadsNowhere(path, kind)) return leadsNowhereInWords(path)
    // It is made.
    if (isMissing(error)) return null
    const words = ofCode(codeOf(error), path)
    if (words === null) throw error
    return words
  }
}

const foldersIn = (path: string): readonly string[] => {
  try {
    return (
      readdirSync(path, { withFileTypes: true })
        // A disk of its own has a `lost+found`, which is nobody's business here.
        .filter((each) => isPartOfKey(each.name) || each.name === '.incoming')
        .filter((each) => each.isDirectory() || each.isSymbolicLink())
        .map(({ name }) => join(path, name))
    )
  } catch (error) {
    // One that may not be read, or is no folder, was complained of.
    if (codeOf(error) !== null) return []
    throw error
  }
}

/** A file is written beside its place and only then given its name there, which no other disk can do. */
const ofAnotherDisk = (path: string, files: string): string | null =>
  statSync(path).dev === statSync(files).dev
    ? null
    : `${path} lies on another disk than ${files}, so no picture could be kept: put all folders of it on one disk; where ` +
      `that is to be another one, let ${files} itself be the link`

/**
 * What of a data folder this process could not work on, the first of it in words; null when it can, or when there is none
 * yet. A server that starts all the same would take no order, or lose its high-water mark.
 */
export const unusableIn = (dataDir: string): string | null => {
  const files = join(dataDir, 'files')
  const looks: readonly (() => string | null)[] = [
    () => complaint(dataDir, 'folder'),
    ...Object.entries(known).map(
      ([name, kind]) =>
        () =>
          complaint(join(dataDir, name), kind),
    ),
    ...foldersIn(files).map((path) => () => complaint(path, 'folder') ?? ofAnotherDisk(path, files)),
  ]
  for (const look of looks) {
    const words = look()
    if (words !== null) return words
  }
  return null
}

/**
 * Says that there is nothing in the folder of the files, not even what every start makes there: the disk that it lies on is not
 * mounted. Null where it is not so, and where there is no such folder, which is made.
 */
export const filesAway = (dataDir: string): string | null => {
  const files = join(dataDir, 'files')
  if (!existsSync(files) || foldersIn(files).length > 0) return null
  return (
    `${files} is empty, although there is a site. Where it lies on a disk of its own, mount that, or put ` +
    'the folder back from your copy. Where the pictures are lost, make a folder "originals" in it: the site goes on without them'
  )
}

/** Where Linux tells which files this process has open. */
const openFiles = '/proc/self/fd'

type Seen = Pick<BigIntStats, 'ino' | 'dev' | 'size' | 'mtimeNs' | 'ctimeNs'>

/**
 * Whether two looks, taken together, are of one file. Where a folder of the network or of a program numbers its files
 * anew, their sizes and times tell: nobody can give a copy the time of the other's last change (ctime).
 */
export const isSameFile = (one: Seen, other: Seen): boolean =>
  (one.ino === other.ino && one.dev === other.dev) ||
  (one.size === other.size && one.mtimeNs === other.mtimeNs && one.ctimeNs === other.ctimeNs)

const lookAt = (path: string): BigIntStats | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false })

/** The path by which a file that is open here is looked at, whatever stands under its name; null where nobody tells. */
const openHere = (path: string): string | null => {
  const real = realpathSync(path)
  try {
    const found = readdirSync(openFiles).find((name) => {
      try {
        return readlinkSync(`${openFiles}/${name}`) === real
      } catch {
        // Closed since it was listed, as the one that listed it.
        return false
      }
    })
    return found === undefined ? null : `${openFiles}/${found}`
  } catch {
    // Only Linux has that folder.
    return null
  }
}

/** What to do where the data file itself is another: the whole folder belongs together. */
const putFolderBack =
  'what it writes would be lost. Stop the server, put the whole folder in its place, and start it again'

/**
 * Notes which file was opened. One of SQLite's must never be opened a second time to look into it: closing that again would
 * take SQLite its locks.
 * @param whatToDo where it is there no more
 * @returns what became of it since, in words; null while it is there
 */
export const watchFile = (path: string, whatToDo = putFolderBack): (() => string | null) => {
  const opened = statSync(path, { bigint: true })
  const here = openHere(path)
  return () => {
    const found = lookAt(path)
    const own = (here === null ? undefined : lookAt(here)) ?? opened
    if (found !== undefined && isSameFile(own, found)) return null
    return (
      `${path} was ${found === undefined ? 'removed' : 'replaced'} while this server runs, which has the former file ` +
      `open: ${whatToDo}`
    )
  }
}
