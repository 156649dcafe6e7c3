import { createReadStream } from 'node:fs'
import { type FileHandle, lstat, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { codeOf, isMissing, unlessMissing } from '#application/kernel/reason.ts'
import { checkExport } from '#application/kernel/archive/import-events.ts'
import { followUnreadable, unreadableInWords } from '#application/kernel/archive/unreadable-events.ts'
import { Refusal } from '#domain/refusal.ts'
import { counted, firstOf } from '#domain/list-in-words.ts'
import { eventsName, filesFolder, longest, type Manifest, manifestName, parseManifest } from './manifest.ts'
import { readLines } from './lines.ts'
import { siteOfExport } from './site-of-export.ts'
import type { LackingFile, NeededFile } from '#application/kernel/archive/needed-files.ts'
import { returnedKeys } from '#application/kernel/archive/needed-keys.ts'
import type { VaultContents } from '#application/kernel/ports/key-vault.ts'
import { idsIn, readUnlessDamaged } from './keys-file.ts'

/** Archives that the nightly backup makes, and the keys beside them. */
export const archiveName = /^atelier-\d{8}T\d{6}Z\.tar$/
export const keysName = /^atelier-\d{8}T\d{6}Z\.tar\.keys$/
/** In it: where a backup goes that must not push out the others; the newest such one is kept, and each that holds more. */
export const apartFolder = 'set-apart'

const block = 512
/** Of an entry's header (POSIX ustar): its name, and how long it is, in octal digits. */
const nameAt = [0, 100] as const
const sizeAt = [124, 136] as const
const asText = (header: Buffer, [from, to]: readonly [number, number]): string =>
  header.toString('latin1', from, to).replace(/\0.*$/s, '').trim()

const readAt = async (file: FileHandle, from: number, length: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from)
  return buffer.subarray(0, bytesRead)
}

/** Where an entry lies in an archive; null where there is none, or the archive is cut short or damaged before it. */
const entryIn = async (
  file: FileHandle,
  name: string,
): Promise<{ readonly at: number; readonly size: number } | null> => {
  const { size: whole } = await file.stat()
  for (let at = 0; ; ) {
    const header = await readAt(file, at, block)
    const digits = asText(header, sizeAt)
    if (header.length < block || !/^[0-7]+$/.test(digits)) return null
    const size = Number.parseInt(digits, 8)
    if (at + block + size > whole) return null
    if (asText(header, nameAt) === name) return { at: at + block, size }
    at += block * (1 + Math.ceil(size / block))
  }
}

/**
 * What an archive says of itself. Only headers and the manifest are read, which the tar library cannot: it would
 * read every image for it.
 * @returns null for what is no backup, or is cut short or damaged
 * @throws what the disk says of one that it does not give
 */
export const manifestOf = async (path: string): Promise<Manifest | null> => {
  // Opening a pipe would wait for whoever writes into it.
  if (!(await stat(path)).isFile()) return null
  const file = await open(path, 'r')
  try {
    const found = await entryIn(file, manifestName)
    if (found === null || found.size > longest[manifestName]) return null
    return parseManifest(String(await readAt(file, found.at, found.size)))
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  } finally {
    await file.close()
  }
}

/** Reads the log that lies in an archive; null where there is none. */
const ofLogIn = async <T>(path: string, read: (log: Readable) => Promise<T>): Promise<T | null> => {
  const file = await open(path, 'r')
  try {
    const found = await entryIn(file, eventsName)
    if (found === null || found.size === 0) return null
    return await read(createReadStream(path, { start: found.at, end: found.at + found.size - 1 }))
  } finally {
    await file.close()
  }
}

/** Which events of an archive's log nobody can read, in words, empty for none; null where that log is damaged. */
const unreadableIn = (path: string): Promise<string | null> =>
  ofLogIn(path, async (log) => {
    const { see, found } = followUnreadable()
    try {
      await checkExport(readLines(log), see)
      return unreadableInWords(found())
    } catch (error) {
      if (error instanceof Refusal) return null
      throw error
    }
  })

/** A backup that lies in a folder. */
export interface KeptArchive {
  readonly name: string
  readonly path: string
  /** what it says of itself, but for its files: of many archives those would fill the memory */
  readonly manifest: Pick<Manifest, 'createdAt' | 'counts'>
}

/** What lies in a folder under the names of nightly archives. */
export interface KeptArchives {
  /** those that are whole, the newest first: those with most events, for a clock may have named any of them wrongly */
  readonly archives: readonly KeptArchive[]
  /** those that the disk does not give, or whose link leads nowhere: nobody knows what they hold */
  readonly unread: readonly string[]
}

/** One that the disk does not give just then is there. */
const isGone = (path: string): Promise<boolean> => lstat(path).then(() => false, isMissing)

/** Looks at the nightly archives of a folder; there are none where there is no such folder. */
export const keptArchives = async (folder: string): Promise<KeptArchives> => {
  const names = (await readdir(folder).catch(unlessMissing)) ?? []
  const archives: KeptArchive[] = []
  const unread: string[] = []
  for (const name of names
    .filter((each) => archiveName.test(each))
    .toSorted()
    .toReversed()) {
    const path = join(folder, name)
    try {
      const manifest = await manifestOf(path)
      if (manifest === null) continue
      const { createdAt, counts } = manifest
      archives.push({ name, path, manifest: { createdAt, counts } })
    } catch (error) {
      if (codeOf(error) === null) throw error
      // Else removed since it was listed.
      if (!(await isGone(path))) unread.push(path)
    }
  }
  return {
    archives: archives.toSorted((a, b) => b.manifest.counts.events - a.manifest.counts.events),
    unread,
  }
}

