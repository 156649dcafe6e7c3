import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable, Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { canonicalJson } from '#application/archive/canonical-json.ts'
import { exportEvents } from '#application/archive/export-events.ts'
import type { Accounts } from '#application/ports/accounts.ts'
import type { EventStore } from '#application/ports/event-store.ts'
import type { FileStore } from '#application/ports/files.ts'
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

/** Any progress of an export, which only ever tells of events. */
type EventsProgress = Extract<ArchiveProgress, { what: 'events' }>

/**
 * Writes the log as it stands now, compressed: `events export` (decisions 111). Without a time stamp, so that
 * the same log gives the same bytes.
 * @returns how many events it holds
 */
export const writeEvents = async (
  eventStore: SiteStores['eventStore'],
  out: Writable,
  options: { readonly signal: AbortSignal; readonly onProgress?: (progress: EventsProgress) => void },
): Promise<number> => {
  const { signal } = options
  const until = await eventStore.head()
  let events = 0
  const pieces = exportEvents(eventStore, until, {
    signal,
    onProgress: ({ events: done, share }) => {
      events = done
      options.onProgress?.({ what: 'events', done, share })
    },
  })
  await pipeline(Readable.from(pieces, { objectMode: false }), createGzip(), out, { signal, end: false })
  return events
}

/**
 * Writes a backup: first the log up to this moment, set down beside because a tar file tells an entry's size
 * before it; then the pictures, which are never changed once they are named in the log.
 * @param beside an empty file to set the log down in; the caller removes it
 * @returns what it wrote
 */
export const writeArchive = async (
  site: SiteStores,
  out: Writable,
  beside: string,
  options: Options & { readonly version: string; readonly createdAt: string },
): Promise<Manifest['counts']> => {
  const { signal, version, createdAt } = options
  const events = await writeEvents(site.eventStore, createWriteStream(beside), options)
  const packed = pack()
  const passed = pipeline(packed, out, { signal, end: false })
  // Its failure reaches whoever waits for an entry.
  passed.catch(() => undefined)
  const entries: Record<string, ManifestEntry> = {}
  const mtime = new Date(createdAt)
  const add = async (name: string, bytes: number, source: Readable): Promise<void> => {
    const { stream, result } = measured()
    const entry = packed.entry({ name, size: bytes, mode: 0o600, mtime })
    try {
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

  const keys = (await Promise.all(keptPrefixes.map((prefix) => site.files.list(prefix)))).flat().toSorted()
  let files = 0
  for (const [done, key] of keys.entries()) {
    options.onProgress?.({ what: 'files', done, total: keys.length })
    signal.throwIfAborted()
    const file = await site.files.open(key)
    // Swept away since it was listed: nothing refers to it.
    if (file === null) continue
    await add(`${filesFolder}${key}`, file.size, file.stream)
    files += 1
  }
  const accounts = await site.accounts.all()
  await addText(accountsName, `${canonicalJson(accounts)}\n`)
  await add(eventsName, (await stat(beside)).size, createReadStream(beside))
  const counts = { events, files, accounts: accounts.length }
  await addText(manifestName, manifestText({ version, createdAt, counts, entries: { ...entries } }))
  packed.finalize()
  await passed
  return counts
}
