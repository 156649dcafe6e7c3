import { rarely, type TroubleLog } from '#application/kernel/rarely.ts'
import { reasonOf } from '#application/kernel/reason.ts'
import { isOutage } from '#application/kernel/outage.ts'
import type { JobData, JobName } from '#application/job-data.ts'
import {
  type countOutages,
  type JobHandler,
  type JobHandlers,
  type JobState,
  Unrecoverable,
} from '#application/kernel/ports/job-queue.ts'
import { within } from '#application/kernel/within.ts'

/** When a job is tried once more whose handler could not be told that it is parked, in ms. */
export const parkRetryMs = 60_000
/** How long aborted handlers have to end, in ms. */
const lastWordsMs = 1_000
/** Of the log, before its first event: sorts before every place in it. */
export const beginning = ''

export const everyState: readonly JobState[] = ['waiting', 'running', 'done', 'parked']

/** A handler of any kind, fed with the data that was stored for that kind. */
export type AnyHandler = JobHandler<JobName>

// The rows of a kind hold the data of that kind, which the compiler cannot follow through the table.
export const handlersOf = (given: JobHandlers): readonly (readonly [JobName, AnyHandler])[] =>
  Object.entries(given) as unknown as [JobName, AnyHandler][]

/** The data of a job as its kind stored it, and whether a person asked for it again. */
export const carriedIn = (
  stored: unknown,
): { readonly data: Parameters<AnyHandler['run']>[0]; readonly again: boolean } => {
  const { again = false, ...data } = stored as { again?: boolean } & JobData[JobName] // as it was added
  return { data, again }
}

/** How a job goes on whose run threw: after a wait in ms, as the next try or as the same, or not. */
export type AfterFailure =
  | { readonly goesOn: 'put off' | 'again'; readonly waitMs: number }
  | { readonly goesOn: 'not' }

export const afterFailure = (
  handler: AnyHandler,
  outages: ReturnType<typeof countOutages>,
  { id, attempt }: { readonly id: string; readonly attempt: number },
  thrown: unknown,
): AfterFailure => {
  if (isOutage(thrown)) return { goesOn: 'put off', waitMs: outages.met(id) }
  outages.over(id)
  const waitMs = thrown instanceof Unrecoverable ? null : handler.backoff(attempt)
  return waitMs === null ? { goesOn: 'not' } : { goesOn: 'again', waitMs }
}

/** Tells why a job waits. @param words what is said of it, where that is not that the site cannot work */
export type TellOfWait = (
  of: { readonly job: string; readonly id: string; readonly waitMs: number },
  thrown: unknown,
  words?: string,
) => void

/**
 * Tells of what keeps jobs waiting: hundreds may wait for days for room on the disk, each of them tried every few minutes, and
 * the log may lie on that disk.
 */
export const tellingOfWaits = (log: TroubleLog): TellOfWait => {
  const troubles = rarely(log)
  return ({ job, id, waitMs }, thrown, words = 'A job waits until the site can work again') => {
    // Ports, sizes and the like differ from one try to the next, and are no other trouble.
    const reason = reasonOf(thrown).replaceAll(/\d+/g, '')
    troubles.wrong(`${words} ${job} ${reason}`, { job, id, waitMs, err: thrown }, words)
  }
}

/** Tells a handler that its job is about to be parked. @returns false when it could not be told: then that waits */
export const tellParked = async (
  handler: AnyHandler,
  job: { readonly id?: string | undefined; readonly name: string },
  stored: () => unknown,
  reason: string,
  tellOfWait: TellOfWait,
): Promise<boolean> => {
  try {
    await handler.parked?.(carriedIn(stored()).data, reason)
    return true
  } catch (error) {
    const waits = { job: job.name, id: job.id ?? '', waitMs: parkRetryMs }
    tellOfWait(waits, error, 'What a job has to end could not be ended; it is tried again')
    return false
  }
}

/** Waits for jobs to end: so long by themselves, then a moment more once they are told to. */
export const letEnd = async (
  ends: Promise<unknown>,
  graceMs: number,
  stopping: AbortController,
): Promise<void> => {
  await within(ends, graceMs, () => undefined)
  stopping.abort(new Error('The server is stopping'))
  await within(ends, lastWordsMs, () => undefined)
}

/** Calls once, however often it is asked to in one turn of the event loop. */
export const oncePerTurn = (call: () => void): (() => void) => {
  let isDue = false
  return () => {
    if (isDue) return
    isDue = true
    setImmediate(() => {
      isDue = false
      call()
    })
  }
}
