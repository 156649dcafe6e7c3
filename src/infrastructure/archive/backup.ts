import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import {
  type LackingFile,
  lackingFiles,
  type NeededFile,
  type NeededFiles,
} from '#application/kernel/archive/needed-files.ts'
import {
  type LostKeys,
  lostKeys,
  type KeysOfLog,
  type NeededKeys,
  returnedKeys,
  withErased,
} from '#application/kernel/archive/needed-keys.ts'
import {
  followUnreadable,
  type UnreadableEvents,
  unreadableInWords,
  unreadableWithAdvice,
} from '#application/kernel/archive/unreadable-events.ts'
import { CodecError } from '#application/kernel/codec.ts'
import type { RecordedEvent } from '#application/kernel/ports/event-store.ts'
import type { KeyVault, VaultContents } from '#application/kernel/ports/key-vault.ts'
import { firstOf } from '#domain/list-in-words.ts'
import { Refusal } from '#domain/refusal.ts'
import { whyNotReplaced, type Held } from './kept-archives.ts'
import { idsIn, readKeys, writeKeys } from './keys-file.ts'
import { temporaryFolder } from './left-parts.ts'
import { filesFolder, type Manifest } from './manifest.ts'
import { checkArchive } from './read-archive.ts'
import { beginFile, type FileInTheMaking, fillFile, streamInWords } from './whole-file.ts'
import {
  type ArchiveProgress,
  type LogFile,
  setDownLog,
  type SiteStores,
  type UnreadFiles,
  writeArchive,
} from './write-archive.ts'

/** Everything that a backup holds, with the keys that go beside it. */
export interface BackedUpStores extends SiteStores {
  readonly keyVault: Pick<KeyVault, 'takeOut'>
}

/** Where a backup lies. */
export interface BackupPlace {
  readonly file: string
  readonly keys: string
}

export interface BackupOptions {
  /** of this program */
  readonly version: string
  /** ISO 8601, now */
  readonly createdAt: string
  readonly signal: AbortSignal
  /** what must be in it */
  readonly needed: NeededFiles
  /**
   * Erases again what the log calls erased and the vault has a key of; null: the vault can only be read here, and is
   * mended by the next worker
   */
  readonly eraseAgain: KeyVault['erase'] | null
  /** what must be in its keys file */
  readonly neededKeys: NeededKeys
  /** Where it comes to lie, told by what it holds and where that lies so far; absent: where it was meant to, which is on the same disk */
  readonly placeOf?: (held: Held, archive: string) => Promise<BackupPlace>
  readonly onProgress?: (
    progress: ArchiveProgress | { readonly what: 'check'; readonly done: number },
  ) => void
}

/** What a backup holds. */
export interface BackedUp extends UnreadFiles {
  readonly createdAt: string
  readonly counts: BackupCounts
  /** files that the log needs and that were missing, cut or damaged: the backup has them no better */
  readonly lacking: readonly LackingFile[]
  /** keys that the log needs and the vault does not have; null: it has all */
  readonly lostKeys: LostKeys | null
  /** events of its log that nobody can read; null: there is none */
  readonly unreadableEvents: UnreadableEvents | null
  /** messages that were erased and whose key the vault had again: the keys file holds them as erased */
  readonly returnedKeys: number
}

type BackupCounts = Manifest['counts'] & { readonly keys: number; readonly erased: number }

/**
 * Backs a site up into a file, and its keys into another: both are written beside, read again
 * and compared, and only then given their names, the keys first. Works beside a server that runs. Broken off
 * at any moment it leaves what was there before, and so does one that would replace a backup that holds more.
 * @throws {Refusal} {DiskFull} in words, the signal's reason when aborted
 */
