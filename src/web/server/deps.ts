import type { Logger } from '#application/kernel/ports/logger.ts'
import type { Application } from '#application/application.ts'
import type { Documents } from '#application/kernel/ports/documents.ts'
import type { HtmlSanitiser } from '#application/ports/html.ts'
import type { IdempotencyKeys } from '#application/kernel/ports/idempotency.ts'
import type { JobQueue } from '#application/kernel/ports/job-queue.ts'
import type { Passwords } from '#application/kernel/ports/passwords.ts'
import type { RateLimits } from '#application/kernel/ports/rate-limits.ts'
import type {
  ChangeSource,
  IsInsider,
  Listener,
  MeasureRequest,
  Readiness,
  WebSettings,
} from './door/ports.ts'
import type { Status } from '#web/contract/status.ts'
import type { Pages } from './pages/pages.ts'

/** What the door needs before anything heavy is loaded. */
export interface FrontDeps {
  readonly documents: Documents
  readonly html: Pick<HtmlSanitiser, 'siteText'>
  readonly readModels: Application['readModels']
  readonly pages: Pages
  readonly settings: WebSettings
  readonly readiness: Readiness
  readonly isInsider: IsInsider
  /** answers `/metrics`; without it there is nothing at that address */
  readonly metrics?: Listener
  /** hears of every request that names other addresses in front of it although no proxy is trusted */
  readonly unreadForwarding?: () => void
  /** hears of every request that was answered */
  readonly measure?: MeasureRequest
  readonly log: Logger
}

/** Everything the web role is built from. */
export interface WebDeps extends FrontDeps {
  readonly app: Application
  readonly passwords: Passwords
  readonly rateLimits: RateLimits
  readonly idempotency: IdempotencyKeys
  readonly jobs: JobQueue
  readonly changes: ChangeSource
  /** signs the session's cookie; the same for all processes */
  readonly secret: string
  readonly clientFolder: string
  /** bytes that may still be written, null where the data is not on this machine */
  readonly freeBytes: () => Promise<number | null>
  /** the last nightly backup, and what was found in it; null without `BACKUP_DIR` or before the first one */
  readonly backup: () => Promise<Status['backup']>
  /** when the blog is mirrored next by itself, ISO 8601; null when it is not planned in this process */
  readonly nextSyncAt: () => string | null
}
