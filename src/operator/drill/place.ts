import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, rm, rmdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Refusal } from '#domain/refusal.ts'
import { manifestOf } from '#infrastructure/archive/kept-archives.ts'
import { eventsName, type Manifest } from '#infrastructure/archive/manifest.ts'
import { keyOfEntry } from '#infrastructure/archive/read-archive.ts'
import { mayNotBeUsed, ofCode } from '#infrastructure/disk-words.ts'
import { lacksRoom } from '#application/kernel/outage.ts'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { codeOf, isMissing, unlessMissing } from '#application/kernel/reason.ts'
import { type Config, isShared } from '#infrastructure/config/config.ts'
import { DataFolderInUse, lockDataFolder } from '#infrastructure/embedded/data-folder.ts'
import { freeBytesAt } from '#infrastructure/free-bytes.ts'
import { fieldLimits } from '#domain/field-limits.ts'
import { megabytes } from '../command/show.ts'

/** What a place keeps its scratch folders in. */
const home = '.atelier-check'
/** Measured: log, views and write-ahead log of a restored site take less than so many times its compressed log. */
const ofCompressedLog = 25
const always = 32_000_000
/** Between making a scratch folder and holding it a busy machine takes a while. */
const justMadeMs = 60_000

/** Bytes that a backup takes once it is restored. */
const roomFor = ({ entries }: Pick<Manifest, 'entries'>): number =>
  Object.entries(entries).reduce(
    (sum, [name, { bytes }]) =>
      sum + (keyOfEntry(name) !== null ? bytes : name === eventsName ? bytes * ofCompressedLog : 0),
    always,
  )

/**
 * Whether a folder is this user's and no link to another: a place may be open to all, as the machine's for temporary files,
 * and who else makes one there could have any other emptied.
 */
const isOwnFolder = async (path: string): Promise<boolean> => {
  const found = await lstat(path).catch(() => null)
  return found !== null && found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid)
}

/** Holds a scratch folder; null while somebody is at work there, who holds it. */
const heldUnlessUsed = (path: string): (() => void) | null => {
  try {
    return lockDataFolder(path)
  } catch (error) {
    if (error instanceof DataFolderInUse) return null
    // Killed while it was removed: what a site is known by is gone, and nobody can hold it.
    if (error instanceof Refusal) return () => undefined
    throw error
  }
}

/**
 * Whether somebody may have made a scratch folder just now, and hold it in a moment: what killed checks left holds
 * something, or is older.
 */
const isJustMade = async (path: string): Promise<boolean> => {
  const found = await stat(path).catch(unlessMissing)
  if (found === null || Date.now() - found.mtimeMs >= justMadeMs) return false
  // One that has gone meanwhile is nothing to remove either.
  return ((await readdir(path).catch(unlessMissing)) ?? []).length === 0
}

/** Removes what killed checks left in a place. */
const removeLeft = async (place: string): Promise<void> => {
  if (!(await isOwnFolder(join(place, home)))) return
  const names = await readdir(join(place, home)).catch((error: unknown) => {
    if (isMissing(error) || mayNotBeUsed(error)) return []
    throw error
  })
  for (const path of names.map((name) => join(place, home, name))) {
    if (!(await isOwnFolder(path)) || (await isJustMade(path))) continue
    const unlock = heldUnlessUsed(path)
    if (unlock === null) continue
    await rm(path, { recursive: true, force: true }).finally(unlock)
  }
}

/** Makes a scratch folder in a place. @returns null where nothing can be made */
const madeIn = async (place: string): Promise<string | null> => {
  const path = join(place, home, randomUUID())
  try {
    await mkdir(join(place, home), { recursive: true, mode: 0o700 })
    if (!(await isOwnFolder(join(place, home)))) return null
    await mkdir(path, { recursive: true, mode: 0o700 })
    return path
  } catch (error) {
    // A quota, or a disk that can take no further name, is not seen in what is free.
    if (lacksRoom(error) || mayNotBeUsed(error) || ofCode(codeOf(error), place) !== null) return null
    throw error
  }
}

/**
 * Takes a scratch folder with room for a restored backup: beside the backup, else in the data folder, else where the
 * machine has its temporary files. What killed checks left in any of them goes first.
 * @throws {Refusal} when none of them has the room
 */
export const takeScratch = async (
  file: string,
  config: Config,
): Promise<{ readonly path: string; readonly release: () => Promise<void> }> => {
  const places = [...new Set([dirname(file), ...(isShared(config) ? [] : [config.dataDir]), tmpdir()])]
  // What cannot be removed, as on a disk that is read-only, is no reason against a look.
  for (const place of places)
    await removeLeft(place).catch((error: unknown) => {
      if (codeOf(error) === null && !(error instanceof EngineAway)) throw error
    })
  // A damaged one is said to be so when it is read.
  const manifest = await manifestOf(file)
  const needed = manifest === null ? always : roomFor(manifest)
  const found: string[] = []
  for (const place of places) {
    const free = await freeBytesAt(place)
    found.push(`${place} has ${megabytes(free)}`)
    if (free < needed + fieldLimits.leastFreeBytes) continue
    const path = await madeIn(place)
    if (path === null) continue
    return {
      path,
      release: async () => {
        await rm(path, { recursive: true, force: true })
        // Another check may be at work beside it.
        await rmdir(join(place, home)).catch(() => undefined)
      },
    }
  }
  throw new Refusal(
    'blocked',
    `There is no room to restore the backup for a look: it needs ${megabytes(needed)} and ${megabytes(fieldLimits.leastFreeBytes)} are ` +
      `left free, but ${found.join(', ')}. Make room, or set TMPDIR to a folder on a larger disk`,
  )
}
