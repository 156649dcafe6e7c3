import type { Stats } from 'node:fs'
import { readdir, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isMissing, unlessMissing } from '#application/kernel/reason.ts'
import { Refusal } from '#domain/refusal.ts'
import { mayNotBeUsed } from '../disk-words.ts'
import { isOpenDatabase } from '../embedded/data-folder.ts'
import { apartFolder, keysName } from './kept-archives.ts'
import { beginsAsKeys, type KeysFile, readIfWhole, readUnlessDamaged, writeKeys } from './keys-file.ts'
import { isLeft, timeIn } from './left-parts.ts'
import { beginFile, fillFile, isNamedAsPart, withoutPart } from './whole-file.ts'

/** A keys file by the name that it is given, or one in the making, which a killed backup leaves. */
const isNamedAsKeys = (name: string): boolean => withoutPart(name).endsWith('.keys')
/** Keys are written in one go: one that stays half-written for so long is left over, in ms. */
const halfLeftAfterMs = 60_000

/**
 * Every file below a folder that may hold keys, those of the nights also where links lead to them. A folder in it that this process may not read (the `lost+found` of a disk) is
 * passed over: it has written nothing there.
 * @param failures takes what the disk says of a place in it that it does not give; the others are found then
 * @throws what it says of the folder itself
 */
const filesBelow = async (folder: string, failures: unknown[], isTop = true): Promise<readonly string[]> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isTop && !isMissing(error)) throw error
    if (!isMissing(error) && !mayNotBeUsed(error)) failures.push(error)
    return []
  })
  const found: string[] = []
  for (const each of entries) {
    const path = join(folder, each.name)
    // Somebody may keep on another disk what the nights have made; whatever else a link leads to is none of theirs.
    const isApart = isTop && each.name === apartFolder
    const isLinked = each.isSymbolicLink() && (isApart || keysName.test(each.name))
    try {
      const what = isLinked ? await stat(path).catch(unlessMissing) : each
      // A link by the name of keys to a folder may lead in a circle.
      if (what?.isDirectory() && (!isLinked || isApart))
        found.push(...(await filesBelow(path, failures, false)))
      if (what?.isFile() !== true) continue
      const file = isLinked ? await realpath(path) : path
      // The data folder may lie in that of the backups, or be the same one.
      if (!isOpenDatabase(basename(file))) found.push(file)
    } catch (error) {
      failures.push(error)
    }
  }
  return found
}

/**
 * Puts a keys file in its own place, without the keys of what was erased.
 * @param read as it lay there before it was read
 * @returns false where another lies there by now, which may know of more: a process that stood still since must not bring keys back
 */
const rewrite = async (
  { path, keys, createdAt, ...file }: KeysFile,
  read: Stats,
  erased: ReadonlySet<string>,
  signal: AbortSignal | undefined,
): Promise<boolean> => {
  const kept = keys.filter(({ subjectId }) => !erased.has(subjectId))
  const known = new Set([...file.erasedIds, ...erased])
  // One that lies there by another name, or was set apart, may be of another site, whose nights would lack what is ours: only a key tells.
  const mayBeOthers = !isOfNight(path) || basename(dirname(path)) === apartFolder
  if (kept.length === keys.length && (known.size === file.erasedIds.length || mayBeOthers)) return true
  const making = await beginFile(path)
  try {
    await fillFile(making.part, (out) => writeKeys({ keys: kept, erasedIds: [...known] }, createdAt, out))
    signal?.throwIfAborted()
    const now = await stat(path).catch(() => null)
    if (now === null || !isSame(now, read)) return false
    await making.finish()
    return true
  } finally {
    await making.discard()
  }
}

const isSame = (one: Stats, other: Stats): boolean =>
  one.ino === other.ino && one.mtimeMs === other.mtimeMs && one.size === other.size

const isOfNight = (path: string): boolean => keysName.test(path.slice(path.lastIndexOf('/') + 1))

/**
 * Rewrites the keys files below the folder of the nightly backups, wherever they lie in it, so that they hold no key of
 * what was erased since and know it as erased. What killed backups left half-written, which nobody can use, goes.
 * @param folder of the nightly backups; nothing is done when it is not there
 * @param signal ends it between two files, and before one is replaced
 * @returns false when one is in the making, which may get its name with what it was read from, or has just got it, or was
 * replaced meanwhile: ask again later
 * @throws {Refusal} for a damaged one of a night, one that this process may not read, and what the disk says of one that it does not
 * give or that cannot be replaced; the others are done then
 */
export const forgetKeys = async (
  folder: string,
  erasedIds: readonly string[],
  signal?: AbortSignal,
): Promise<boolean> => {
  const erased = new Set(erasedIds)
  const damaged: string[] = []
  const failures: unknown[] = []
  /** @returns false when it is to be asked for again */
  const forgetIn = async (path: string): Promise<boolean> => {
    // Whatever backup it is of, and whatever somebody has called a copy of it.
    if (!isNamedAsKeys(path) && !(await beginsAsKeys(path))) return true
    const isPart = isNamedAsPart(path)
    const found = await stat(path).catch(unlessMissing)
    // What another user has in the making goes as all parts do.
    const file = await (isPart ? readIfWhole : readUnlessDamaged)(path)
    // Since it was listed it may have got the name that it is meant for, which was not.
    if (found === null) return false
    if (isPart && isLeft(found, await timeIn(dirname(path)), file === null ? halfLeftAfterMs : undefined)) {
      await rm(path, { force: true })
      return true
    }
    if (file === null && isOfNight(path)) damaged.push(path)
    return (file === null || (await rewrite(file, found, erased, signal))) && !isPart
  }
  let settled = true
  for (const path of await filesBelow(folder, failures)) {
    signal?.throwIfAborted()
    try {
      settled = (await forgetIn(path)) && settled
    } catch (error) {
      signal?.throwIfAborted()
      failures.push(error)
    }
  }
  // Unlike what else it may not read below the folder, this one is the site's: it may have run as another user.
  await readdir(join(folder, apartFolder)).catch((error: unknown) => {
    if (mayNotBeUsed(error)) failures.push(error)
  })
  if (damaged.length > 0) {
    throw new Refusal(
      'invalid',
      `${damaged.join(', ')} is damaged and may hold keys of erased letters: move it out of the backups or remove it`,
    )
  }
  if (failures.length > 0) throw failures[0]
  return settled
}
