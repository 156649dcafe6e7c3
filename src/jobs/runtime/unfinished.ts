import { CodecError, decodeData } from '#application/kernel/codec.ts'
import type { NewJob } from '#application/kernel/ports/job-queue.ts'
import type { NewEvent } from '#application/kernel/ports/event-store.ts'
import type { Reactions } from './reaction.ts'

/**
 * Finds the work that a log shows begun and not ended, as the log goes by: what a site that was moved here has
 * to go on with. Its other events were reacted to where it comes from.
 */
export const unfinishedWork = (
  reactions: Reactions,
): {
  readonly see: (event: NewEvent & { readonly stream: string }) => void
  readonly jobs: () => readonly NewJob[]
} => {
  const open = new Map<string, readonly NewJob[]>()
  return {
    see: ({ id, stream, type, schemaVersion, meta, data }) => {
      if (reactions.ends(type)) open.delete(stream)
      if (!reactions.begins(type)) return
      try {
        const event = decodeData(type, schemaVersion, data)
        const jobs = event === null ? [] : reactions.to({ ...event, id, stream, meta })
        if (jobs.length > 0) open.set(stream, jobs)
      } catch (error) {
        // Nothing can follow from an event that nobody can read; the projections park and report it.
        if (!(error instanceof CodecError)) throw error
      }
    },
    jobs: () => [...open.values()].flat(),
  }
}
