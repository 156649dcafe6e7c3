import type { VaultContents } from '#application/kernel/ports/key-vault.ts'
import {
  archiveEntries,
  checkArchive,
  type ArchiveEntry,
  type CheckedArchive,
  drained,
  keyOfEntry,
} from './read-archive.ts'
import { pipeline } from 'node:stream/promises'
import type { ExportedEvent } from '#application/kernel/archive/event-line.ts'
import { exportEvents } from '#application/kernel/archive/export-events.ts'
import { idsOnce, importEvents } from '#application/kernel/archive/import-events.ts'
import { canonicalJson } from '#application/kernel/archive/canonical-json.ts'
import { type LackingFile, lackingFiles, type NeededFiles } from '#application/kernel/archive/needed-files.ts'
import { lostKeys, type NeededKeys, withErased } from '#application/kernel/archive/needed-keys.ts'
import type { Account } from '#application/kernel/ports/accounts.ts'
import { FileCut, type FileStore } from '#application/kernel/ports/files.ts'
import { Refusal } from '#domain/refusal.ts'
import {
  type Bringing,
  type FillContents,
  type FilledStores,
  readFirst,
  refuseContent,
  words,
} from './filled-place.ts'
import { dropOtherFillings, fillingRecord } from './filling-record.ts'
import { idsIn } from './keys-file.ts'
import { readLines } from './lines.ts'
import { accountsName, eventsName, filesFolder, type ManifestEntry } from './manifest.ts'
import { measure, measured } from './write-archive.ts'

export interface FillProgress {
  readonly what: 'check' | 'files' | 'events' | 'compare'
  readonly done: number
  readonly total: number | null
}

/** Where a site is brought from: an archive, or another place. */
export interface FillSource {
  /** Reads all of it and tells each event. @throws {Refusal} for what is damaged */
  readonly check: (options: {
    readonly signal: AbortSignal
    readonly onBytes: (bytes: number) => void
    readonly onEvent: (event: ExportedEvent) => void
  }) => Promise<FillContents>
  /** Its entries as they are in an archive, the log last; asked for after `check`. */
  readonly entries: (signal: AbortSignal) => AsyncIterable<ArchiveEntry>
  /** Whether it is still as it was checked; asked when all was brought. An archive always is. */
  readonly isUnchanged?: () => Promise<boolean>
}

/** How a site is brought. */
export interface FillOptions {
  readonly signal: AbortSignal
  readonly onProgress?: (progress: FillProgress) => void
  /** what its log needs of files */
  readonly needed: NeededFiles
  /** whose keys its log needs, and which must be gone */
  readonly neededKeys: NeededKeys
  /** told each event of the log while all is read */
  readonly onEvent?: (event: ExportedEvent) => void
  /** called once it is clear that the place will be filled, before anything is */
  readonly onBegin: () => Promise<void>
  /** called when all was brought and compared; it counts as done after it */
  readonly onEnd: () => Promise<void>
}

/** What was brought. */
export interface Filled {
  readonly createdAt: string
  readonly counts: CheckedArchive['counts'] & { readonly keys: number }
  /** files that the log needs and that were missing, cut or damaged where they come from */
  readonly lacking: readonly LackingFile[]
  /** messages of the log that were not erased and whose key did not come: nobody can read them */
  readonly unreadable: number
}

/** Brings one file into the store, in the place of what lies there. */
const bringFile = async (files: FileStore, key: string, stream: NodeJS.ReadableStream): Promise<void> => {
  const { stream: through } = measured()
  const kept = (await files.size(key)) === null ? files.put(key, through) : files.replace(key, through)
  // The store knows why it takes no more; to the stream that is only a raw error.
  kept.catch(() => through.destroy())
  const [read, stored] = await Promise.allSettled([pipeline(stream, through), kept])
  if (stored.status === 'rejected') throw stored.reason
  if (read.status === 'rejected') throw read.reason
}

/** Whether a file lies there as it is told. @throws what the store throws for one that is cut */
const isThere = async (
  files: Pick<FileStore, 'open'>,
  key: string,
  { bytes, sha256 }: ManifestEntry,
): Promise<boolean> => {
  const file = await files.open(key)
  if (file === null) return false
  const found = await measure(file.stream)
  return found.bytes === bytes && found.sha256 === sha256
}

/** What is cut is not there. */
const falseWhenCut = (error: unknown): false => {
  if (error instanceof FileCut) return false
  throw error
}

const byId = (accounts: readonly Account[]): string =>
  canonicalJson(accounts.toSorted((a, b) => (a.id < b.id ? -1 : 1)))

/** Whether a vault has every key that it was given and that was not erased there. */
const hasKeys = (held: VaultContents, given: VaultContents): boolean => {
  const there = new Map(held.keys.map(({ subjectId, key }) => [subjectId, key]))
  const erased = new Set(held.erasedIds)
  return given.keys.every(({ subjectId, key }) => {
    const found = there.get(subjectId)
    return erased.has(subjectId) || (found !== undefined && Buffer.from(found).equals(key))
  })
}

