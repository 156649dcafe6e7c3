import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable, Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { canonicalJson } from '#application/kernel/archive/canonical-json.ts'
import { exportEvents } from '#application/kernel/archive/export-events.ts'
import type { Accounts } from '#application/kernel/ports/accounts.ts'
import { refuseNoLine } from '#application/kernel/archive/unreadable-events.ts'
import type { EventStore, RecordedEvent } from '#application/kernel/ports/event-store.ts'
import { FileCut, type FileStore, FileUnreadable } from '#application/kernel/ports/files.ts'
import {
  accountsName,
  eventsName,
  filesFolder,
  keptPrefixes,
  type Manifest,
  type ManifestEntry,
  manifestName,
  manifestText,
} from './manifest.ts'
import { sayingWhere } from '../disk-words.ts'
import { fillFile } from './whole-file.ts'

/** What a site is made of, but for its keys. */
export interface SiteStores {
  readonly eventStore: Pick<EventStore, 'head' | 'readAll'>
  readonly files: Pick<FileStore, 'list' | 'open'>
  readonly accounts: Pick<Accounts, 'all'>
}

/** How far it is: events are told by an estimate of the whole, 0 to 1. */
export type ArchiveProgress =
  | { readonly what: 'events'; readonly done: number; readonly share: number }
  | { readonly what: 'files'; readonly done: number; readonly total: number }

interface Options {
  readonly signal: AbortSignal
  readonly onProgress?: (progress: ArchiveProgress) => void
}

/** Passes bytes on and counts and hashes them. */
export const measured = (): { readonly stream: Transform; readonly result: () => ManifestEntry } => {
  const hash = createHash('sha256')
  let bytes = 0
  return {
    stream: new Transform({
      transform: (chunk: Buffer, _encoding, pass) => {
        hash.update(chunk)
        bytes += chunk.length
        pass(null, chunk)
      },
    }),
    result: () => ({ bytes, sha256: hash.digest('hex') }),
  }
}

/** Reads a stream to its end, counts and hashes it. @throws what the stream throws */
export const measure = async (source: Readable): Promise<ManifestEntry> => {
  const { stream, result } = measured()
  stream.resume()
  await pipeline(source, stream)
  return result()
}

/** The keys of all files that a backup or a move takes along, in order. */
export const keptKeys = async (files: SiteStores['files']): Promise<readonly string[]> =>
  (await Promise.all(keptPrefixes.map((prefix) => files.list(prefix)))).flat().toSorted()

/** Any progress of an export, which only ever tells of events. */
type EventsProgress = Extract<ArchiveProgress, { what: 'events' }>

interface LogOptions {
  readonly signal: AbortSignal
  readonly onProgress?: (progress: EventsProgress) => void
  /** told each event that goes into it */
  readonly onEvent?: (event: RecordedEvent) => void
}

/**
 * Writes the log as it stands now, compressed: `events export`. Without a time stamp, so that
 * the same log gives the same bytes.
 * @returns how many events it holds
 * @throws {Refusal} at the first event that nobody could bring back
 */
export const writeEvents = async (
  eventStore: SiteStores['eventStore'],
  out: Writable,
  options: LogOptions,
): Promise<number> => {
  const { signal } = options
  const until = await eventStore.head()
  let events = 0
  const pieces = exportEvents(eventStore, until, {
    signal,
    onEvent: (event) => {
      refuseNoLine(event)
      options.onEvent?.(event)
    },
    onProgress: ({ events: done, share }) => {
      events = done
      options.onProgress?.({ what: 'events', done, share })
    },
  })
  await pipeline(Readable.from(pieces, { objectMode: false }), createGzip(), out, { signal, end: false })
  return events
}

/**
 * Reads a file to its end before its length is told to the archive, which could not go on after less than that.
 * @returns null when there is none
 * @throws {FileCut} when not all of it is there
 */
