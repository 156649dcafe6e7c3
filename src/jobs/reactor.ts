import { setTimeout as pause } from 'node:timers/promises'
import { CodecError, decodeEvent } from '#application/codec.ts'
import type { Checkpoints } from '#application/ports/checkpoints.ts'
import type { EventStore, RecordedEvent } from '#application/ports/event-store.ts'
import type { JobQueue, NewJob } from '#application/ports/job-queue.ts'
import type { Leases } from '#application/ports/leases.ts'
import { reactionsTo } from '#jobs/reactions.ts'

/** Held by the one worker that leads: reactor, schedules, backups. */
export const reactorLease = 'reactor'
/** The reactor's checkpoint. Not a projection: it has effects, so it is never rebuilt (design 8). */
const checkpointName = 'reactor'
const batch = 500
/** Without a job the checkpoint moves only so often: passing the same events again would make none either. */
const eventsPerMark = 500
const firstWait = 100
const longestWait = 10_000
const placingName = 'reactor-start'
const longestPlacing = 30_000

export interface Reactor {
  /** Ends the loop; what was not enqueued yet is at the next start. */
  readonly stop: () => Promise<void>
}

interface ReactorPorts {
  readonly eventStore: EventStore
  readonly checkpoints: Checkpoints
  readonly leases: Leases
  readonly jobs: JobQueue
  readonly log: { readonly warn: (context: object, message: string) => void }
}

/**
 * Chooses where the reactor begins, once; to be done before anybody can append. In an empty log: at the
 * beginning. A log that is there already without a reactor of its own was moved here by a restore or an import:
 * its jobs were done elsewhere, so it begins at its head. One process at a time, so that none sets it forward.
 */
export const placeReactor = async (
  ports: Pick<ReactorPorts, 'eventStore' | 'checkpoints' | 'leases'>,
): Promise<void> => {
  const { checkpoints } = ports
  if ((await checkpoints.load(checkpointName)) !== null) return
  const lease = await ports.leases.acquire(placingName, AbortSignal.timeout(longestPlacing))
  try {
    if ((await checkpoints.load(checkpointName)) !== null) return
    await checkpoints.save(checkpointName, await ports.eventStore.head())
  } finally {
    await lease.release()
  }
}

/**
 * Puts the reactor behind everything that is in the log: after a restore or an import into a place where it
 * had its place already. What follows from those events was done where they come from.
 */
export const moveReactorToHead = async (
  ports: Pick<ReactorPorts, 'eventStore' | 'checkpoints'>,
): Promise<void> => ports.checkpoints.save(checkpointName, await ports.eventStore.head())

/**
 * Turns events into jobs: reads the log from where it stood last, enqueues, then moves its checkpoint. A
 * crash in between enqueues again under the same ids, which changes nothing. Resolves when it stands in the
 * log: every event appended from then on is seen. When an engine fails it begins again, for ever.
 */
export const startReactor = async (ports: ReactorPorts): Promise<Reactor> => {
  const stopping = new AbortController()
  const { signal } = stopping
  let wait = firstWait
  const follow = async (): Promise<void> => {
    const { position } = (await ports.checkpoints.load(checkpointName)) ?? { position: null }
    let unmarked = 0
    for await (const events of ports.eventStore.subscribe(position, { limit: batch, signal })) {
      const jobs = events.flatMap((recorded) => jobsOf(recorded, ports.log))
      if (jobs.length > 0) await ports.jobs.enqueue(jobs)
      unmarked += events.length
      const last = events.at(-1)
      if (last !== undefined && (jobs.length > 0 || unmarked >= eventsPerMark)) {
        await ports.checkpoints.save(checkpointName, last.position)
        unmarked = 0
      }
      wait = firstWait
    }
  }
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await follow()
      } catch (error) {
        ports.log.warn({ err: error, retryInMs: wait }, 'the reactor begins again where it stood')
        // Rejects only when the wait is cut short by a stop, which ends the loop.
        await pause(wait, undefined, { signal }).catch(() => undefined)
        wait = Math.min(2 * wait, longestWait)
      }
    }
  }
  await placeReactor(ports)
  const ended = run()
  return {
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}

/** The jobs that follow from an event in the log; none from one that cannot be read. */
const jobsOf = (recorded: RecordedEvent, log: ReactorPorts['log']): readonly NewJob[] => {
  try {
    const event = decodeEvent(recorded)
    return event === null ? [] : reactionsTo(event)
  } catch (error) {
    if (!(error instanceof CodecError)) throw error
    // The projections park such an event and report it; here nothing can follow from it.
    log.warn({ err: error, eventId: recorded.id, type: recorded.type }, 'no reaction to an unreadable event')
    return []
  }
}
