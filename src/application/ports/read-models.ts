import type { Position } from '#application/ports/event-store.ts'

/** How commands and cached answers learn what the read models show (decisions 21, 94). */
export interface ReadModels {
  /**
   * Resolves true once every view shows the event at `position`, false when that takes longer than the
   * bound (2 s on cluster engines; embedded: only while the process is stopping, decisions 53).
   */
  readonly shows: (position: Position) => Promise<boolean>
  /** A text that differs whenever any of the named views has moved on; sync where the engine is in process. */
  readonly version: (views: readonly string[]) => string | Promise<string>
}
