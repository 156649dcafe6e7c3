import { createReadStream } from 'node:fs'
import { open, readlink, rename, rm, stat } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { lacksRoom } from '#application/kernel/outage.ts'
import { asError, codeOf, isMissing } from '#application/kernel/reason.ts'
import { DiskFull } from '#application/kernel/ports/event-store.ts'
import { Refusal } from '#domain/refusal.ts'
import { removeLeftParts } from './left-parts.ts'
import { steadyWrites } from './steady-writes.ts'
import { diskInWords, mayNotBeUsed, ofCode, diskPlaceOf, sayingWhere, withPlace } from '../disk-words.ts'
import { syncFolder } from '../sync-folder.ts'

/** What the disk says, in words. */
const inWords = (error: unknown, path: string): unknown => {
  // What is read to fill it has a place of its own.
  const place = diskPlaceOf(error)
  const folder = dirname(path)
  if (place !== null && ![place, dirname(place)].includes(folder)) return diskInWords(error)
  if (lacksRoom(error)) return new DiskFull({ cause: error }, folder)
  if (isMissing(error)) return new Refusal('missing', `There is no folder ${folder}: make it first`)
  // What it is called while it is written is longer.
  if (codeOf(error) === 'ENAMETOOLONG')
    return new Refusal('invalid', `The name of ${path} is too long: take a shorter one`)
  if (codeOf(error) === 'EISDIR') return new Refusal('invalid', `${path} is a folder: name a file in it`)
  // What is wrong with its folder that rights cannot mend.
  const broken = ['EROFS', 'EIO'].includes(codeOf(error) ?? '') ? ofCode(codeOf(error), folder) : null
  if (broken !== null) return new Refusal('blocked', broken)
  return mayNotBeUsed(error)
    ? new Refusal('blocked', `${path} cannot be written: check the rights on its folder`)
    : error
}

/**
 * The same where it gets its name. What the system says names it as it was in the making, otherwise at each try: of what lasts
 * that would be told anew each time.
 */
const renamedInWords = (error: unknown, to: string): unknown => {
  const code = codeOf(error)
  if (mayNotBeUsed(error) && code !== 'EROFS')
    return new Refusal(
      'blocked',
      `${to} cannot be replaced: check the rights on its folder, and whether somebody has protected it (lsattr)`,
    )
  const told = inWords(Object.assign(asError(error), { path: to }), to)
  if (told !== error || code === null) return told
  return new Refusal(
    'blocked',
    `${to} cannot be replaced (${code}): look whether another program holds it open`,
  )
}

/** What writing to standard output says when its disk, or that of another folder that is written to, is full, or nobody reads on. */
export const streamInWords = (error: unknown, folder: string | null): unknown => {
  if (codeOf(error) === 'EPIPE')
    return new Refusal(
      'blocked',
      'What takes standard output has ended before all was sent: what it has is not whole',
    )
  const place = folder === null ? 'standard output' : `standard output, or of ${folder},`
  return lacksRoom(error) ? new DiskFull({ cause: error }, place) : error
}

/** A file that is being written beside the place it is meant for. */
export interface FileInTheMaking {
  /** where it lies meanwhile */
  readonly part: string
  /** Gives it its name, durably, or another one on the same disk; what had the name before is gone then. */
  readonly finish: (to?: string) => Promise<void>
  /** Removes it; no error when it is finished or gone. */
  readonly discard: () => Promise<void>
}

const endOfPart = /\.[0-9a-f-]{36}\.part$/

/** Whether a file is named as {@link beginFile} names one in the making; somebody's own may end in `.part` as well. */
export const isNamedAsPart = (name: string): boolean => endOfPart.test(name)

/** A name without what {@link beginFile} puts behind that of a file in the making. */
export const withoutPart = (name: string): string => name.replace(endOfPart, '')

/**
 * Begins a file that will be there whole or not at all: it is written beside, for its owner only (mode 0600),
 * and renamed when it is done.
 * @throws {Refusal} when its folder is not there or cannot be written, or what stands there is no file
 */
export const beginFile = async (path: string): Promise<FileInTheMaking> => {
  const part = join(dirname(path), `.${basename(path)}.${randomUUID()}.part`)
  try {
    const there = await stat(path).catch(() => null)
    if (there?.isDirectory()) throw Object.assign(new Error(path), { code: 'EISDIR' })
    // The rename would put a file in its place: root would take the whole machine its /dev/null.
    // So would it its /dev/stdout, a link, which is a file as long as it is sent into one.
    const link = await readlink(path).catch(() => '')
    if ((there !== null && !there.isFile()) || link.startsWith('/proc/'))
      throw new Refusal('invalid', `${path} is a device or a pipe: name a file`)
    await removeLeftParts(
      dirname(path),
      (name) => name.startsWith(`.${basename(path)}.`) && isNamedAsPart(name),
    )
    await (await open(part, 'wx', 0o600)).close()
  } catch (error) {
    throw inWords(error, path)
  }
  return {
    part,
    finish: async (to = path) => {
      try {
        await rename(part, to)
        await syncFolder(dirname(to))
      } catch (error) {
        throw renamedInWords(error, to)
      }
    },
    discard: () => rm(part, { force: true }),
  }
}

/**
 * Lets `fill` write the whole of a file that {@link beginFile} made (or any other); it is on the disk when
 * this resolves.
 * @throws {DiskFull}, what `fill` throws
 */
export const fillFile = async <T>(path: string, fill: (out: Writable) => Promise<T>): Promise<T> => {
  const out = steadyWrites(
    await open(path, 'w', 0o600).catch((error: unknown) => {
      throw inWords(error, path)
    }),
  )
  const written = finished(out)
  // Heard of below; a failure while `fill` runs reaches it through the stream.
  written.catch(() => undefined)
  try {
    const result = await fill(out)
    out.end()
    await written
    return result
  } catch (error) {
    out.destroy()
    throw inWords(error, path)
  }
}

/** The first bytes of a file, at most so many. @throws what the system says when it is not there or cannot be read */
export const headOf = async (path: string, bytes: number): Promise<Buffer> => {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0)
    return buffer.subarray(0, bytesRead)
  } catch (error) {
    throw withPlace(error, path)
  } finally {
    await file.close()
  }
}

/** Opens a file for reading. @throws {Refusal} when it is not there or cannot be read */
export const openToRead = async (path: string): Promise<Readable> => {
  try {
    const found = await stat(path)
    if (found.isDirectory()) throw new Refusal('invalid', `${path} is a folder: name a file in it`)
    const file = await open(path, 'r')
    return sayingWhere(createReadStream(path, { fd: file }), path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw new Refusal('missing', `There is no file ${path}`)
    if (mayNotBeUsed(error)) throw new Refusal('blocked', `${path} cannot be read: check its rights`)
    throw error
  }
}