/** Reads everything that was brought once more and compares it. @throws {Refusal} for the first difference */
const compare = async (
  site: FilledStores,
  contents: FillContents & { readonly vault: VaultContents },
  bringing: Bringing,
  { signal, onProgress }: Pick<FillOptions, 'signal' | 'onProgress'>,
): Promise<void> => {
  const wrong = (what: string): Refusal => new Refusal('blocked', `${what} ${words[bringing].differs}`)
  const files = Object.entries(contents.entries).filter(([name]) => keyOfEntry(name) !== null)
  for (const [done, [name, entry]] of files.entries()) {
    signal.throwIfAborted()
    onProgress?.({ what: 'compare', done, total: files.length })
    const key = name.slice(filesFolder.length)
    if (!(await isThere(site.files, key, entry).catch(falseWhenCut))) throw wrong(name)
  }
  const log = exportEvents(site.eventStore, await site.eventStore.head(), { signal })
  let step = await log.next()
  while (step.done !== true) step = await log.next()
  if (step.value.events !== contents.counts.events || step.value.sha256 !== contents.logSha256)
    throw wrong('The log')
  if (byId(await site.accounts.all()) !== byId(contents.accounts)) throw wrong('What there is of accounts')
  if (!hasKeys(await site.keyVault.takeOut(), contents.vault)) throw wrong('What there is of message keys')
}

/**
 * Brings a site into an empty place: reads all of it first and refuses what is damaged, then images, accounts, keys and at
 * last the log; at the end everything is read again and compared. Broken off, it is begun again with the same and goes
 * on. Nobody is signed in afterwards.
 * @throws {Refusal} {DiskFull} in words, the signal's reason when aborted
 */
export const fillPlace = async (
  site: FilledStores,
  bringing: Bringing,
  { source, keys }: { readonly source: FillSource; readonly keys: VaultContents },
  options: FillOptions,
): Promise<Filled> => {
  const { signal, onProgress } = options
  // Before a large file is read, as far as it can be known.
  await refuseContent(site, bringing, null)
  const ofLog = options.neededKeys.follow()
  const refuseRepeated = idsOnce()
  const { contents, goesOn } = await readFirst(site, bringing, signal, () =>
    source.check({
      signal,
      onEvent: (event) => {
        refuseRepeated(event)
        ofLog.see(event)
        options.onEvent?.(event)
      },
      onBytes: (done) => onProgress?.({ what: 'check', done, total: null }),
    }),
  )
  // The keys may be older than the log.
  const vault = withErased(keys, ofLog.erased)
  await options.onBegin()

  let files = 0
  for await (const { name, stream } of source.entries(signal)) {
    signal.throwIfAborted()
    const key = keyOfEntry(name)
    const entry = contents.entries[name]
    if (key !== null && entry !== undefined) {
      // What is cut there is brought again.
      const wasBrought = goesOn && (await isThere(site.files, key, entry).catch(falseWhenCut))
      await (wasBrought ? drained(stream) : bringFile(site.files, key, stream))
      files += 1
      onProgress?.({ what: 'files', done: files, total: contents.counts.files })
    } else if (name === accountsName) {
      for (const { id } of await site.accounts.all()) await site.sessions.removeOthers(id, null)
      await drained(stream)
      await site.accounts.replaceAll(contents.accounts)
      await site.keyVault.putBack(vault)
    } else if (name === eventsName) {
      await importEvents(site.eventStore, readLines(stream), {
        signal,
        onProgress: (done) => onProgress?.({ what: 'events', done, total: contents.counts.events }),
      })
      // The end of the compressed bytes stands behind the last line.
      stream.resume()
    } else {
      await drained(stream)
    }
  }
  await compare(site, { ...contents, vault }, bringing, options)
  if (source.isUnchanged !== undefined && !(await source.isUnchanged()))
    throw new Refusal(
      'blocked',
      'The site was written to while it was brought here, as by a server that was started meanwhile: stop every process of ' +
        'it, then do the same again. It goes on',
    )
  const held = await site.keyVault.takeOut()
  const lacking = await lackingFiles(
    await options.needed.of(site.eventStore, signal),
    (key) => contents.entries[`${filesFolder}${key}`] ?? null,
  )
  signal.throwIfAborted()
  await options.onEnd()
  await fillingRecord(bringing, site.effects).end(contents.identity)
  await dropOtherFillings(site.effects, bringing)
  const known = idsIn({ ...held, erasedIds: vault.erasedIds })
  return {
    createdAt: contents.createdAt,
    counts: { ...contents.counts, keys: held.keys.length },
    lacking,
    unreadable: lostKeys(ofLog.open, known)?.count ?? 0,
  }
}

const archiveSource = (file: string): FillSource => ({
  check: async (options) => {
    const checked = await checkArchive(file, options)
    // Another backup of the same log goes on as well.
    return { ...checked, identity: checked.logSha256 }
  },
  entries: (signal) => archiveEntries(file, signal),
})

/**
 * Brings a backup into an empty place, as {@link fillPlace} does.
 * @param keys what the keys files hold together
 * @throws {Refusal} {DiskFull} in words, the signal's reason when aborted
 */
export const restore = (
  site: FilledStores,
  file: string,
  keys: VaultContents,
  options: FillOptions,
): Promise<Filled> => fillPlace(site, 'restore', { source: archiveSource(file), keys }, options)
