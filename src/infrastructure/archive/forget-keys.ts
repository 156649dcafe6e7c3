import type { Stats } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isMissing } from '#application/kernel/reason.ts'
import { Refusal } from '#domain/refusal.ts'
import { mayNotBeUsed } from '../disk-words.ts'
import { isOpenDatabase } from '../embedded/data-folder.ts'
import { keysName } from './kept-archives.ts'
import { beginsAsKeys, type KeysFile, readIfWhole, writeKeys } from './keys-file.ts'
import { isLeft, timeIn } from './left-parts.ts'
import { beginFile, fillFile, isNamedAsPart, withoutPart } from './whole-file.ts'

/** A keys file by the name that it is given, or one in the making, which a killed backup leaves. */
const isNamedAsKeys = (name: string): boolean => withoutPart(name).endsWith('.keys')
/** Keys are written in one go: one that stays half-written for so long is left over, in ms. */
const halfLeftAfterMs = 60_000

/**
 * Every keys file below a folder, whatever backup it is of and whatever somebody has called a copy of it. A folder in it
 * that this process may not read (the `lost+found` of a disk) is passed over: it has written nothing there.
 */
const keysBelow = async (folder: string, isTop = true): Promise<readonly string[]> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error) || (!isTop && mayNotBeUsed(error))) return []
    throw error
  })
  const found: string[] = []
  for (const each of entries) {
    const path = join(folder, each.name)
    if (each.isDirectory()) found.push(...(await keysBelow(path, false)))
    else if (
      each.isFile() &&
      // The data folder may lie in that of the backups, or be the same one.
      !isOpenDatabase(each.name) &&
      (isNamedAsKeys(each.name) || (await beginsAsKeys(path)))
    )
      found.push(path)
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
  // One that lies there by another name may be of another site: only a key that is ours tells.
  if (kept.length === keys.length && (known.size === file.erasedIds.length || !isOfNight(path))) return true
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
 * @throws {Refusal} for a damaged one of a night, when the others are done
 */
export const forgetKeys = async (
  folder: string,
  erasedIds: readonly string[],
  signal?: AbortSignal,
): Promise<boolean> => {
  const erased = new Set(erasedIds)
  const damaged: string[] = []
  let settled = true
  for (const path of await keysBelow(folder)) {
    signal?.throwIfAborted()
    const isPart = isNamedAsPart(path)
    const found = await stat(path).catch((error: unknown) => {
      // Since it was listed it may have got the name that it is meant for, which was not.
      if (isMissing(error)) settled = false
      return null
    })
    const file = await readIfWhole(path)
    if (found === null) continue
    if (isPart && isLeft(found, await timeIn(dirname(path)), file === null ? halfLeftAfterMs : undefined)) {
      await rm(path, { force: true })
      continue
    }
    if (isPart) settled = false
    if (file !== null) settled = (await rewrite(file, found, erased, signal)) && settled
    else if (isOfNight(path)) damaged.push(path)
  }
  if (damaged.length > 0) {
    throw new Refusal(
      'invalid',
      `${damaged.join(', ')} is damaged and may hold keys of erased letters: move it out of the backups or remove it`,
    )
  }
  return settled
}
