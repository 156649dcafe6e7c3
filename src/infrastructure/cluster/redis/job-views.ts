import type { Job, Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import type { JobName } from '#application/job-data.ts'
import { interruptedWords, type JobState, type JobView } from '#application/kernel/ports/job-queue.ts'

/** BullMQ's places for each state of ours, in the order a job passes through them. */
const places = {
  waiting: ['wait', 'delayed', 'prioritized'],
  running: ['active'],
  done: ['completed'],
  parked: ['failed'],
} as const satisfies Record<JobState, readonly string[]>

/** What BullMQ calls the state of a job that is over or under way; all else waits. */
const stateAt: Readonly<Record<string, JobState>> = { active: 'running', completed: 'done', failed: 'parked' }

/** The state of a job that stands in one of BullMQ's places. */
export const stateOf = (place: string): JobState => stateAt[place] ?? 'waiting'

/** What earlier versions let BullMQ park a job with whose process had ended three times. */
export const formerlyParked = 'job stalled more than allowable limit'

/** BullMQ keeps the time of a delayed job in the upper bits of its score. */
const scorePerMs = 0x1000

/** A job's data is ids by their names. */
type StoredJob = Job<Readonly<Record<string, string>>>

const reasonOf = (job: Job, state: JobState): string | null => {
  if (state === 'done') return null
  if (job.failedReason) return job.failedReason === formerlyParked ? interruptedWords : job.failedReason
  return job.stalledCounter > 0 ? interruptedWords : null
}

const isProgress = (value: unknown): value is { readonly done: number; readonly total: number } =>
  typeof value === 'object' && value !== null && 'done' in value && 'total' in value

const toView = (job: StoredJob, name: JobName, state: JobState, runAt: number | null): JobView => {
  const progress = isProgress(job.progress) ? job.progress : { done: 0, total: 0 }
  return {
    id: job.id ?? '',
    name,
    // The id that a job's data names: its first field. A job about nothing in particular names none.
    subjectId: Object.values(job.data)[0] ?? '',
    state,
    attempts: job.attemptsMade,
    done: progress.done,
    total: progress.total,
    reason: reasonOf(job, state),
    runAt: runAt === null ? null : new Date(runAt).toISOString(),
  }
}

/** When a delayed job's time comes, in ms since 1970. */
export const timeOfScore = (score: string | null): number | null =>
  score === null ? null : Math.floor(Number(score) / scorePerMs)

/** The highest score of a delayed job whose time has come. */
export const scoreUntil = (now: number): number => (now + 1) * scorePerMs - 1

/** A job by its id; null when the queue does not remember it, or in none of its places: nobody would ever take it. */
export const viewOf = async (
  client: Redis,
  queue: Queue,
  name: JobName,
  id: string,
): Promise<JobView | null> => {
  const job = (await queue.getJob(id)) as StoredJob | undefined // data is ids only
  if (!job) return null
  const place = await job.getState()
  if (place === 'unknown') return null
  const state = stateOf(place)
  const score = place === 'delayed' ? await client.zscore(queue.toKey('delayed'), id) : null
  return toView(job, name, state, state === 'waiting' ? (timeOfScore(score) ?? job.timestamp) : null)
}

/** The newest jobs of a kind in some states, found at one moment; with each the time it was made. */
export const viewsIn = async (
  client: Redis,
  queue: Queue,
  name: JobName,
  states: readonly JobState[],
  limit: number,
): Promise<readonly { readonly view: JobView; readonly madeAt: number }[]> => {
  const asked = states.flatMap((state) => places[state].map((place) => ({ state, place })))
  const found: readonly (readonly string[])[] = await queue.getBackend().getRanges(
    asked.map(({ place }) => place),
    0,
    limit - 1,
  )
  const views = asked.flatMap(({ state, place }, n) =>
    (found[n] ?? []).map(async (id) => {
      const [job, score] = await Promise.all([
        queue.getJob(id) as Promise<StoredJob | undefined>, // data is ids only
        place === 'delayed' ? client.zscore(queue.toKey('delayed'), id) : null,
      ])
      // Forgotten meanwhile.
      if (!job) return []
      const due = state === 'waiting' ? (timeOfScore(score) ?? job.timestamp) : null
      return [{ view: toView(job, name, state, due), madeAt: job.timestamp }]
    }),
  )
  return (await Promise.all(views)).flat()
}
