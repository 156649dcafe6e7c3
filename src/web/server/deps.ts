import type { Application } from '#application/app.ts'
import type { Documents } from '#application/ports/documents.ts'
import type { Position } from '#application/ports/event-store.ts'
import type { HtmlSanitiser } from '#application/ports/html.ts'
import type { IdempotencyKeys } from '#application/ports/idempotency.ts'
import type { JobQueue } from '#application/ports/job-queue.ts'
import type { Passwords } from '#application/ports/passwords.ts'
import type { RateLimits } from '#application/ports/rate-limits.ts'
import type { ChangedModel } from '#web/contract/changes.ts'
import type { Pages } from './pages/pages.ts'

/** What the web role needs of the settings (interface, "Settings"). */
export interface WebSettings {
  /** of the program */
  readonly version: string
  /** origin without a slash at the end */
  readonly publicUrl: string
  /** proxies in front that are trusted for the client's address and scheme */
  readonly trustProxy: number
  readonly mail: 'on' | 'off'
  /** the default of the site setting `blogUrl`; empty without one */
  readonly blogUrl: string
}

/** What the web role needs of a logger; pino fits. */
export interface WebLog {
  readonly info: (details: object, message: string) => void
  readonly warn: (details: object, message: string) => void
  readonly error: (details: object, message: string) => void
}

/** What measures requests. */
export type MeasureRequest = (request: {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly ms: number
}) => void

/** How the process stands, for `/readyz` and for requests that come before it is ready (decisions 60). */
export interface Readiness {
  /** every event that was in the log at the start is shown; once true it stays so */
  readonly wasReady: () => boolean
  /** asks the engines now; `reasons` are sentences and make it a 503, `degraded` ones do not */
  readonly report: () => Promise<{
    readonly reasons: readonly string[]
    readonly degraded: readonly string[]
  }>
}

/** One change of what people look at (decisions 97). */
export interface Change {
  readonly models: readonly ChangedModel[]
  /** null for what stands in no log, such as the state of a job */
  readonly position: Position | null
}

/** Where the web role hears of changes: the projector of its own process, or announcements of another. */
export interface ChangeSource {
  /** @returns how to stop it */
  readonly onChange: (listener: (change: Change) => void) => () => void
  /**
   * What has changed of a page since it was rendered.
   * @param version of the page's data
   */
  readonly since: (version: string) => Promise<readonly ChangedModel[]>
}

/** What the fast listener needs before anything heavy is loaded. */
export interface FrontDeps {
  readonly documents: Documents
  readonly html: Pick<HtmlSanitiser, 'siteText'>
  readonly readModels: Application['readModels']
  readonly pages: Pages
  readonly settings: WebSettings
  readonly readiness: Readiness
  /** answers `/metrics`; without it there is nothing at that address */
  readonly metrics?: Listener
  /** hears of every request that was answered */
  readonly measure?: MeasureRequest
  readonly log: WebLog
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
  /** folder of the built client */
  readonly clientFolder: string
  /** bytes that may still be written, null where the data is not on this machine */
  readonly freeBytes: () => Promise<number | null>
  /** the last nightly backup; null without `BACKUP_DIR` or before the first one */
  readonly backup: () => Promise<{ readonly finishedAt: string | null; readonly error: string | null } | null>
  /** when the blog is mirrored next by itself, ISO 8601; null when it is not planned in this process */
  readonly nextSyncAt: () => string | null
}

/** A function that answers requests of `node:http`. */
export type Listener = (
  request: import('node:http').IncomingMessage,
  response: import('node:http').ServerResponse,
) => void

/** The name of the cookie that holds the session; bound to the host where the site is served by TLS. */
export const sessionCookieOf = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Host-atelier' : 'atelier'
