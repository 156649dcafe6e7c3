import { randomFillSync } from 'node:crypto'
import { closeSync, fstatSync, ftruncateSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { lacksRoom } from '#application/kernel/outage.ts'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { folderUnusable } from '../disk-words.ts'

/** Room for thousands of sign-ins and deletions; a disk of a few MB can spare it. */
const whole = 4 * 1_048_576
/** Given up bit by bit: whatever else fills the disk then gets only what was freed last. */
const part = whole / 8
/** So much has to be free beside the whole before it is whole again. */
const beside = 1_048_576

/** Where the disk takes so much, it is not for want of room that something else could not be written. */
const tried = 65_536

/** Room on the disk that is kept for what the owner needs to get out of a full one. */
export interface Reserve {
  /** Frees a part of it; false when nothing is left. */
  readonly giveUp: () => boolean
  /** Whether it is not whole, so that nothing may grow; made whole again first where there is room. */
  readonly isShort: () => boolean
  /** Whether no new file, or nothing in one, can be written here, be it for the disk or for what this user may take of it. */
  readonly takesNothing: () => boolean
}

/** Where nothing is kept back: beside a server that holds the folder, and where a folder is only looked into. */
export const noReserve: Reserve = { giveUp: () => false, isShort: () => false, takesNothing: () => false }

const withFile = <T>(path: string, work: (file: number) => T): T => {
  const file = openSync(path, 'a', 0o600)
  try {
    return work(file)
  } finally {
    closeSync(file)
  }
}

/**
 * Brings the file to its whole size, or leaves it as it is. Noise: zeros may take no room on the disk.
 * @throws {EngineAway} where the disk takes nothing for another reason than want of room
 */
const fill = (path: string, held: number): number => {
  try {
    return withFile(path, (file) => {
      try {
        const noise = Buffer.alloc(part)
        for (let size = held; size < whole; )
          size += writeSync(file, randomFillSync(noise), 0, Math.min(part, whole - size))
        return whole
      } catch (error) {
        ftruncateSync(file, held)
        throw error
      }
    })
  } catch (error) {
    if (lacksRoom(error)) return held
    throw new EngineAway('disk', folderUnusable, { cause: error })
  }
}

const takesNothing = (dataDir: string): boolean => {
  const path = join(dataDir, '.room')
  try {
    return withFile(path, (file) => {
      try {
        return writeSync(file, randomFillSync(Buffer.alloc(tried))) < tried
      } finally {
        rmSync(path)
      }
    })
  } catch (error) {
    return lacksRoom(error)
  }
}

const sizeOf = (path: string): number => {
  try {
    return withFile(path, (file) => Math.min(whole, fstatSync(file).size))
  } catch (error) {
    // Not even its name has room.
    if (lacksRoom(error)) return 0
    throw error
  }
}

/**
 * The reserve of a data folder: the file `reserve`, which holds nothing. It is made as soon as there is room for it.
 */
export const openReserve = (dataDir: string): Reserve => {
  const path = join(dataDir, 'reserve')
  let held = sizeOf(path)
  const isShort = (): boolean => {
    if (held === whole) return false
    const { bavail, bsize } = statfsSync(dataDir)
    if (bavail * bsize + held < whole + beside) return true
    held = fill(path, held)
    return held < whole
  }
  isShort()
  return {
    isShort,
    takesNothing: () => takesNothing(dataDir),
    giveUp: () => {
      if (held === 0) return false
      held = Math.max(0, held - part)
      // The file itself too: where no further one can be made, another takes its place.
      if (held === 0) rmSync(path, { force: true })
      else withFile(path, (file) => ftruncateSync(file, held))
      return true
    },
  }
}