/*
 * A log never gets shorter, and an erased key stays known as erased. A backup that holds less than an earlier one
 * is of a site that has lost something, or of another site: it must not push the earlier one out.
 */

/** What a backup holds, as far as it must not be less than what lies there already. */
export interface Held {
  readonly events: number
  /** what its keys file holds */
  readonly vault: VaultContents
  /** events in it that nobody can read, which an earlier one may have whole; in words, empty for none */
  readonly unreadable: string
}

const fewerEvents = (path: string, before: number, { events }: Held): string | null =>
  before > events
    ? `The site has ${counted(events, 'event')}, the backup ${path} holds ${before}: its log has lost some, or it is ` +
      'another site'
    : null

const damagedSince = (path: string, { unreadable }: Held): string | null =>
  unreadable === '' ? null : `${unreadable}. The backup ${path} may have it whole`

/** Numbers would not do: a site that lost its keys soon has as many of new messages. */
const fewerKeys = (path: string, vault: VaultContents, held: Held): string | null => {
  const before = idsIn(vault)
  const known = idsIn(held.vault)
  const lost = [...before].filter((id) => !known.has(id)).length
  return lost > 0
    ? `The site does not know ${lost} of the ${counted(before.size, 'letter')} whose keys are in ${path}, or were erased ` +
        'there: keys were lost, or it is another site'
    : null
}

/** An id that is known counts for nothing when it was erased before and has its key again. */
const keysAgain = (path: string, { erasedIds }: VaultContents, { vault }: Held): string | null => {
  const again = returnedKeys({ erased: new Set(erasedIds) }, vault).length
  return again > 0
    ? `The site has the keys of ${again} of the ${erasedIds.length} letters that were erased in ${path}: an older copy ` +
        'of its keys was put in their place'
    : null
}

/** Says of a backup that it is of another site than an archive, as far as both can be read. */
export const ofOtherSite = async (path: string, archive: string): Promise<string | null> => {
  const [before, now] = [await ofLogIn(path, siteOfExport), await ofLogIn(archive, siteOfExport)]
  return before === null || now === null || before === now ? null : `The backup ${path} is of another site`
}

/** Whether an archive has a file as it was kept. */
export const holdsWhole = (
  { entries }: Pick<Manifest, 'entries'>,
  { key, bytes, sha256 }: NeededFile,
): boolean => {
  const entry = entries[`${filesFolder}${key}`]
  return entry?.bytes === bytes && entry.sha256 === sha256
}

/** It may be the only one that has them. */
const lastOf = (path: string, former: Manifest, lacking: readonly LackingFile[]): string | null => {
  const only = lacking.filter((file) => holdsWhole(former, file)).map(({ key }) => key)
  return only.length === 0 ? null : `The backup ${path} has what the site lacks: ${firstOf(only)}`
}

/**
 * Why a backup must not replace what has its names already, in words; null when it may.
 * @param archive where it lies so far; null: nowhere, and it replaces only keys
 * @param lacking what it is without, although the log needs it
 */
export const whyNotReplaced = async (
  target: { readonly file: string | null; readonly keys: string },
  held: Held,
  { archive, lacking }: { readonly archive: string | null; readonly lacking: readonly LackingFile[] },
): Promise<string | null> => {
  const { file, keys } = target
  const isThere = file !== null && (await stat(file).catch(unlessMissing))?.isFile() === true
  const former = isThere ? await manifestOf(file) : null
  const vault = await readUnlessDamaged(keys)
  const ofFile =
    file === null || former === null
      ? null
      : (fewerEvents(file, former.counts.events, held) ??
        // One that lacks just these itself has them no better.
        (held.unreadable === '' || held.unreadable === (await unreadableIn(file))
          ? null
          : damagedSince(file, held)) ??
        (archive === null ? null : await ofOtherSite(file, archive)) ??
        lastOf(file, former, lacking))
  const words =
    ofFile ?? (vault === null ? null : (keysAgain(keys, vault, held) ?? fewerKeys(keys, vault, held)))
  return words && `${words}. It was not replaced: look with "atelier doctor", or name another file`
}

/** The nightly backups of a folder: the archives, what each keys file holds, and what of both cannot be read. */
export interface FormerNights extends KeptArchives {
  readonly keys: readonly { readonly path: string; readonly vault: VaultContents }[]
}

/** Looks at what lies in a folder, whole; nothing where there is no folder. */
export const formerNights = async (folder: string): Promise<FormerNights> => {
  const { archives, unread: unreadArchives } = await keptArchives(folder)
  const unread = [...unreadArchives]
  const keys: FormerNights['keys'][number][] = []
  const entries = (await readdir(folder, { withFileTypes: true }).catch(unlessMissing)) ?? []
  const files = entries.filter((each) => keysName.test(each.name) && (each.isFile() || each.isSymbolicLink()))
  for (const path of files.map(({ name }) => join(folder, name)).toSorted()) {
    try {
      const vault = await readUnlessDamaged(path)
      if (vault !== null) keys.push({ path, vault })
    } catch (error) {
      if (codeOf(error) === null && !(error instanceof Refusal)) throw error
      unread.push(path)
    }
  }
  return { archives, unread, keys }
}

/** In what a backup is less than earlier nights, or has again what they know as erased, in words; null when it is not. */
export const fewerThanBefore = (
  { archives, keys }: Pick<FormerNights, 'archives' | 'keys'>,
  held: Held,
): string | null => {
  const [most = null] = archives
  const events = most === null ? null : fewerEvents(most.path, most.manifest.counts.events, held)
  return (
    events ??
    (most === null ? null : damagedSince(most.path, held)) ??
    keys
      .map(({ path, vault }) => keysAgain(path, vault, held) ?? fewerKeys(path, vault, held))
      .find((words) => words !== null) ??
    null
  )
}