const wholeOf = async (files: SiteStores['files'], key: string): Promise<readonly Buffer[] | null> => {
  const file = await files.open(key)
  if (file === null) return null
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of file.stream) {
    pieces.push(piece)
    bytes += piece.length
  }
  if (bytes !== file.size) throw new FileCut(key)
  return pieces
}

/** Files that are there and could not be read to their end. */
export interface UnreadFiles {
  /** what there is of them ends too early */
  readonly cut: readonly string[]
  /** the disk does not give them */
  readonly unreadable: readonly string[]
}

/** A log in a file of its own. */
export interface LogFile {
  readonly path: string
  readonly events: number
}

/**
 * Sets the log up to this moment down beside a backup: a tar file tells an entry's size before it, and whatever is wrong with
 * the log is known before anything is sent.
 * @param path an empty file; the caller removes it
 */
export const setDownLog = async (
  { eventStore }: Pick<SiteStores, 'eventStore'>,
  path: string,
  options: LogOptions,
): Promise<LogFile> => ({
  path,
  events: await fillFile(path, (out) => writeEvents(eventStore, out, options)),
})

/**
 * Writes a backup: the images, which are never changed once they are named in the log, and the log as it was set down before
 * them. A file that cannot be read to its end is left out and named; everything else is whole.
 * @returns what it wrote, as its manifest has it
 */
export const writeArchive = async (
  site: Omit<SiteStores, 'eventStore'>,
  out: Writable,
  log: LogFile,
  options: Options & { readonly version: string; readonly createdAt: string },
): Promise<Pick<Manifest, 'counts' | 'entries'> & UnreadFiles> => {
  const { signal, version, createdAt } = options
  const tar = pack()
  const passed = pipeline(tar, out, { signal, end: false })
  // Its failure reaches whoever waits for an entry.
  passed.catch(() => undefined)
  const entries: Record<string, ManifestEntry> = {}
  const mtime = new Date(createdAt)
  /** @throws why nothing more can be sent, of which the archive itself only knows that it is closed */
  const begun = async (name: string, size: number): Promise<ReturnType<typeof tar.entry>> => {
    try {
      return tar.entry({ name, size, mode: 0o600, mtime })
    } catch (error) {
      await passed
      throw error
    }
  }
  const add = async (name: string, bytes: number, source: Readable): Promise<void> => {
    const { stream, result } = measured()
    try {
      const entry = await begun(name, bytes)
      await Promise.race([pipeline(source, stream, entry, { signal }), passed])
    } finally {
      source.destroy()
    }
    entries[name] = result()
  }
  const addText = (name: string, text: string): Promise<void> => {
    const bytes = Buffer.from(text)
    return add(name, bytes.length, Readable.from([bytes]))
  }

  const keys = await keptKeys(site.files)
  const cut: string[] = []
  const unreadable: string[] = []
  /** @returns null also for one that cannot be read to its end, which is noted */
  const piecesOf = async (key: string): Promise<readonly Buffer[] | null> => {
    try {
      return await wholeOf(site.files, key)
    } catch (error) {
      if (!(error instanceof FileCut)) throw error
      const noted = error instanceof FileUnreadable ? unreadable : cut
      noted.push(key)
      return null
    }
  }
  let files = 0
  for (const [done, key] of keys.entries()) {
    options.onProgress?.({ what: 'files', done, total: keys.length })
    signal.throwIfAborted()
    const pieces = await piecesOf(key)
    // Else swept away since it was listed: nothing refers to it.
    if (pieces === null) continue
    const size = pieces.reduce((sum, { length }) => sum + length, 0)
    await add(`${filesFolder}${key}`, size, Readable.from(pieces))
    files += 1
  }
  const accounts = await site.accounts.all()
  await addText(accountsName, `${canonicalJson(accounts)}\n`)
  await add(eventsName, (await stat(log.path)).size, sayingWhere(createReadStream(log.path), log.path))
  const counts = { events: log.events, files, accounts: accounts.length }
  await addText(manifestName, manifestText({ version, createdAt, counts, entries: { ...entries } }))
  tar.finalize()
  await passed
  return { counts, entries, cut, unreadable }
}
