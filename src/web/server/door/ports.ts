import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Position } from '#application/kernel/ports/event-store.ts'
import type { ChangedModel } from '#web/contract/changes.ts'

export interface WebSettings {
  /** of the program */
  readonly version: string
  /** origin without a slash at the end */
  readonly publicUrl: string
  /** it stands in the settings, and is not only assumed from the port */
  readonly publicUrlIsSet: boolean
  /** proxies in front that are trusted for the client's address and scheme */
  readonly trustProxy: number
  readonly mail: 'on' | 'off'
  /** where letters are mailed; null: to the address that she has saved */
  readonly mailTo: string | null
  /** the default of the site setting `blogUrl`; empty without one */
  readonly blogUrl: string
}

/** What measures requests. */
export type MeasureRequest = (request: {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly ms: number
}) => void

/** Why a process is not ready, or not well. */
export interface Reason {
  /** for anybody: names no path, place or address */
  readonly short: string
  /** with what to do, for who runs the site */
  readonly full: string
}

/** Whether somebody may look into how the process is doing. */
export type IsInsider = (request: IncomingMessage) => boolean

/** How the process stands, for `/readyz` and for requests that come before it is ready. */
export interface Readiness {
  /**
   * Why nothing is answered but how the process stands; null while the site is open. `starting` until every event
   * that was in the log at the start is shown; `lost` while what it shows and keeps is gone.
   */
  readonly closed: () => 'starting' | 'lost' | null
  /** asks the engines now; `reasons` make it a 503, `degraded` ones do not */
  readonly report: () => Promise<{
    readonly reasons: readonly Reason[]
    readonly degraded: readonly Reason[]
  }>
}

/** One change of what people look at. */
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
  /** The place up to which every view shows the log, as far as it is known here; null before the first. */
  readonly shownTo: () => Position | null
  /** The position of the last change that visitors may hear of; empty where there was none. */
  readonly newestForVisitors: () => Promise<string>
}

export type Listener = (request: IncomingMessage, response: ServerResponse) => void
