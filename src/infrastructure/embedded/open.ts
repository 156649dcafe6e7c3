import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Accounts } from '#application/ports/accounts.ts'
import type { Checkpoints } from '#application/ports/checkpoints.ts'
import type { Clock } from '#application/ports/clock.ts'
import type { Documents } from '#application/ports/documents.ts'
import type { EventStore } from '#application/ports/event-store.ts'
import type { FileStore } from '#application/ports/files.ts'
import type { IdempotencyKeys } from '#application/ports/idempotency.ts'
import type { EffectLedger, JobQueue } from '#application/ports/job-queue.ts'
import type { KeyVault } from '#application/ports/key-vault.ts'
import type { Leases } from '#application/ports/leases.ts'
import type { RateLimits } from '#application/ports/rate-limits.ts'
import type { Sessions } from '#application/ports/sessions.ts'
import { openAccounts } from './accounts.ts'
import { openCheckpoints } from './checkpoints.ts'
import { lockDataFolder } from './data-folder.ts'
import { openDatabase } from './database.ts'
import type { Access } from './database.ts'
import { openDocuments } from './documents.ts'
import { openEffects } from './effects.ts'
import { openEventStore } from './event-store.ts'
import { openFiles } from './files.ts'
import { openIdempotencyKeys } from './idempotency.ts'
import { openJobQueue } from './job-queue.ts'
import type { JobLog } from './job-queue.ts'
import { openKeyVault } from './key-vault.ts'
import { openLeases } from './leases.ts'
import { openRateLimits } from './rate-limits.ts'
import { siteSecret } from './secret.ts'
import { openSessions } from './sessions.ts'

/** Every engine that needs nothing but a folder: one SQLite file `atelier.db` and `files/` beside it. */
export interface Embedded {
  readonly eventStore: EventStore
  readonly documents: Documents
  readonly jobs: JobQueue
  readonly effects: EffectLedger
  readonly checkpoints: Checkpoints
  readonly leases: Leases
  readonly files: FileStore
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly keyVault: KeyVault
  readonly idempotency: IdempotencyKeys
  readonly rateLimits: RateLimits
  /** the site's secret: the setting, else the one kept in the folder */
  readonly secret: string
  /** bytes that may still be written on the folder's disk (decisions 109) */
  readonly freeBytes: () => Promise<number>
  /** Ends all of them; jobs that run get `graceMs` to end. The folder is free afterwards. */
  readonly close: (graceMs?: number) => Promise<void>
}

/**
 * Opens all embedded engines on one folder, which this process then holds alone (decisions 95).
 * @param options.secret the setting `SECRET`; null: kept in the folder, made on the first start
 * @param options.access `read`: beside a server that runs (decisions 77); takes no lock and changes nothing
 * @throws {DataFolderInUse} {NewerData} {SecretMismatch} {EngineAway}, each in words for people
 */
export const openEmbedded = async (options: {
  readonly dataDir: string
  readonly secret: string | null
  readonly clock: Clock
  readonly log: JobLog
  readonly access?: Access
}): Promise<Embedded> => {
  const { dataDir, clock, log, access = 'hold' } = options
  const unlock = access === 'hold' ? lockDataFolder(dataDir) : () => undefined
  const undo: (() => void)[] = [unlock]
  try {
    const database = openDatabase(join(dataDir, 'atelier.db'), access)
    undo.unshift(database.close)
    const secret = siteSecret(dataDir, options.secret)
    const keyVault = openKeyVault(database, secret)
    const eventStore = openEventStore(database)
    const jobs = openJobQueue(database, clock, log)
    return {
      eventStore,
      documents: openDocuments(database),
      jobs,
      effects: openEffects(database),
      checkpoints: openCheckpoints(database),
      leases: openLeases(),
      files: await openFiles(join(dataDir, 'files'), access),
      accounts: openAccounts(database),
      sessions: openSessions(database),
      keyVault,
      idempotency: openIdempotencyKeys(database),
      rateLimits: openRateLimits(),
      secret,
      freeBytes: async () => {
        const { bavail, bsize } = await statfs(dataDir)
        return bavail * bsize
      },
      close: async (graceMs = 0) => {
        await jobs.close(graceMs)
        await eventStore.close()
        database.close()
        unlock()
      },
    }
  } catch (error) {
    for (const step of undo) step()
    throw error
  }
}
