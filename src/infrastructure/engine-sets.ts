import type { Accounts } from '#application/kernel/ports/accounts.ts'
import type { Announcements } from '#application/kernel/ports/announcements.ts'
import type { Checkpoints } from '#application/kernel/ports/checkpoints.ts'
import type { Documents } from '#application/kernel/ports/documents.ts'
import type { EventStore } from '#application/kernel/ports/event-store.ts'
import type { FileStore } from '#application/kernel/ports/files.ts'
import type { IdempotencyKeys } from '#application/kernel/ports/idempotency.ts'
import type { EffectLedger, JobQueue } from '#application/kernel/ports/job-queue.ts'
import type { KeyVault } from '#application/kernel/ports/key-vault.ts'
import type { LogMark } from '#application/kernel/ports/log-mark.ts'
import type { Leases, WatchedLeases } from '#application/kernel/ports/leases.ts'
import type { RateLimits } from '#application/kernel/ports/rate-limits.ts'
import type { Sessions } from '#application/kernel/ports/sessions.ts'

/** What `MONGODB_URL` replaces. */
export interface DocumentEngines {
  readonly documents: Documents
  readonly effects: EffectLedger
  readonly checkpoints: Checkpoints
  readonly leases: WatchedLeases
  readonly files: FileStore
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly keyVault: KeyVault
  readonly idempotency: IdempotencyKeys
  /** When they answered anybody last, on the clock of `performance.now()`: what is slow answers, what is silent does not. */
  readonly heardAt: () => number
}

/** What `REDIS_URL` replaces. */
export interface QueueEngines {
  readonly jobs: JobQueue
  readonly rateLimits: RateLimits
  readonly announcements: Announcements
}

/** How the data folder stands. */
export interface FolderState {
  /** whether nothing may grow on this disk now: what is left of it is kept for signing in and deleting */
  readonly isDiskShort: () => boolean
  /** Whether the data file was replaced or removed under this process, in words; null when it was not. */
  readonly replaced: () => string | null
  /** That the data file was found damaged since it was opened, or its write-ahead log removed, in words; null when it was not. */
  readonly damage: () => string | null
  /** The same, after a look at every page and index of it: nobody else has a turn meanwhile. */
  readonly damageAnywhere: () => string | null
}

/** Every engine of a site, whichever they are. */
export interface Engines extends DocumentEngines, QueueEngines, FolderState {
  readonly eventStore: EventStore
  /** how far the log once came, remembered beside it */
  readonly logMark: LogMark
  /**
   * leases of which processes on other folders know as well, by MongoDB or the log on its server; null where none could be of the
   * same site
   */
  readonly places: Pick<Leases, 'tryAcquire'> | null
  /** the site's secret: the setting, else the one kept in the data folder */
  readonly secret: string
  /** bytes that may still be written where pictures and documents are kept; null where that is not known */
  readonly freeBytes: () => Promise<number | null>
  /** What keeps servers from answering now, in words for people, one for each; empty when all answer. */
  readonly unanswered: () => Promise<readonly string[]>
  /** Ends all of them; jobs that run get `graceMs` to end. The folder is free afterwards. */
  readonly close: (graceMs?: number) => Promise<void>
}
