import type { NewJob } from '#application/kernel/ports/job-queue.ts'
import type { Position, RecordedEvent } from '#application/kernel/ports/event-store.ts'
import { jobsOf, type Reactions } from './reaction.ts'

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
    see: (recorded) => {
      const { stream, type, position } = recorded
      if (reactions.ends(type)) open.delete(stream)
      if (!reactions.begins(type)) return
      const jobs = jobsOf(recorded, reactions)
      if (jobs.length === 0) return
      open.delete(stream)
      open.set(stream, { position, jobs })
    },
    begun: () => [...open.values()],
  }
}
