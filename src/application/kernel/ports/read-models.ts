import type { Position } from './event-store.ts'

/** How commands and cached answers learn what the read models show. */
export interface ReadModels {
  /**
   * Resolves true once the views show the event at `position`, false when that takes longer than the
   * bound (2 s on cluster engines), or when they cannot get there now: the process stops, or an engine or a view failed.
   * @param types of events: only the views are waited for that take them in and that answers are made of; all
   * views unless given
   */
  readonly shows: (position: Position, types?: readonly string[]) => Promise<boolean>
  /** A text that differs whenever any of the named views has moved on; sync where the engine is in process. */
  readonly version: (views: readonly string[]) => string | Promise<string>
}
