import { CodecError, decodeEvent } from '#application/codec.ts'
import type { Checkpoints } from '#application/ports/checkpoints.ts'
import type { EventStore, Position } from '#application/ports/event-store.ts'
import type { JobQueue, NewJob } from '#application/ports/job-queue.ts'
import { reactionsTo } from '#jobs/reactions.ts'

/** The reactor's checkpoint. Not a projection: it has effects, so it is never rebuilt (design 8). */
const checkpointName = 'reactor'
const batch = 500

export interface Reactor {
  /** Resolves when the loop has ended; rejects with what ended it other than `stop`. */
  readonly ended: Promise<void>
  readonly stop: () => Promise<void>
}

interface ReactorPorts {
  readonly eventStore: EventStore
  readonly checkpoints: Checkpoints
  readonly jobs: JobQueue
  readonly log: { readonly warn: (context: object, message: string) => void }
}

/**
 * Where the reactor begins. In an empty log: at the beginning. A log that is there already without a reactor
 * of its own was moved here by a restore or an import: its jobs were done elsewhere, so begin at its head.
 */
const beginning = async (ports: ReactorPorts): Promise<Position | null> => {
  const known = await ports.checkpoints.load(checkpointName)
  if (known !== null) return known.position
  const head = await ports.eventStore.head()
  await ports.checkpoints.save(checkpointName, head)
  return head
}

/**
 * Turns events into jobs: reads the log from where it stood last, enqueues, then moves its checkpoint. A
 * crash in between enqueues again under the same ids, which changes nothing.
 */
export const startReactor = async (ports: ReactorPorts): Promise<Reactor> => {
  const after = await beginning(ports)
  const stopping = new AbortController()
  const run = async (): Promise<void> => {
    for await (const events of ports.eventStore.subscribe(after, { limit: batch, signal: stopping.signal })) {
      const jobs: NewJob[] = []
      for (const recorded of events) {
        try {
          const event = decodeEvent(recorded)
          if (event !== null) jobs.push(...reactionsTo(event))
        } catch (error) {
          if (!(error instanceof CodecError)) throw error
          // The projections park such an event and report it; here nothing can follow from it.
          ports.log.warn(
            { err: error, eventId: recorded.id, type: recorded.type },
            'no reaction to an unreadable event',
          )
        }
      }
      if (jobs.length > 0) await ports.jobs.enqueue(jobs)
      const last = events.at(-1)
      if (last !== undefined) await ports.checkpoints.save(checkpointName, last.position)
    }
  }
  const ended = run()
  // Whoever started the reactor awaits `ended`; until then a failure must not count as unhandled.
  ended.catch(() => {})
  return {
    ended,
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}
