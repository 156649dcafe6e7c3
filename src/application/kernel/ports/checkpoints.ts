import type { Position } from './event-store.ts'

/** Under this name stands the reactor, which has effects and is never rebuilt; every server gives it a place before anything is written. */
export const reactorCheckpoint = 'reactor'

/** Where a reactor stands in the log. Not a projection's checkpoint: that moves with its documents. */
export interface Checkpoints {
  /** Null when the reactor was never here; `position` null: it stands at the beginning of the log. */
  readonly load: (name: string) => Promise<{ readonly position: Position | null } | null>
  /** Gives it a place, whether it had one or not. */
  readonly place: (name: string, position: Position | null) => Promise<void>
  /** Moves one that has a place. False when it has none any more: then all that stood beside it may be gone. */
  readonly save: (name: string, position: Position | null) => Promise<boolean>
}
