import type { Logger } from '#application/kernel/ports/logger.ts'
import { type Checkpoints, reactorCheckpoint } from '#application/kernel/ports/checkpoints.ts'
import type { EventStore, Position } from '#application/kernel/ports/event-store.ts'
import type { EffectLedger, JobName, JobQueue, NewJob } from '#application/kernel/ports/job-queue.ts'
import { reactions } from './reactions.ts'
import { again } from './runtime/again.ts'
import { leftWork, takeUpLeft } from './runtime/left-work.ts'
import { judgeQueue, seenQueue, takeQueue } from './runtime/queue-life.ts'
import { unfinishedWork } from './runtime/unfinished.ts'

const pageOf = 500
const lookEveryMs = 15_000
const retryAfterMs = 2_000
/** What a person waits for, and can be told that it does not come. */
const awaited: readonly JobName[] = ['process-image', 'mail-enquiry']

/** Reads the log for what it shows begun and not ended. @param until read up to here; the whole log unless told */
const readUnfinished = async (
  eventStore: Pick<EventStore, 'readAll'>,
  signal: AbortSignal,
  until?: Position,
): Promise<{ readonly jobs: readonly NewJob[]; readonly readUpTo: Position | null }> => {
  const work = unfinishedWork(reactions)
  let position: Position | null = null
  for (;;) {
    signal.throwIfAborted()
    const events = await eventStore.readAll(position, pageOf)
    for (const event of events) {
      if (until !== undefined && event.position > until) return { jobs: work.jobs(), readUpTo: position }
      work.see(event)
      ;({ position } = event)
    }
    if (events.length === 0) return { jobs: work.jobs(), readUpTo: position }
  }
}

/** The work that the log shows begun and not ended. */
export const unfinishedIn = async (
  eventStore: Pick<EventStore, 'readAll'>,
  signal: AbortSignal,
): Promise<readonly NewJob[]> => (await readUnfinished(eventStore, signal)).jobs

/**
 * The jobs of images and messages that are begun and not ended in the log, and that the queue knows nothing of:
 * nobody will do them. What the reactor has not come to yet, or has left for want of room, is not among them.
 */
export const lostJobs = async (
  ports: { readonly eventStore: Pick<EventStore, 'readAll'> } & {
    readonly checkpoints: Pick<Checkpoints, 'load'>
    readonly effects: Pick<EffectLedger, 'find'>
    readonly jobs: Pick<JobQueue, 'find'>
  },
  signal: AbortSignal,
): Promise<readonly NewJob[]> => {
  const place = (await ports.checkpoints.load(reactorCheckpoint))?.position ?? null
  const left = await leftWork(ports.effects)
  const until = left === null ? place : left.from
  if (until === null) return []
  const begun = new Set((await readUnfinished(ports.eventStore, signal, until)).jobs.map(({ id }) => id))
  const lost: NewJob[] = []
  // The reactor's place moves with jobs alone: what ended them may stand behind it.
  for (const job of await unfinishedIn(ports.eventStore, signal)) {
    if (begun.has(job.id) && awaited.includes(job.name) && (await ports.jobs.find(job.id)) === null)
      lost.push(job)
  }
  return lost
}

interface WatchPorts {
  readonly eventStore: Pick<EventStore, 'readAll'>
  readonly checkpoints: Pick<Checkpoints, 'load'>
  readonly effects: Pick<EffectLedger, 'find' | 'replace'>
  readonly jobs: Pick<JobQueue, 'memory' | 'begin' | 'enqueue' | 'open'>
  readonly log: Pick<Logger, 'warn'>
  /** how many open jobs of a kind are enough; see `left-work.ts` */
  readonly mostOpen?: number
  /** how often the queue is looked at, in ms */
  readonly everyMs?: number
  /** aborted when looking is of no use any more */
  readonly signal?: AbortSignal
}

/**
 * Queues the unfinished work anew when the queue is not the one that was seen last, or is an older copy of it; else what was
 * left for want of room.
 */
const look = async (ports: WatchPorts, signal: AbortSignal): Promise<void> => {
  const { checkpoints, effects, jobs, log } = ports
  const place = (await checkpoints.load(reactorCheckpoint))?.position ?? null
  const state = judgeQueue(await jobs.memory(), await seenQueue(effects), place)
  if (state === 'same') return takeUpLeft({ ...ports, reactions }, signal)
  let queued = place
  if (state === 'other') {
    const { jobs: work, readUpTo } = await readUnfinished(ports.eventStore, signal)
    await jobs.enqueue(work)
    log.warn(
      { jobs: work.length },
      'The job queue lost what it held: the work that the log shows begun and not ended is queued anew',
    )
    // The reactor may have gone on, as it does on a queue that was emptied.
    queued = readUpTo
  }
  // Last: whoever is stopped before begins again, and the same jobs change nothing.
  await takeQueue(ports, queued)
}

/**
 * Looks now and then whether the queue still is what it was, while this process leads the work. The reactor's place
 * and the jobs may stand on two servers: when the one with the jobs is emptied or put back from an older copy, the
 * events behind that place make none any more. Resolves after the first look, which is to come before the reactor.
 */
export const startQueueWatch = async (ports: WatchPorts): Promise<{ readonly stop: () => Promise<void> }> => {
  let isTold = false
  const lookOnce = async (signal: AbortSignal): Promise<number> => {
    const wait = ports.everyMs ?? lookEveryMs
    try {
      await look(ports, signal)
      isTold = false
      return wait
    } catch (error) {
      if (!isTold && !signal.aborted)
        ports.log.warn({ err: error }, 'the job queue cannot be looked at; trying again')
      isTold = true
      return Math.min(wait, retryAfterMs)
    }
  }
  const { signal = new AbortController().signal } = ports
  return again(lookOnce, await lookOnce(signal), signal)
}
