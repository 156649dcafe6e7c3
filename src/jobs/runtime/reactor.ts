import type { Logger } from '#application/kernel/ports/logger.ts'
import { retry } from '#application/kernel/retry.ts'
import { type Checkpoints, reactorCheckpoint } from '#application/kernel/ports/checkpoints.ts'
import type { EventStore } from '#application/kernel/ports/event-store.ts'
import type { EffectLedger, JobQueue } from '#application/kernel/ports/job-queue.ts'
import type { Leases } from '#application/kernel/ports/leases.ts'
import { underLeaseWithin } from '#application/kernel/turns.ts'
import { untilStopped } from '#application/kernel/until-stopped.ts'
import { forgetLeft, jobsOrWarning, whatFits } from './left-work.ts'
import { forgetPassedOver, notePassedOver } from './passed-over.ts'
import { forgetAnew } from './queue-anew.ts'
import { takeQueue } from './queue-life.ts'
import type { Reactions } from './reaction.ts'

/** Held by the one worker that leads: reactor, schedules, backups. */
export const reactorLease = 'reactor'
const batch = 500
/** Without a job the checkpoint moves only so often: passing the same events again would make none either. */
const eventsPerCheckpoint = 500
const pauses = { firstMs: 100, longestMs: 10_000 }
const placingName = 'reactor-start'
const longestPlacing = 30_000
/** What stands beside it is gone, too: a new place would make an emptied server look like one that is whole. */
const placeGone = 'The place up to which events have made their jobs is gone'

interface ReactorPorts {
  readonly eventStore: EventStore
  readonly checkpoints: Checkpoints
  readonly leases: Leases
  readonly effects: Pick<EffectLedger, 'find' | 'replace'>
  readonly jobs: Pick<JobQueue, 'enqueue' | 'open' | 'reached'>
  readonly reactions: Reactions
  readonly log: Pick<Logger, 'warn'>
  /** how many open jobs of a kind are enough; see `left-work.ts` */
  readonly mostOpen?: number
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
  if ((await checkpoints.load(reactorCheckpoint)) !== null) return
  await underLeaseWithin(ports.leases, placingName, longestPlacing, async () => {
    if ((await checkpoints.load(reactorCheckpoint)) !== null) return
    await checkpoints.place(reactorCheckpoint, await ports.eventStore.head())
  })
}

/**
 * Puts the reactor behind everything that is in the log: after a restore or an import into a place where it
 * had its place already. What follows from those events was done where they come from.
 * @param fill queues before that what was not: once the reactor has its place nothing shows that it is to be done
 */
export const moveReactorToHead = async (
  ports: Pick<ReactorPorts, 'eventStore' | 'checkpoints'> & {
    readonly effects: EffectLedger
    readonly jobs: JobQueue
  },
  fill: () => Promise<unknown> = async () => undefined,
): Promise<void> => {
  const head = await ports.eventStore.head()
  // The queue first: one that knows less than the reactor's place has lost jobs, and would get them anew.
  await takeQueue(ports, head)
  await forgetLeft(ports.effects)
  await forgetAnew(ports.effects)
  await forgetPassedOver(ports.effects)
  await fill()
  await ports.checkpoints.place(reactorCheckpoint, head)
}

/**
 * Turns events into jobs: reads the log from where it stood last, enqueues, notes in the queue how far, then moves
 * its checkpoint: a queue that knows less than the checkpoint is an older copy (ADR 34). A crash in between enqueues
 * again under the same ids, which changes nothing. What the queue has no room for is left in the log and noted
 * (`left-work.ts`), and so is what only a newer version of the program knows (`passed-over.ts`). When an engine fails it begins again, for ever.
 */
export const startReactor = (ports: ReactorPorts) => {
  const follow = async (signal: AbortSignal, gotOn: () => void): Promise<never> => {
    const place = await ports.checkpoints.load(reactorCheckpoint)
    // From the beginning it would do anew whatever was ever done.
    if (place === null) throw new Error(placeGone)
    let { position } = place
    let passed = 0
    for await (const events of ports.eventStore.subscribe(position, { limit: batch, signal })) {
      const last = events.at(-1)
      if (last === undefined) continue
      const wanted = events.flatMap((recorded) => jobsOrWarning(recorded, ports))
      const jobs =
        wanted.length === 0 ? [] : await whatFits(ports, wanted, { from: position, to: last.position })
      if (jobs.length > 0) await ports.jobs.enqueue(jobs)
      await notePassedOver(ports, position ?? '', events)
      passed += events.length
      if (wanted.length > 0 || passed >= eventsPerCheckpoint) {
        if (!(await ports.jobs.reached(position, last.position))) {
          throw new Error('The job queue has lost jobs; those are queued anew first')
        }
        // The queue may have been replaced by an older copy between the first enqueue and the note: the note then hides that
        // these jobs are gone, so they are enqueued again. A copy that is put back after the note is seen by it.
        if (jobs.length > 0) await ports.jobs.enqueue(jobs)
        if (!(await ports.checkpoints.save(reactorCheckpoint, last.position))) throw new Error(placeGone)
        ;({ position } = last)
        passed = 0
      }
      gotOn()
    }
    signal.throwIfAborted()
    throw new Error('The subscription to the log ended')
  }
  // Nothing but the stop ends it; what was not enqueued by then is at the next start.
  const { stop } = untilStopped((signal) =>
    retry((gotOn) => follow(signal, gotOn), {
      ...pauses,
      signal,
      onFailure: (error, retryInMs) =>
        ports.log.warn({ err: error, retryInMs }, 'the reactor begins again where it stood'),
    }).catch(() => undefined),
  )
  return { stop }
}
