import { Readable } from 'node:stream'
import { canonicalJson } from '#application/kernel/archive/canonical-json.ts'
import { siteKnownBy } from '#application/kernel/archive/event-line.ts'
import { exportEvents } from '#application/kernel/archive/export-events.ts'
import { refuseNoLine } from '#application/kernel/archive/unreadable-events.ts'
import { checkExport } from '#application/kernel/archive/import-events.ts'
import type { Account } from '#application/kernel/ports/accounts.ts'
import type { Position } from '#application/kernel/ports/event-store.ts'
import { FileCut } from '#application/kernel/ports/files.ts'
import { Refusal } from '#domain/refusal.ts'
import type { BackedUpStores } from './backup.ts'
import type { FilledStores } from './filled-place.ts'
import { type Filled, type FillOptions, fillPlace, type FillSource } from './restore.ts'
import { readLines } from './lines.ts'
import { accountsName, eventsName, filesFolder, type ManifestEntry } from './manifest.ts'
import { keptKeys, measure } from './write-archive.ts'

const textOf = (text: string): Readable => Readable.from([Buffer.from(text)], { objectMode: false })

const linesOf = (
  { eventStore }: Pick<BackedUpStores, 'eventStore'>,
  upTo: Position | null,
  signal: AbortSignal,
): Readable =>
  Readable.from(exportEvents(eventStore, upTo, { signal, onEvent: refuseNoLine }), { objectMode: false })

interface FoundFiles {
  readonly entries: Record<string, ManifestEntry>
  /** those that cannot be read to their end */
  readonly leftOut: string[]
}

/** A site that nobody writes to, as if it lay in an archive. @param found is filled while it is checked */
const siteSource = (
  from: BackedUpStores,
  { entries, leftOut }: FoundFiles,
  createdAt: string,
): FillSource => {
  let upTo: Position | null = null
  let accounts: readonly Account[] = []
  return {
    check: async ({ signal, onBytes, onEvent }) => {
      upTo = await from.eventStore.head()
      if (upTo === null) throw new Refusal('missing', 'There is no site to move: its log is empty')
      let identity = ''
      const end = await checkExport(readLines(linesOf(from, upTo, signal)), (event) => {
        if (identity === '') identity = siteKnownBy(event)
        onEvent(event)
      })
      let bytes = 0
      for (const key of await keptKeys(from.files)) {
        signal.throwIfAborted()
        const file = await from.files.open(key)
        if (file === null) continue
        try {
          const entry = await measure(file.stream)
          entries[`${filesFolder}${key}`] = entry
          bytes += entry.bytes
          onBytes(bytes)
        } catch (error) {
          if (!(error instanceof FileCut)) throw error
          leftOut.push(key)
        }
      }
      accounts = await from.accounts.all()
      const counts = {
        events: end.events,
        files: Object.keys(entries).length,
        accounts: accounts.length,
      }
      return { createdAt, counts, entries, logSha256: end.sha256, identity, accounts }
    },
    async *entries(signal) {
      for (const [name, { bytes }] of Object.entries(entries)) {
        const file = await from.files.open(name.slice(filesFolder.length))
        if (file === null) throw new Error(`${name} has gone while the site was moved: move again`)
        yield { name, bytes, stream: file.stream }
      }
      const text = canonicalJson(accounts)
      yield { name: accountsName, bytes: Buffer.byteLength(text), stream: textOf(text) }
      yield { name: eventsName, bytes: 0, stream: linesOf(from, upTo, signal) }
    },
    isUnchanged: async () =>
      (await from.eventStore.head()) === upTo &&
      canonicalJson(await from.accounts.all()) === canonicalJson(accounts),
  }
}

/** What a move has brought, and what of it was not whole where it comes from. */
export interface Moved extends Filled {
  /** files that could not be read there, and are left behind */
  readonly leftOut: readonly string[]
}

/**
 * Moves a site from one set of engines into an empty place on another, as {@link fillPlace} does; where it comes from it
 * is only read. Broken off, it goes on when it is begun again, also when the site has had further events since.
 * @param from nobody may write to it meanwhile
 * @throws {Refusal} {DiskFull} in words, the signal's reason when aborted
 */
export const moveSite = async (
  from: BackedUpStores,
  to: FilledStores,
  options: FillOptions & { readonly createdAt: string },
): Promise<Moved> => {
  const found: FoundFiles = { entries: {}, leftOut: [] }
  const source = siteSource(from, found, options.createdAt)
  const filled = await fillPlace(to, 'move', { source, keys: await from.keyVault.takeOut() }, options)
  return { ...filled, leftOut: found.leftOut }
}