export const backUp = async (
  site: BackedUpStores,
  target: BackupPlace,
  options: BackupOptions,
): Promise<BackedUp> => {
  const { signal, onProgress, placeOf } = options
  const made: FileInTheMaking[] = []
  const begin = async (path: string): Promise<FileInTheMaking> => {
    const making = await beginFile(path)
    made.push(making)
    return making
  }
  try {
    const archive = await begin(target.file)
    const events = await begin(`${target.file}-events`)
    const keys = await begin(target.keys)
    const log = await lookedThrough(site, events.part, options)
    const written = await fillFile(archive.part, (out) => writeArchive(site, out, log, options))
    await events.discard()
    await checkArchive(archive.part, {
      signal,
      onBytes: (bytes) => onProgress?.({ what: 'check', done: bytes }),
    })
    // Last, so that it knows of all that was erased meanwhile.
    const { done, held } = await withKeys(
      site,
      { written, log, keysPart: keys.part, target, archive: archive.part },
      options,
    )
    const place = (await placeOf?.(held, archive.part)) ?? target
    signal.throwIfAborted()
    await keys.finish(place.keys)
    await archive.finish(place.file)
    return done
  } finally {
    for (const each of made) await each.discard()
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
  const making = await beginFile(keys)
  const folder = await temporaryFolder('backup').catch(async (error: unknown) => {
    await making.discard()
    throw streamInWords(error, tmpdir())
  })
  try {
    const log = await lookedThrough(site, join(folder, 'events'), options)
    const written = await writeArchive(site, out, log, options)
    const target = { file: null, keys }
    const { done } = await withKeys(
      site,
      { written, log, keysPart: making.part, target, archive: null },
      options,
    )
    await making.finish()
    return done
  } catch (error) {
    throw streamInWords(error, tmpdir())
  } finally {
    await making.discard()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The log of a backup, and what it says. */
interface LookedThrough extends LogFile {
  readonly ofLog: KeysOfLog
  /** files that it needs */
  readonly needed: readonly NeededFile[]
  readonly unreadable: UnreadableEvents | null
}

/** Sets the log down and reads what it says, before anything is sent. @throws {Refusal} where no backup can be made of it */
const lookedThrough = async (
  site: BackedUpStores,
  path: string,
  options: BackupOptions,
): Promise<LookedThrough> => {
  const upTo = await site.eventStore.head()
  const ofLog = options.neededKeys.follow()
  const { see, found } = followUnreadable()
  const onEvent = (event: RecordedEvent): void => {
    ofLog.see(event)
    see(event)
  }
  const log = await setDownLog(site, path, { ...options, onEvent })
  const unreadable = found()
  const needed = await options.needed.of(site.eventStore, options.signal, upTo).catch((error: unknown) => {
    throw error instanceof CodecError && unreadable !== null
      ? new Refusal('blocked', unreadableWithAdvice(unreadable))
      : error
  })
  return { ...log, ofLog, needed, unreadable }
}

/** Writes the keys beside an archive that is written. @throws {Refusal} when both would replace what holds more, or is of another site */
const withKeys = async (
  site: BackedUpStores,
  of: {
    readonly written: Awaited<ReturnType<typeof writeArchive>>
    readonly log: LookedThrough
    readonly keysPart: string
    readonly target: { readonly file: string | null; readonly keys: string }
    /** where it lies; null: it was sent to a stream */
    readonly archive: string | null
  },
  options: BackupOptions,
): Promise<{ readonly done: BackedUp; readonly held: Held }> => {
  const { counts, entries, ...unread } = of.written
  const { ofLog, needed, unreadable } = of.log
  const lacking = await lackingFiles(needed, (key) => entries[`${filesFolder}${key}`] ?? null)
  // Behind all that is read: what is erased meanwhile is in no keys file.
  const vault = await takenOut(site, of.keysPart, ofLog, options)
  const held = { events: counts.events, vault: vault.held, unreadable: unreadableInWords(unreadable) }
  const refused = await whyNotReplaced(of.target, held, { archive: of.archive, lacking })
  if (refused !== null) throw new Refusal('blocked', refused)
  const done = {
    createdAt: options.createdAt,
    counts: { ...counts, ...vault.counts },
    lacking,
    ...unread,
    lostKeys: lostKeys(ofLog.open, idsIn(vault.held)),
    unreadableEvents: unreadable,
    returnedKeys: vault.returned,
  }
  return { done, held }
}

/** Writes the keys into a file, none of what the log calls erased, and reads it again. */
const takenOut = async (
  site: BackedUpStores,
  path: string,
  ofLog: Pick<KeysOfLog, 'erased'>,
  { createdAt, eraseAgain }: Pick<BackupOptions, 'createdAt' | 'eraseAgain'>,
): Promise<{
  readonly counts: { readonly keys: number; readonly erased: number }
  readonly held: VaultContents
  readonly returned: number
}> => {
  const inVault = await site.keyVault.takeOut()
  const returned = returnedKeys(ofLog, inVault)
  if (eraseAgain !== null) for (const id of returned) await eraseAgain(id)
  const contents = withErased(inVault, returned)
  await fillFile(path, (out) => writeKeys(contents, createdAt, out))
  const read = await readKeys(path)
  if (read.keys.length !== contents.keys.length || read.erasedIds.length !== contents.erasedIds.length)
    throw new Error('The keys file is not what was written: check the disk')
  return {
    counts: { keys: read.keys.length, erased: read.erasedIds.length },
    held: read,
    returned: returned.length,
  }
}

/** Names files that a backup is without. */
const leftOutInWords = (keys: readonly string[], why: string): string => {
  if (keys.length === 0) return ''
  const count = keys.length === 1 ? '1 file is' : `${keys.length} files are`
  return `${count} ${why} and not in the backup: ${firstOf(keys)}`
}

/** Those that the log needs are named as such. */
const cutInWords = ({ cut, lacking }: Pick<BackedUp, 'cut' | 'lacking'>): string => {
  const needed = new Set(lacking.map(({ key }) => key))
  return leftOutInWords(
    cut.filter((key) => !needed.has(key)),
    'cut',
  )
}

/** What is wrong with a site, as its backup has found it, each with what to do; empty when nothing is. */
export const complaintsInWords = (
  done: Pick<BackedUp, 'cut' | 'unreadable' | 'lacking' | 'lostKeys' | 'returnedKeys' | 'unreadableEvents'>,
  { needed, neededKeys }: Pick<BackupOptions, 'needed' | 'neededKeys'>,
): readonly string[] => {
  const others = [
    [
      needed.inWords(done.lacking),
      'Bring them back from an older backup or upload them again; a backup that still has them is not replaced',
    ],
    [
      leftOutInWords(done.unreadable, 'unreadable'),
      'The disk is failing: save what there is, and replace it',
    ],
    [cutInWords(done), 'They are made anew from what the log needs when somebody asks for them'],
    [neededKeys.inWords(done.lostKeys), keysAdvice],
    [neededKeys.returnedInWords(done.returnedKeys), returnedAdvice],
  ] as const
  return [
    unreadableWithAdvice(done.unreadableEvents),
    ...others.map(([words, advice]) => words && `${words}. ${advice}`),
  ].filter((words) => words !== '')
}

/** What to do about lost keys. */
export const keysAdvice =
  'Restore the newest backup with a keys file that has them into an empty place, and keep that file until then. ' +
  'Where no keys file has them, "atelier events accept --letters" counts them as erased, with the server stopped'

/** What to do about keys that are back. */
export const returnedAdvice =
  'No backup takes them, and the worker erases them again when it starts; find out who put the copy there'
