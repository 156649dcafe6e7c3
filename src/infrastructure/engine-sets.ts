import type { Accounts } from '#application/ports/accounts.ts'
import type { Checkpoints } from '#application/ports/checkpoints.ts'
import type { Documents } from '#application/ports/documents.ts'
import type { EventStore } from '#application/ports/event-store.ts'
import type { FileStore } from '#application/ports/files.ts'
import type { IdempotencyKeys } from '#application/ports/idempotency.ts'
import type { EffectLedger, JobQueue } from '#application/ports/job-queue.ts'
import type { KeyVault } from '#application/ports/key-vault.ts'
import type { Leases } from '#application/ports/leases.ts'
import type { RateLimits } from '#application/ports/rate-limits.ts'
import type { Sessions } from '#application/ports/sessions.ts'

/** What `MONGODB_URL` replaces (interface: Settings). */
export interface DocumentEngines {
  readonly documents: Documents
  readonly effects: EffectLedger
  readonly checkpoints: Checkpoints
  readonly leases: Leases
  readonly files: FileStore
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly keyVault: KeyVault
  readonly idempotency: IdempotencyKeys
}

/** What `REDIS_URL` replaces. */
export interface QueueEngines {
  readonly jobs: JobQueue
  readonly rateLimits: RateLimits
}

/** Every engine of a site, whichever they are. */
export interface Engines extends DocumentEngines, QueueEngines {
  readonly eventStore: EventStore
  /** the site's secret: the setting, else the one kept in the data folder */
  readonly secret: string
  /** bytes that may still be written on the disk of the data folder (decisions 109) */
  readonly freeBytes: () => Promise<number>
  /** What keeps servers from answering now, in words for people, one for each; empty when all answer (decisions 60). */
  readonly unanswered: () => Promise<readonly string[]>
  /** Ends all of them; jobs that run get `graceMs` to end. The folder is free afterwards. */
  readonly close: (graceMs?: number) => Promise<void>
}
