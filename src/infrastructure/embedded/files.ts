import { randomUUID } from 'node:crypto'
import { createWriteStream, type Stats } from 'node:fs'
import { chmod, constants, copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { lacksRoom } from '#application/kernel/outage.ts'
import { asError, isMissing, unlessMissing } from '#application/kernel/reason.ts'
import { DiskFull, EngineAway } from '#application/kernel/ports/event-store.ts'
import {
  type ByteRange,
  type FileStore,
  FileUnreadable,
  checkedKey,
  type OpenFile,
  brokenOffMs,
} from '#application/kernel/ports/files.ts'
import type { Access } from './database.ts'
import { diskPlaceOf, folderUnusable, isFailing, mayNotBeUsed, unusable } from '../disk-words.ts'
import { freeBytesAt } from '../free-bytes.ts'
import { partOf, streamOf, untilCut } from '../file-streams.ts'
import { syncFile, syncFolder } from '../sync-folder.ts'
import { ownFiles } from './own-files.ts'
import { noReserve, type Reserve } from './reserve.ts'

/** Whether a path is a folder's, or of something in it: that of another may begin alike. */
const isWithin = (path: string, folder: string): boolean => `${path}${sep}`.startsWith(`${folder}${sep}`)

/** @param root of the files: what fails elsewhere, as where a file comes from, is another's to tell */
const translated = (error: unknown, root: string): unknown => {
  if (lacksRoom(error)) return new DiskFull({ cause: error })
  // That something is missing is what Node says of a folder that it could not make, for whatever reason.
  const failsHere = (isFailing(error) || isMissing(error)) && isWithin(diskPlaceOf(error) ?? root, root)
  return mayNotBeUsed(error) || failsHere ? unusable(error) : error
}

/** Makes a folder and, durably, the names of those that were missing on the way to it. */
const makeFolder = async (path: string): Promise<void> => {
  const first = await mkdir(path, { recursive: true })
  if (first === undefined) return
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

/** The folder of the files. Each step below takes this. */
interface Folder {
  readonly root: string
  /** in it: what is not yet whole */
  readonly incoming: string
  /** as it was opened; null where it is only read, and left as it is */
  readonly opened: Stats | null
  readonly isShort: () => boolean
}

/**
 * A disk that is away may leave its folder, empty: `.incoming` is gone with it. Where that alone is gone from the very
 * folder that was opened, somebody has tidied it away, and it is made anew.
 * @throws {EngineAway} while the disk is away
 */
const mustBeThere = async ({ root, incoming, opened }: Folder): Promise<void> => {
  const lacks = await stat(incoming).catch((error: unknown) => {
    if (isMissing(error)) return error
    throw translated(error, root)
  })
  if (!(lacks instanceof Error)) return
  const found = await stat(root).catch(unlessMissing)
  if (found === null || found.dev !== opened?.dev || found.ino !== opened.ino)
    throw new EngineAway('disk', folderUnusable, { cause: lacks })
  await mkdir(incoming, { recursive: true })
}

/** Nothing where there is no such file. A disk that is away has lost none: whoever waits goes on when it is back. */
const unlessLost =
  (folder: Folder) =>
  async (error: unknown): Promise<null> => {
    if (!isMissing(error)) throw error
    if (folder.opened !== null) await mustBeThere(folder)
    return null
  }

const pathOf = ({ root }: Folder, key: string): string => join(root, ...checkedKey(key).split('/'))

const sizeOf = async (folder: Folder, key: string): Promise<number | null> => {
  const found = await stat(pathOf(folder, key)).catch(unlessLost(folder))
  return found?.isFile() ? found.size : null
}

/** Lets `fill` bring a new file to the disk, then gives it its name; a file of that name gives way to it whole. */
const add = async (folder: Folder, key: string, fill: (part: string) => Promise<void>): Promise<void> => {
  const path = pathOf(folder, key)
  if (folder.isShort()) throw new DiskFull()
  await mustBeThere(folder)
  const part = join(folder.incoming, randomUUID())
  try {
    await fill(part)
    await makeFolder(dirname(path))
    await rename(part, path)
    await syncFolder(dirname(path))
  } catch (error) {
    // Why it could not be kept is worth more than why a part of it stays.
    await rm(part, { force: true }).catch(() => undefined)
    if (isMissing(error)) await unlessLost(folder)(error)
    throw translated(error, folder.root)
  }
}

/** `flush` syncs the file before it is closed. */
const written =
  (stream: Readable) =>
  (part: string): Promise<void> =>
    pipeline(stream, createWriteStream(part, { flags: 'wx', flush: true }))

const copied =
  (source: string) =>
  async (part: string): Promise<void> => {
    // costs no room where the file system can share blocks
    await copyFile(source, part, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    // A copy has the rights of what it was made from, as a sample that everybody may read.
    await chmod(part, 0o600)
    await syncFile(part)
  }

const read = async (folder: Folder, key: string, range?: ByteRange): Promise<OpenFile | null> => {
  const inWords = (error: Error): Error =>
    isFailing(error) ? new FileUnreadable(key, { cause: error }) : error
  const file = await open(pathOf(folder, key), 'r').catch((error: unknown) =>
    unlessLost(folder)(inWords(asError(error))),
  )
  if (!file) return null
  const found = await file.stat()
  const { size } = found
  const { start, end } = partOf(size, range)
  if (found.isFile() && start < end)
    return {
      size,
      stream: untilCut(file.createReadStream({ start, end: end - 1 }), key, end - start, inWords),
    }
  await file.close()
  return found.isFile() ? { size, stream: Readable.from([]) } : null
}

/** Only the folder that the prefix names is walked. */
const keysUnder = async (folder: Folder, prefix: string): Promise<readonly string[]> => {
  const walked = prefix.slice(0, prefix.lastIndexOf('/') + 1)
  if (walked !== '') checkedKey(walked.slice(0, -1))
  const paths = await ownFiles(join(folder.root, walked)).catch(unlessLost(folder))
  return (paths ?? [])
    .map((path) => relative(folder.root, path).split(sep).join('/'))
    .filter((key) => key.startsWith(prefix))
}

const move = async (folder: Folder, from: string, to: string): Promise<void> => {
  const [source, target] = [pathOf(folder, from), pathOf(folder, to)]
  if ((await sizeOf(folder, from)) === null) return
  try {
    await makeFolder(dirname(target))
    await rename(source, target)
  } catch (error) {
    throw translated(error, folder.root)
  }
  for (const changed of [dirname(target), dirname(source)]) await syncFolder(changed)
}

/** Removes what was broken off. @returns how many files */
const sweep = async (folder: Folder): Promise<number> => {
  const before = Date.now() - brokenOffMs
  let removed = 0
  await mustBeThere(folder)
  for (const half of await readdir(folder.incoming)) {
    const path = join(folder.incoming, half)
    const found = await stat(path).catch(unlessMissing)
    if (found === null || found.mtimeMs > before) continue
    await rm(path, { force: true })
    removed += 1
  }
  return removed
}

/**
 * Files in a folder. A file is written beside, in `.incoming`, brought to the disk and only then given its
 * name, so that it is there whole or not at all.
 * @param root made when it is not there; what a killed process left half-written in it is removed
 * @param access `read` leaves the folder as it is
 */
export const openFiles = async (
  root: string,
  access: Access = 'hold',
  { isShort }: Pick<Reserve, 'isShort'> = noReserve,
): Promise<FileStore> => {
  const incoming = join(root, '.incoming')
  if (access === 'hold') {
    await makeFolder(incoming)
    for (const half of await readdir(incoming)) await rm(join(incoming, half), { recursive: true })
  }
  const folder: Folder = { root, incoming, opened: access === 'hold' ? await stat(root) : null, isShort }
  return {
    put: async (key, source) => {
      const stream = streamOf(source)
      if ((await sizeOf(folder, key)) !== null) stream.destroy()
      else await add(folder, key, written(stream))
    },
    replace: async (key, source) => add(folder, key, written(streamOf(source))),
    putFile: async (key, source) => {
      if ((await sizeOf(folder, key)) === null) await add(folder, key, copied(source))
    },
    open: async (key, range) => read(folder, key, range),
    size: async (key) => sizeOf(folder, key),
    readableBytes: async (key) => sizeOf(folder, key),
    list: async (prefix) => keysUnder(folder, prefix),
    move: async (from, to) => move(folder, from, to),
    remove: async (keys) => {
      const paths = keys.map((key) => pathOf(folder, key))
      for (const path of paths) await rm(path, { force: true }).catch(unlessMissing)
    },
    sweep: async () => sweep(folder),
    room: () => freeBytesAt(root),
  }
}
