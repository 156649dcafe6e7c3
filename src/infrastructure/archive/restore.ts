import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { ExportedEvent } from '#application/kernel/archive/event-line.ts'
import { exportEvents } from '#application/kernel/archive/export-events.ts'
import { importEvents } from '#application/kernel/archive/import-events.ts'
import { withErased } from '#application/kernel/archive/needed-keys.ts'
import type { EventStore } from '#application/kernel/ports/event-store.ts'
import type { FileStore } from '#application/kernel/ports/files.ts'
import type { VaultContents } from '#application/kernel/ports/key-vault.ts'
import { Refusal } from '#domain/refusal.ts'
import type { DocumentEngines } from '../engine-sets.ts'
import { readLines } from './lines.ts'
import { accountsName, eventsName, filesFolder, parseAccounts } from './manifest.ts'
import { archiveEntries, type CheckedArchive, checkArchive, keyOfEntry } from './read-archive.ts'
import { fillingMark } from './filling-mark.ts'
import { measured } from './write-archive.ts'

/** The place that a site is restored into, on whatever engines. */
export interface RestoredStores
  extends Pick<DocumentEngines, 'files' | 'accounts' | 'sessions' | 'keyVault' | 'effects'> {
  readonly eventStore: EventStore
}

export interface RestoreProgress {
  readonly what: 'check' | 'files' | 'events' | 'compare'
  readonly done: number
  readonly total: number | null
}

interface RestoreOptions {
  readonly signal: AbortSignal
  readonly onProgress?: (progress: RestoreProgress) => void
}

export interface Restored {
  readonly createdAt: string
  readonly counts: CheckedArchive['counts'] & { readonly keys: number }
  /** messages of the log that were not erased and whose key was in no keys file: nobody can read them */
  readonly unreadable: number
}

/** Ids of the messages that were received and not erased, and of those that were, as the log goes by. */
const messagesSeen = () => {
  const open = new Set<string>()
  const erased = new Set<string>()
  return {
    open,
    erased,
    see: ({ type, stream }: { readonly type: string; readonly stream: string }): void => {
      const id = stream.slice('message-'.length)
      if (type === 'MessageReceived') open.add(id)
      if (type !== 'MessageErased') return
      open.delete(id)
      erased.add(id)
    },
  }
}

/**
 * Refuses a place that is not empty. A place where a restore was broken off counts as empty for that backup.
 * @param logSha256 of the backup; null while it is not known yet
 * @throws {Refusal} in words
 */
const refuseContent = async (site: RestoredStores, logSha256: string | null): Promise<void> => {
  if ((await site.eventStore.head()) === null) return
  const underWay = await fillingMark('restore', site.effects).underWay()
  if (underWay === null) {
    throw new Refusal(
      'blocked',
      'There is a site here already, and it would be lost: restore into an empty place (another DATA_DIR, ' +
        'or servers with another NAMESPACE)',
    )
  }
  if (logSha256 !== null && logSha256 !== underWay) {
    throw new Refusal(
      'blocked',
      'A restore of another backup was broken off here: go on with that one, or begin in an empty place',
    )
  }
}

/** Brings one file of a backup into the store, in the place of what lies there. */
const bringFile = async (files: FileStore, key: string, stream: NodeJS.ReadableStream): Promise<void> => {
  const { stream: through } = measured()
  const kept = (await files.size(key)) === null ? files.put(key, through) : files.replace(key, through)
  // The store knows why it takes no more; to the stream that is only a raw error.
  kept.catch(() => through.destroy())
  const [read, stored] = await Promise.allSettled([pipeline(stream, through), kept])
  if (stored.status === 'rejected') throw stored.reason
  if (read.status === 'rejected') throw read.reason
}

