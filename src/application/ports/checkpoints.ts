import type { Position } from '#application/ports/event-store.ts'

/** Where a reactor stands in the log. Not a projection's checkpoint: that moves with its documents. */
export interface Checkpoints {
  readonly load: (name: string) => Promise<Position | null>
  readonly save: (name: string, position: Position) => Promise<void>
}
