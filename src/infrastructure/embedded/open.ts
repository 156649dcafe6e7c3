import { nobodyElse } from '#application/kernel/ports/announcements.ts'
import type { Logger } from '#application/kernel/ports/logger.ts'
import type { KeyVault } from '#application/kernel/ports/key-vault.ts'
import { join } from 'node:path'
import type { Clock } from '#application/kernel/ports/clock.ts'
import { EngineAway, type EventStore } from '#application/kernel/ports/event-store.ts'
import type { FileStore } from '#application/kernel/ports/files.ts'
import type { DocumentEngines, FolderState, QueueEngines } from '../engine-sets.ts'
import type { MarkStore } from '../log-mark.ts'
import { openAccounts } from './accounts.ts'
import { openCheckpoints, openEffects, openIdempotencyKeys } from './records.ts'
import { filesAway, watchFile, lockDataFolder, unusableIn } from './data-folder.ts'
import { type Database, openDatabase, type Access } from './database.ts'
import { openDocuments } from './documents.ts'
import { openEventStore } from './event-store.ts'
import { openFiles } from './files.ts'
import { openJobQueue } from './job-queue.ts'
import { openedOrClosed } from '../key-vault/closed-vault.ts'
import { openKeyVault } from './key-vault.ts'
import { openLeases } from './leases.ts'
import { type MarkedLog, markFile } from './log-mark-file.ts'
import { openRateLimits } from './rate-limits.ts'
import { siteSecret } from './secret.ts'
import { noReserve, openReserve } from './reserve.ts'
import { openSessions } from './sessions.ts'

/** One folder and what stands in it: a SQLite file `atelier.db`, and `files/` beside it. */
export interface EmbeddedFolder extends FolderState {
  /** the site's secret: the setting, else the one kept in the folder */
  readonly secret: string
  readonly openLog: () => EventStore
  readonly openDocumentEngines: () => Promise<DocumentEngines>
  readonly openQueueEngines: () => QueueEngines
  /** the high-water mark of a log, kept in the folder */
  readonly openMark: (log: MarkedLog) => MarkStore
  /** Ends what was opened; jobs that run get `graceMs` to end. The folder is free afterwards. */
  readonly close: (graceMs?: number) => Promise<void>
}

export interface FolderOptions {
  readonly dataDir: string
  readonly secret: string | null
  readonly clock: Clock
  readonly log: Logger
  readonly access?: Access
}

/** Whether something was written that only the site's own secret opens, or an account that goes by it. */
const hasBegun = ({ reading, sql }: Database): boolean =>
  ['events', 'accounts', 'vault_keys'].some((table) =>
    reading(() => sql(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined),
  )

/**
 * Opens a folder, which this process then holds alone. Its engines are opened one by one: those
 * for which a server stands in never are.
 * @param options.secret the setting `SECRET`; null: kept in the folder, made on the first start
 * @param options.access `read`: beside a server that runs; takes no lock and changes nothing
 * @throws {DataFolderInUse} {NewerData} {EngineAway}, each in words for people
 */
export const openEmbeddedFolder = (options: FolderOptions): EmbeddedFolder => {
  const { dataDir, clock, log, access = 'hold' } = options
  const unusable = access === 'hold' ? unusableIn(dataDir) : null
  if (unusable !== null) throw new EngineAway('disk', unusable)
  const unlock = access === 'hold' ? lockDataFolder(dataDir) : () => undefined
  const undo: (() => void)[] = [unlock]
  try {
    const reserve = access === 'hold' ? openReserve(dataDir) : noReserve
    const database = openDatabase(join(dataDir, 'atelier.db'), access, reserve)
    undo.unshift(database.close)
    const replaced = watchFile(join(dataDir, 'atelier.db'))
    const isBegun = hasBegun(database)
    const secret = siteSecret(dataDir, options.secret, isBegun)
    const open = (): KeyVault => openKeyVault(database, secret)
    // Who moves a folder needs its keys, and asks for them under another secret.
    const vault = access === 'read' ? () => openedOrClosed(open) : open
    const files = async (): Promise<FileStore> => {
      // Who reads beside a server tells of what lacks by itself; who moves a site must not leave its pictures behind.
      const away = isBegun && access !== 'read' ? filesAway(dataDir) : null
      if (away !== null) throw new EngineAway('disk', away)
      return openFiles(join(dataDir, 'files'), access, reserve)
    }
    const endings: ((graceMs: number) => Promise<void>)[] = []
    return {
      secret,
      openLog: () => {
        const eventStore = openEventStore(database)
        endings.push(eventStore.close)
        return eventStore
      },
      openDocumentEngines: async () => ({
        documents: openDocuments(database),
        effects: openEffects(database),
        checkpoints: openCheckpoints(database),
        leases: openLeases(),
        files: await files(),
        accounts: openAccounts(database),
        sessions: openSessions(database),
        keyVault: await vault(),
        idempotency: openIdempotencyKeys(database),
        // In this process: it is never silent.
        heardAt: () => performance.now(),
      }),
      openQueueEngines: () => {
        const jobs = openJobQueue(database, clock, log)
        // jobs that end may still append
        endings.unshift(jobs.close)
        return { jobs, rateLimits: openRateLimits(), announcements: nobodyElse }
      },
      openMark: (of) => markFile(dataDir, of),
      replaced,
      damage: database.damage,
      damageAnywhere: database.damageAnywhere,
      isDiskShort: reserve.isShort,
      close: async (graceMs = 0) => {
        for (const ending of endings) await ending(graceMs)
        database.close()
        unlock()
      },
    }
  } catch (error) {
    for (const step of undo) step()
    throw error
  }
}
