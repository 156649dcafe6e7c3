import type { Position } from '#application/ports/event-store.ts'

/** Where a reactor stands in the log. Not a projection's checkpoint: that moves with its documents. */
export interface Checkpoints {
  /** Null when the reactor was never here; `position` null: it stands at the beginning of the log. */
  readonly load: (name: string) => Promise<{ readonly position: Position | null } | null>
  readonly save: (name: string, position: Position | null) => Promise<void>
}
