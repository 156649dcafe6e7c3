import type { Logger } from '#application/kernel/ports/logger.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { rarely } from '#application/kernel/rarely.ts'
import { asError } from '#application/kernel/reason.ts'
import { DelayedError, type Job, UnrecoverableError, WaitingError, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import {
  afterInterruption,
  countOutages,
  interruptedWords,
  type JobContext,
  type JobName,
} from '#application/kernel/ports/job-queue.ts'
import { afterFailure, type AnyHandler, carriedIn, isTold, parkRetryMs } from '../../job-runs.ts'

const retryAfterMs = 5_000
const workRetryMs = 500
/** Whatever goes wrong comes again sooner. */
const quietMs = 3 * retryAfterMs
/** Beside BullMQ's own fields of a job: after how many of its interruptions it has waited. */
export const waitedField = 'atelier-waited'

/** What takes jobs and runs them, of every kind that this process works on. */
export interface JobWorkers {
  /** Begins to take jobs of a kind; goes on by itself after whatever breaks off, until the end. */
  readonly start: (kind: JobName, handler: AnyHandler, connection: Redis) => void
  /** Takes no more jobs; resolves once those that run have ended. */
  readonly end: () => Promise<unknown>
}

/**
 * @param options.client for single questions; closed by its owner
 * @param options.lockedMs how soon a job of a killed process is run again
 * @param options.stopping aborted for jobs that did not end by themselves
 * @param options.changed is called when a job stands otherwise
 */
export const openJobWorkers = (options: {
  readonly client: Redis
  readonly prefix: string
  readonly log: Logger
  readonly lockedMs: number
  readonly stopping: AbortSignal
  readonly changed: () => void
}): JobWorkers => {
  const { client, prefix, log, lockedMs, stopping, changed } = options
  /** how long to wait after a failure of a job */
  const waits = new WeakMap<Error, number>()
  const outages = countOutages()
  const workers: Worker[] = []
  const troubles = rarely(log)
  let quiet: NodeJS.Timeout | undefined
  let closing = false

  /** Every worker says the same of a server that is full, and all of them again and again. */
  const tellTrouble = (job: JobName, error: Error): void => {
    const [what = ''] = error.message.split(' ', 1)
    troubles.wrong(what, { job, err: error }, 'Working on jobs met an error and goes on')
    clearTimeout(quiet)
    quiet = setTimeout(() => troubles.right('Working on jobs meets no error any more'), quietMs).unref()
  }

  /** Ends this taking of a job without counting a try; it is taken again after a wait. */
  const putOff = async (job: Job, token: string | undefined, ms: number): Promise<never> => {
    await job.moveToDelayed(Date.now() + ms, token)
    changed()
    throw new DelayedError()
  }

  /** Parks a job once its handler has been told, and not before. */
  const park = async (
    job: Job,
    token: string | undefined,
    handler: AnyHandler,
    reason: string,
  ): Promise<never> => {
    if (await isTold(handler, job, () => job.data, reason, log)) throw new UnrecoverableError(reason)
    return putOff(job, token, parkRetryMs)
  }

  /** Lets a job wait that comes from a process which ended, once for each time. */
  const waitAfterInterruption = async (
    job: Job,
    token: string | undefined,
    handler: AnyHandler,
    key: string,
  ): Promise<void> => {
    const times = job.stalledCounter
    if (times <= Number((await client.hget(key, waitedField)) ?? 0)) return
    const wait = (handler.afterInterruption ?? afterInterruption)(times)
    if (wait === null) return park(job, token, handler, interruptedWords)
    await client.hset(key, waitedField, times)
    await putOff(job, token, wait)
  }

  const contextOf = (job: Job, again: boolean): JobContext => ({
    id: job.id ?? '',
    attempt: job.attemptsMade + 1,
    apart: job.stalledCounter > 0,
    again,
    signal: stopping,
    progress: (done, total) => {
      job.updateProgress({ done, total }).then(changed, () => undefined)
    },
  })

  /** -1 would park the job, which only `park` may do. */
  const waitAfter = (error: Error | undefined): number => (error && waits.get(error)) ?? parkRetryMs

  const run = async (
    job: Job,
    token: string | undefined,
    handler: AnyHandler,
    key: string,
  ): Promise<void> => {
    changed()
    await waitAfterInterruption(job, token, handler, key)
    const { data, again } = carriedIn(job.data)
    const context = contextOf(job, again)
    const { id } = context
    try {
      await handler.run(data, context)
      outages.over(id)
    } catch (error) {
      if (stopping.aborted) {
        await job.moveToWait(token)
        throw new WaitingError()
      }
      const failure = asError(error)
      const next = afterFailure(handler, outages, context, failure)
      if (next.goesOn === 'put off') {
        const { waitMs } = next
        log.warn({ job: job.name, id, waitMs, err: failure }, 'A job waits until the site can work again')
        // Where BullMQ keeps why a try failed.
        await client.hset(key, 'failedReason', failure.message)
        return putOff(job, token, waitMs)
      }
      if (next.goesOn === 'not') return park(job, token, handler, failure.message)
      waits.set(failure, next.waitMs)
      throw failure
    }
  }

  const startWorker = (kind: JobName, handler: AnyHandler, connection: Redis): Worker => {
    const worker: Worker = new Worker(
      kind,
      (job, token) => run(job, token, handler, worker.toKey(job.id ?? '')),
      {
        connection,
        prefix,
        autorun: false,
        concurrency: handler.concurrency ?? 1,
        lockDuration: lockedMs,
        stalledInterval: Math.ceil(lockedMs / 3),
        // The death of a process is not the job's fault: it comes back without an end.
        maxStalledCount: Number.MAX_SAFE_INTEGER,
        // BullMQ's own 15 s would be added to every absence of the server.
        runRetryDelay: workRetryMs,
        settings: { backoffStrategy: (_failedAttempts, _type, error) => waitAfter(error) },
      },
    )
    worker.on('completed', changed)
    worker.on('failed', (job, error) => {
      changed()
      const details = { job: kind, id: job?.id, attempt: job?.attemptsMade, err: error }
      if (job?.finishedOn === undefined) log.warn(details, 'A job failed and will be tried again')
      else log.error(details, 'A job failed for good and is parked')
    })
    worker.on('stalled', (id) => {
      changed()
      log.warn({ job: kind, id }, 'A job that was running when its server ended is run again')
    })
    let isLooking = true
    worker.on('error', (error) => {
      if (closing) return
      tellTrouble(kind, error)
      if (!isLooking) return
      // An error ends BullMQ's look-out for jobs of killed processes.
      isLooking = false
      setTimeout(() => {
        isLooking = true
        if (!closing) void worker.startStalledCheckTimer()
      }, retryAfterMs).unref()
    })
    void keepRunning(worker, kind)
    return worker
  }

  const keepRunning = async (worker: Worker, kind: JobName): Promise<void> => {
    while (!closing) {
      try {
        await worker.run()
      } catch (error) {
        if (closing) return
        log.error({ job: kind, err: error }, 'Working on jobs broke off; beginning again')
        await pause(retryAfterMs, undefined, { ref: false })
      }
    }
  }

  return {
    start: (kind, handler, connection) => void workers.push(startWorker(kind, handler, connection)),
    end: () => {
      closing = true
      clearTimeout(quiet)
      return Promise.allSettled(workers.map((worker) => worker.close()))
    },
  }
}
