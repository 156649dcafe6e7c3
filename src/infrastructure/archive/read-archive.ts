import { pipeline, Readable } from 'node:stream'
import { pipeline as piped } from 'node:stream/promises'
import { text } from 'node:stream/consumers'
import { extract } from 'tar-stream'
import { checkExport } from '#application/kernel/archive/import-events.ts'
import type { ExportedEvent } from '#application/kernel/archive/event-line.ts'
import type { Account } from '#application/kernel/ports/accounts.ts'
import { isKey } from '#application/kernel/ports/files.ts'
import { Refusal } from '#domain/refusal.ts'
import { readLines } from './lines.ts'
import {
  accountsName,
  eventsName,
  filesFolder,
  keptPrefixes,
  longest,
  type Manifest,
  type ManifestEntry,
  manifestName,
  parseAccounts,
  parseManifest,
} from './manifest.ts'
import { openToRead } from './whole-file.ts'
import { measured } from './write-archive.ts'

/** One entry on its way out of a backup; its stream must be read to the end before the next one comes. */
export interface ArchiveEntry {
  readonly name: string
  readonly bytes: number
  readonly stream: Readable
}

const damaged = (why: string): Refusal =>
  new Refusal('invalid', `The backup is damaged: ${why}. Take another copy of it, or an older one`)

/** What the tar reader says, in words. */
const inWords = (error: unknown, path: string): unknown => {
  const message = error instanceof Error ? error.message : ''
  if (/unexpected end of data/i.test(message)) return damaged('it ends in the middle')
  if (/invalid (tar )?header|header exceeds/i.test(message))
    return new Refusal('invalid', `${path} is no backup, or it is damaged`)
  return error
}

/** An entry's bytes; the reader tells of the whole file's faults here too. */
async function* bytesOf(entry: AsyncIterable<Buffer>, path: string): AsyncGenerator<Buffer> {
  try {
    yield* entry
  } catch (error) {
    throw inWords(error, path)
  }
}

/**
 * The entries of a backup in their order.
 * @throws {Refusal} when the file is not there, is no tar file or ends in the middle
 */
export async function* archiveEntries(path: string, signal: AbortSignal): AsyncGenerator<ArchiveEntry> {
  const entries = extract()
  // Its failures, the file's too, reach whoever reads the entries.
  pipeline(await openToRead(path), entries, () => undefined)
  try {
    for await (const entry of entries) {
      signal.throwIfAborted()
      const { name, size, type } = entry.header
      if (type !== 'file') throw damaged(`${name} is no file`)
      const content = entry as AsyncIterable<Buffer> // an entry gives the bytes it is made of
      yield { name, bytes: size, stream: Readable.from(bytesOf(content, path), { objectMode: false }) }
    }
  } catch (error) {
    throw inWords(error, path)
  }
}

/** The key of an entry that is a file of the site's; null for any other. */
export const keyOfEntry = (name: string): string | null => {
  const key = name.startsWith(filesFolder) ? name.slice(filesFolder.length) : null
  return key !== null && isKey(key) && keptPrefixes.some((prefix) => key.startsWith(prefix)) ? key : null
}

/** Reads a stream to its end and nothing else. */
export const drained = async (stream: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of stream);
}

/** A backup that was found whole. */
export interface CheckedArchive extends Manifest {
  readonly accounts: readonly Account[]
  /** SHA-256 over the lines of its log: two backups of the same log have the same */
  readonly logSha256: string
}

/**
 * Reads a whole backup and compares it with its manifest: every entry's size and checksum, the form of every
 * line of the log, and that nothing is missing or too many.
 * @param onEvent told each event of the log
 * @throws {Refusal} in words
 */
export const checkArchive = async (
  path: string,
  options: {
    readonly signal: AbortSignal
    readonly onBytes?: (bytes: number) => void
    readonly onEvent?: (event: ExportedEvent) => void
  },
): Promise<CheckedArchive> => {
  const found = new Map<string, ManifestEntry>()
  const counts = { events: 0, files: 0, accounts: 0 }
  let manifest: Manifest | null = null
  let accounts: readonly Account[] = []
  let logSha256 = ''
  let bytes = 0
  for await (const { name, bytes: size, stream } of archiveEntries(path, options.signal)) {
    if (manifest !== null) throw damaged(`${name} stands behind its end`)
    if (found.has(name)) throw damaged(`${name} is in it twice`)
    if ((name === accountsName || name === manifestName) && size > longest[name])
      throw damaged(`${name} is too large`)
    if (name === manifestName) {
      manifest = parseManifest(await text(stream))
      continue
    }
    const { stream: through, result } = measured()
    const passing = piped(stream, through)
    const reading = (async (): Promise<void> => {
      if (name === eventsName) {
        const end = await checkExport(readLines(through), options.onEvent)
        counts.events = end.events
        logSha256 = end.sha256
      } else if (name === accountsName) {
        accounts = parseAccounts(await text(through))
        counts.accounts = accounts.length
      } else if (keyOfEntry(name) !== null) {
        await drained(through)
        counts.files += 1
      } else {
        throw damaged(`${name} does not belong in it`)
      }
    })()
    // The reader knows better what is wrong than the pipe that it let go.
    await Promise.all([reading, passing.catch((error: unknown) => reading.then(() => Promise.reject(error)))])
    found.set(name, result())
    bytes += size
    options.onBytes?.(bytes)
  }
  if (manifest === null) throw damaged(`${manifestName} is missing, so it was cut short or is no backup`)
  for (const name of [accountsName, eventsName]) if (!found.has(name)) throw damaged(`${name} is missing`)
  const missing = Object.keys(manifest.entries).find((name) => !found.has(name))
  if (missing !== undefined) throw damaged(`${missing} is missing`)
  for (const [name, { bytes: size, sha256 }] of found) {
    const listed = manifest.entries[name]
    if (listed === undefined) throw damaged(`${name} does not belong in it`)
    if (listed.bytes !== size || listed.sha256 !== sha256) throw damaged(`${name} has another checksum`)
  }
  for (const kind of ['events', 'files', 'accounts'] as const) {
    if (manifest.counts[kind] !== counts[kind]) {
      throw damaged(`it should hold ${manifest.counts[kind]} ${kind}, there are ${counts[kind]}`)
    }
  }
  return { ...manifest, accounts, logSha256 }
}