/** Reads everything that was brought once more and compares it. @throws {Refusal} for the first difference */
const compare = async (
  site: RestoredStores,
  archive: CheckedArchive,
  { signal, onProgress }: RestoreOptions,
): Promise<void> => {
  const wrong = (what: string): Refusal =>
    new Refusal('blocked', `${what} is not what the backup holds: check the disk, then restore again`)
  const files = Object.entries(archive.entries).filter(([name]) => keyOfEntry(name) !== null)
  for (const [done, [name, { bytes, sha256 }]] of files.entries()) {
    signal.throwIfAborted()
    onProgress?.({ what: 'compare', done, total: files.length })
    const file = await site.files.open(name.slice(filesFolder.length))
    if (file === null) throw wrong(name)
    const { stream, result } = measured()
    stream.resume()
    await pipeline(file.stream, stream)
    const found = result()
    if (found.bytes !== bytes || found.sha256 !== sha256) throw wrong(name)
  }
  const log = exportEvents(site.eventStore, await site.eventStore.head(), { signal })
  let step = await log.next()
  while (step.done !== true) step = await log.next()
  if (step.value.events !== archive.counts.events || step.value.sha256 !== archive.logSha256)
    throw wrong('The log')
  if ((await site.accounts.count()) !== archive.counts.accounts) throw wrong('The accounts')
}

/**
 * Brings a backup into an empty place: reads all of it first and refuses what is damaged, then images,
 * accounts, keys and at last the log; at the end everything is read again and compared. Broken off, it is
 * begun again with the same file and goes on. Nobody is signed in afterwards.
 * @param keys what the keys files hold together
 * @throws {Refusal} {DiskFull} in words, the signal's reason when aborted
 */
export const restore = async (
  site: RestoredStores,
  file: string,
  keys: VaultContents,
  options: RestoreOptions & {
    /** told each event of the log while the file is checked */
    readonly onEvent?: (event: ExportedEvent) => void
    /** called once it is clear that the place will be filled, before anything is */
    readonly onBegin: () => Promise<void>
    /** called when all was brought and compared; the restore counts as done after it */
    readonly onEnd: () => Promise<void>
  },
): Promise<Restored> => {
  const { signal, onProgress } = options
  // Before a large file is read, as far as it can be known.
  await refuseContent(site, null)
  const messages = messagesSeen()
  const archive = await checkArchive(file, {
    signal,
    onEvent: (event) => {
      messages.see(event)
      options.onEvent?.(event)
    },
    onBytes: (done) => onProgress?.({ what: 'check', done, total: null }),
  })
  await refuseContent(site, archive.logSha256)
  // The keys files may be older than the log.
  const vault = withErased(keys, messages.erased)
  const mark = fillingMark('restore', site.effects)
  await mark.begin(archive.logSha256)
  await options.onBegin()

  let files = 0
  for await (const { name, stream } of archiveEntries(file, signal)) {
    const key = keyOfEntry(name)
    if (key !== null) {
      await bringFile(site.files, key, stream)
      files += 1
      onProgress?.({ what: 'files', done: files, total: archive.counts.files })
    } else if (name === accountsName) {
      for (const { id } of await site.accounts.all()) await site.sessions.removeOthers(id, null)
      await site.accounts.replaceAll(parseAccounts(await text(stream)))
      await site.keyVault.putBack(vault)
    } else if (name === eventsName) {
      await importEvents(site.eventStore, readLines(stream), {
        signal,
        onProgress: (done) => onProgress?.({ what: 'events', done, total: archive.counts.events }),
      })
      // The end of the compressed bytes stands behind the last line.
      stream.resume()
    } else {
      stream.resume()
    }
  }
  await compare(site, archive, options)
  const { keys: held } = await site.keyVault.takeOut()
  const readable = new Set(held.map(({ subjectId }) => subjectId))
  await options.onEnd()
  await mark.end(archive.logSha256)
  // One that was broken off before its first event is of no matter any more.
  await fillingMark('import', site.effects).end(archive.logSha256)
  const erased = new Set(vault.erasedIds)
  return {
    createdAt: archive.createdAt,
    counts: { ...archive.counts, keys: readable.size },
    unreadable: [...messages.open].filter((id) => !readable.has(id) && !erased.has(id)).length,
  }
}
