import { CodecError, decodeData } from '#application/kernel/codec.ts'
import type { NewJob } from '#application/kernel/ports/job-queue.ts'
import type { Position, RecordedEvent } from '#application/kernel/ports/event-store.ts'
import type { Reactions } from './reaction.ts'

/** An event whose work has not ended. */
export interface Begun {
  readonly position: Position
  readonly jobs: readonly NewJob[]
}

/** Finds the work that a log shows begun and not ended, as the log goes by. */
export const unfinishedWork = (
  reactions: Reactions,
): {
  readonly see: (event: RecordedEvent) => void
  /** in the log's order */
  readonly begun: () => readonly Begun[]
} => {
  const open = new Map<string, Begun>()
  return {
    see: ({ id, stream, type, schemaVersion, meta, data, position }) => {
      if (reactions.ends(type)) open.delete(stream)
      if (!reactions.begins(type)) return
      try {
        const event = decodeData(type, schemaVersion, data)
        const jobs = event === null ? [] : reactions.to({ ...event, id, stream, meta })
        if (jobs.length === 0) return
        open.delete(stream)
        open.set(stream, { position, jobs })
      } catch (error) {
        // Nothing can follow from an event that nobody can read; the projections park and report it.
        if (!(error instanceof CodecError)) throw error
      }
    },
    begun: () => [...open.values()],
  }
}
