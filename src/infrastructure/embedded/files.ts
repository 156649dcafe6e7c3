import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { constants, copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { lacksRoom } from '#application/kernel/outage.ts'
import { asError, isMissing, unlessMissing } from '#application/kernel/reason.ts'
import { DiskFull, EngineAway } from '#application/kernel/ports/event-store.ts'
import { type FileStore, FileUnreadable, checkedKey } from '#application/kernel/ports/files.ts'
import type { Access } from './database.ts'
import { folderUnusable, isFailing, mayNotBeUsed, unusable } from '../disk-words.ts'
import { freeBytesAt } from '../free-bytes.ts'
import { partOf, streamOf, untilCut } from '../file-streams.ts'
import { ownFiles } from './own-files.ts'
import { noReserve, type Reserve } from './reserve.ts'

/** What nobody finished by then was broken off, in ms. */
const brokenOffMs = 24 * 60 * 60 * 1_000

const translated = (error: unknown): unknown => {
  if (lacksRoom(error)) return new DiskFull({ cause: error })
  return mayNotBeUsed(error) ? unusable(error) : error
}

const syncPath = async (path: string, flags: 'r' | 'r+'): Promise<void> => {
  const handle = await open(path, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes the names in a folder durable: a rename is on the disk only when its folder is. */
const syncFolder = (path: string): Promise<void> => syncPath(path, 'r')

/** Makes a folder and, durably, the names of those that were missing on the way to it. */
const makeFolder = async (path: string): Promise<void> => {
  const first = await mkdir(path, { recursive: true })
  if (first === undefined) return
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
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
    await mkdir(incoming, { recursive: true })
    for (const half of await readdir(incoming)) await rm(join(incoming, half), { recursive: true })
  }

  const opened = access === 'hold' ? await stat(root) : null

  /**
   * A disk that is away may leave its folder, empty: `.incoming` is gone with it. Where that alone is gone from the very
   * folder that was opened, somebody has tidied it away, and it is made anew.
   * @throws {EngineAway} while the disk is away
   */
  const mustBeThere = async (): Promise<void> => {
    const lacks = await stat(incoming).catch((error: unknown) => {
      if (isMissing(error)) return error
      throw translated(error)
    })
    if (!(lacks instanceof Error)) return
    const found = await stat(root).catch(unlessMissing)
    if (found === null || found.dev !== opened?.dev || found.ino !== opened.ino)
      throw new EngineAway('disk', folderUnusable, { cause: lacks })
    await mkdir(incoming, { recursive: true })
  }

  /** Nothing where there is no such file. A disk that is away has lost none: whoever waits goes on when it is back. */
  const unlessLost = async (error: unknown): Promise<null> => {
    if (!isMissing(error)) throw error
    if (access === 'hold') await mustBeThere()
    return null
  }

  const pathOf = (key: string): string => join(root, ...checkedKey(key).split('/'))

  const sizeOf = async (path: string): Promise<number | null> => {
    const found = await stat(path).catch(unlessLost)
    return found?.isFile() ? found.size : null
  }

  /** Lets `fill` bring a new file to the disk, then gives it its name. */
  const add = async (path: string, fill: (part: string) => Promise<void>): Promise<void> => {
    if (isShort()) throw new DiskFull()
    await mustBeThere()
    const part = join(incoming, randomUUID())
    try {
      await fill(part)
      await makeFolder(dirname(path))
      await rename(part, path)
      await syncFolder(dirname(path))
    } catch (error) {
      await rm(part, { force: true }).catch(unlessMissing)
      if (isMissing(error)) await unlessLost(error)
      throw translated(error)
    }
  }

  /** Brings a stream to the disk under a key; a file of that name gives way to it whole. */
  const write = (path: string, stream: Readable): Promise<void> =>
    // `flush` syncs the file before it is closed
    add(path, (part) => pipeline(stream, createWriteStream(part, { flags: 'wx', flush: true })))

  return {
    put: async (key, source) => {
      const path = pathOf(key)
      const stream = streamOf(source)
      if ((await sizeOf(path)) !== null) stream.destroy()
      else await write(path, stream)
    },
    replace: async (key, source) => write(pathOf(key), streamOf(source)),
    putFile: async (key, source) => {
      const path = pathOf(key)
      if ((await sizeOf(path)) !== null) return
      await add(path, async (part) => {
        // costs no room where the file system can share blocks
        await copyFile(source, part, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
        await syncPath(part, 'r+')
      })
    },
    open: async (key, range) => {
      const inWords = (error: Error): Error =>
        isFailing(error) ? new FileUnreadable(key, { cause: error }) : error
      const file = await open(pathOf(key), 'r').catch((error: unknown) => unlessLost(inWords(asError(error))))
      if (!file) return null
      const found = await file.stat()
      if (!found.isFile()) {
        await file.close()
        return null
      }
      const { size } = found
      const { start, end } = partOf(size, range)
      if (start >= end) {
        await file.close()
        return { size, stream: Readable.from([]) }
      }
      return {
        size,
        stream: untilCut(file.createReadStream({ start, end: end - 1 }), key, end - start, inWords),
      }
    },
    size: async (key) => sizeOf(pathOf(key)),
    readableBytes: async (key) => sizeOf(pathOf(key)),
    list: async (prefix) => {
      // only the folder that the prefix names is walked
      const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1)
      if (folder !== '') checkedKey(folder.slice(0, -1))
      const paths = await ownFiles(join(root, folder)).catch(unlessLost)
      return (paths ?? [])
        .map((path) => relative(root, path).split(sep).join('/'))
        .filter((key) => key.startsWith(prefix))
    },
    move: async (from, to) => {
      const [source, target] = [pathOf(from), pathOf(to)]
      if ((await sizeOf(source)) === null) return
      try {
        await makeFolder(dirname(target))
        await rename(source, target)
      } catch (error) {
        throw translated(error)
      }
      for (const folder of [dirname(target), dirname(source)]) await syncFolder(folder)
    },
    remove: async (keys) => {
      const paths = keys.map(pathOf)
      for (const path of paths) await rm(path, { force: true }).catch(unlessMissing)
    },
    sweep: async () => {
      const before = Date.now() - brokenOffMs
      let removed = 0
      await mustBeThere()
      for (const half of await readdir(incoming)) {
        const path = join(incoming, half)
        const found = await stat(path).catch(unlessMissing)
        if (found === null || found.mtimeMs > before) continue
        await rm(path, { force: true })
        removed += 1
      }
      return removed
    },
    room: () => freeBytesAt(root),
    close: async () => undefined,
  }
}
