import { type Checkpoints, reactorCheckpoint } from '#application/kernel/ports/checkpoints.ts'
import type { EventStore, Position } from '#application/kernel/ports/event-store.ts'
import { imageJobs, type JobName } from '#application/job-data.ts'
import type { EffectLedger, JobQueue, NewJob } from '#application/kernel/ports/job-queue.ts'
import { rarely, type TroubleLog } from '#application/kernel/rarely.ts'
import { reactions } from './reactions.ts'
import { again } from './runtime/again.ts'
import { leftWork, takeUpLeft } from './runtime/left-work.ts'
import { anewUpTo, goOnQueueing, queueAnew, queuePassedOver, readBegun } from './runtime/queue-anew.ts'
import { judgeQueue, seenQueue, takeQueue } from './runtime/queue-life.ts'

const lookEveryMs = 15_000
const retryAfterMs = 2_000
/** What a person waits for, and can be told that it does not come. */
const awaited: readonly JobName[] = [...imageJobs, 'mail-enquiry']

/**
 * The jobs of images and messages that are begun and not ended in the log, and that the queue knows nothing of, or as done:
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
  const [left, anew] = await Promise.all([leftWork(ports.effects), anewUpTo(ports.effects)])
  const ends = [left === null ? place : left.from, anew ?? place].map((end) => end ?? '')
  const [until = ''] = ends.toSorted()
  // The reactor's place moves with jobs alone: what ended them may stand behind it.
  const open = async (): Promise<readonly NewJob[]> =>
    (await readBegun({ ...ports, reactions }, signal)).begun
      .filter(({ position }) => position <= until)
      .flatMap(({ jobs }) => jobs.filter(({ name }) => awaited.includes(name)))
  const lost = new Set<string>()
  for (const { id } of await open()) {
    const found = await ports.jobs.find(id)
    if (found === null || found.state === 'done') lost.add(id)
  }
  // One that ended since the log was read said so there first, and may be forgotten already.
  return lost.size === 0 ? [] : (await open()).filter(({ id }) => lost.has(id))
}

const lostInWords =
  'The job queue lost what it held: the work that the log shows begun and not ended is queued anew'
/** What one site takes out of a queue is done for nobody at another. */
const takenInWords =
  'The job queue was begun by somebody else: the work that the log shows begun and not ended is queued anew. Where this is said ' +
  'again and again, another site works on it too and takes letters and images out of it: give each its own NAMESPACE, then run ' +
  '"atelier jobs resume"'

interface WatchPorts {
  readonly eventStore: Pick<EventStore, 'readAll'>
  readonly checkpoints: Pick<Checkpoints, 'load'>
  readonly effects: Pick<EffectLedger, 'find' | 'replace'>
  readonly jobs: Pick<JobQueue, 'memory' | 'begin' | 'reached' | 'enqueue' | 'open'>
  readonly log: TroubleLog
  /** how many open jobs of a kind are enough; see `left-work.ts` */
  readonly mostOpen?: number
  /** how often the queue is looked at, in ms */
  readonly everyMs?: number
  /** aborted when looking is of no use any more */
  readonly signal?: AbortSignal
}

/**
 * Queues the unfinished work anew when the queue is not the one that was seen last, or is an older copy of it; else what an older
 * version has passed over, and goes on with what there was no room for.
 * @param own the word that this process gave the queue last: where what follows fails, nobody else has begun it
 */
const look = async (ports: WatchPorts, own: { life: string | null }, signal: AbortSignal): Promise<void> => {
  const { checkpoints, effects, jobs, log } = ports
  const place = (await checkpoints.load(reactorCheckpoint))?.position ?? null
  const memory = await jobs.memory()
  const seen = await seenQueue(effects)
  const state = judgeQueue(memory, seen, place)
  if (state === 'same') {
    await queuePassedOver({ ...ports, reactions }, signal)
    await goOnQueueing({ ...ports, reactions }, signal)
    return takeUpLeft({ ...ports, reactions }, signal)
  }
  const isOurs = memory === null || memory.life === seen || memory.life === own.life
  const begin = async (queued: Position | null): Promise<string> => {
    own.life = await jobs.begin(queued)
    return own.life
  }
  await takeQueue({ effects, jobs: { begin } }, place, async () => {
    if (state === 'new') return
    const { jobs: count, readUpTo } = await queueAnew({ ...ports, reactions }, signal)
    log.warn({ jobs: count }, isOurs ? lostInWords : takenInWords)
    // The reactor may have gone on, as it does on a queue that was emptied.
    if (readUpTo !== null) await jobs.reached(place, readUpTo)
  })
}

/**
 * Looks now and then whether the queue still is what it was, while this process leads the work. The reactor's place
 * and the jobs may stand on two servers: when the one with the jobs is emptied or put back from an older copy, the
 * events behind that place make none any more. Resolves after the first look, which is to come before the reactor.
 */
export const startQueueWatch = async (ports: WatchPorts): Promise<{ readonly stop: () => Promise<void> }> => {
  const troubles = rarely(ports.log)
  const own: { life: string | null } = { life: null }
  const lookOnce = async (signal: AbortSignal): Promise<number> => {
    const wait = ports.everyMs ?? lookEveryMs
    try {
      await look(ports, own, signal)
      troubles.right('The job queue can be looked at again')
      return wait
    } catch (error) {
      if (!signal.aborted)
        troubles.wrong('queue', { err: error }, 'the job queue cannot be looked at; trying again')
      return Math.min(wait, retryAfterMs)
    }
  }
  const { signal = new AbortController().signal } = ports
  return again(lookOnce, await lookOnce(signal), signal)
}
