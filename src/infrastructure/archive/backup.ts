import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import type { KeyVault } from '#application/ports/key-vault.ts'
import { readKeys, writeKeys } from './keys-file.ts'
import type { Manifest } from './manifest.ts'
import { checkArchive } from './read-archive.ts'
import { beginFile, fillFile } from './whole-file.ts'
import { type ArchiveProgress, type SiteStores, writeArchive } from './write-archive.ts'

/** Everything that a backup holds, with the keys that go beside it. */
export interface BackedUpStores extends SiteStores {
  readonly keyVault: Pick<KeyVault, 'takeOut'>
}

interface BackupOptions {
  /** of this program */
  readonly version: string
  /** ISO 8601, now */
  readonly createdAt: string
  readonly signal: AbortSignal
  readonly onProgress?: (
    progress: ArchiveProgress | { readonly what: 'check'; readonly done: number },
  ) => void
}

/** What a backup holds. */
export interface BackedUp {
  readonly createdAt: string
  readonly counts: Manifest['counts'] & { readonly keys: number; readonly erased: number }
}

/**
 * Backs a site up into a file, and its keys into another (decisions 75): both are written beside, read again
 * and compared, and only then given their names, the keys first. Works beside a server that runs. Broken off
 * at any moment it leaves what was there before.
 * @throws {Refusal} {DiskFull} in words, the signal's reason when aborted
 */
export const backUp = async (
  site: BackedUpStores,
  target: { readonly file: string; readonly keys: string },
  options: BackupOptions,
): Promise<BackedUp> => {
  const { signal, onProgress } = options
  const archive = await beginFile(target.file)
  const events = await beginFile(`${target.file}-events`)
  const keys = await beginFile(target.keys)
  try {
    const counts = await fillFile(archive.part, (out) => writeArchive(site, out, events.part, options))
    await events.discard()
    // Last, so that it knows of all that was erased meanwhile.
    const vault = await takenOut(site, keys.part, options.createdAt)
    await checkArchive(archive.part, { signal, onBytes: (done) => onProgress?.({ what: 'check', done }) })
    signal.throwIfAborted()
    await keys.finish()
    await archive.finish()
    return { createdAt: options.createdAt, counts: { ...counts, ...vault } }
  } finally {
    for (const each of [archive, events, keys]) await each.discard()
  }
}

/**
 * The same onto a stream, which cannot be read again.
 * @param keys where the keys file goes
 */
export const backUpTo = async (
  site: BackedUpStores,
  out: Writable,
  keys: string,
  options: BackupOptions,
): Promise<BackedUp> => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-backup-'))
  const making = await beginFile(keys)
  try {
    const counts = await writeArchive(site, out, join(folder, 'events'), options)
    const vault = await takenOut(site, making.part, options.createdAt)
    await making.finish()
    return { createdAt: options.createdAt, counts: { ...counts, ...vault } }
  } finally {
    await making.discard()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Writes the keys into a file and reads it again. */
const takenOut = async (
  site: BackedUpStores,
  path: string,
  createdAt: string,
): Promise<{ readonly keys: number; readonly erased: number }> => {
  const contents = await site.keyVault.takeOut()
  await fillFile(path, (out) => writeKeys(contents, createdAt, out))
  const read = await readKeys(path)
  if (read.keys.length !== contents.keys.length || read.erasedIds.length !== contents.erasedIds.length)
    throw new Error('The keys file is not what was written: check the disk')
  return { keys: read.keys.length, erased: read.erasedIds.length }
}
