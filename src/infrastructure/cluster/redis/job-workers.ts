import { pause } from '#application/kernel/retry.ts'
import type { Logger } from '#application/kernel/ports/logger.ts'
import { rarely } from '#application/kernel/rarely.ts'
import { asError } from '#application/kernel/reason.ts'
import { DelayedError, type Job, UnrecoverableError, WaitingError, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import type { JobName } from '#application/job-data.ts'
import {
  afterInterruption,
  countOutages,
  interruptedWords,
  type JobContext,
} from '#application/kernel/ports/job-queue.ts'
import {
  afterFailure,
  type AnyHandler,
  carriedIn,
  tellParked,
  tellingOfWaits,
  parkRetryMs,
} from '../../job-runs.ts'

const retryAfterMs = 5_000
const workRetryMs = 500
/** Whatever goes wrong comes again sooner. */
const quietMs = 3 * retryAfterMs
/** Beside BullMQ's own fields of a job: after how many of its interruptions it has waited. */
export const waitedField = 'atelier-waited'
/** The same: how many had been when somebody asked for it again, from when on they are counted anew. */
export const forgivenField = 'atelier-forgiven'

/** A record that is made of a note alone would stand in no list, and in the way of the same job for ever. */
const noteInRecord = `
  if redis.call('exists', KEYS[1]) == 1 then redis.call('hset', KEYS[1], unpack(ARGV)) end`

/**
 * Notes something with a job, unless its record is gone: the server may have been emptied under it.
 * @param key where BullMQ keeps the job
 */
export const noteWith = async (
  client: Redis,
  key: string,
  notes: Readonly<Record<string, string | number>>,
): Promise<void> => {
  await client.eval(noteInRecord, 1, key, ...Object.entries(notes).flat())
}

/** Where the queue keeps the word that stands for all that it holds. */
export const lifeKeyOf = (prefix: string): string => `${prefix}:life`

interface WorkerOptions {
  /** for single questions; closed by its owner */
  readonly client: Redis
  readonly prefix: string
  readonly log: Logger
  /** how soon a job of a killed process is run again */
  readonly lockedMs: number
  /** aborted for jobs that did not end by themselves */
  readonly stopping: AbortSignal
  /** is called when a job stands otherwise */
  readonly changed: () => void
}

/** A job in the hands of a worker. */
interface Taken {
  readonly job: Job
  readonly token: string | undefined
  readonly handler: AnyHandler
  /** where BullMQ keeps the job */
  readonly key: string
}

/** Runs a job that was taken; resolves or throws as BullMQ has to hear how it ended. */
const jobRunner = ({ client, prefix, log, stopping, changed }: WorkerOptions) => {
  /** how long to wait after a failure of a job */
  const waits = new WeakMap<Error, number>()
  const outages = countOutages()
  const tellOfWait = tellingOfWaits(log)

  /** Ends this taking of a job without counting a try; it is taken again after a wait. */
  const putOff = async ({ job, token }: Taken, ms: number): Promise<never> => {
    await job.moveToDelayed(Date.now() + ms, token)
    changed()
    throw new DelayedError()
  }

  /** Parks a job once its handler has been told, and not before. */
  const park = async (taken: Taken, reason: string): Promise<never> => {
    const { job, handler } = taken
    if (await tellParked(handler, job, () => job.data, reason, tellOfWait))
      throw new UnrecoverableError(reason)
    return putOff(taken, parkRetryMs)
  }

  const waitFor = async (taken: Taken, times: number): Promise<void> => {
    const { handler, key } = taken
    const [waited = 0, forgiven = 0] = (await client.hmget(key, waitedField, forgivenField)).map(Number)
    if (times <= waited) return
    const wait = (handler.afterInterruption ?? afterInterruption)(times - forgiven)
    if (wait === null) return park(taken, interruptedWords)
    await noteWith(client, key, { [waitedField]: times })
    await putOff(taken, wait)
  }

  /** Lets a job wait that comes from a process which ended, once for each time. */
  const waitAfterInterruption = async (taken: Taken): Promise<void> => {
    const { job } = taken
    if (job.stalledCounter === 0) return
    try {
      await waitFor(taken, job.stalledCounter)
    } catch (error) {
      if (error instanceof DelayedError || error instanceof UnrecoverableError) throw error
      // That Redis cannot say it is no try of the job.
      const waits = { job: job.name, id: job.id ?? '', waitMs: parkRetryMs }
      tellOfWait(waits, error, 'A job waits until it can be told how often it has waited')
      await putOff(taken, parkRetryMs)
    }
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

  /**
   * Lets go of what is left of a job whose record the server has thrown away: every job names ids. Whoever looks at the queue
   * finds that it has lost jobs, and queues the unfinished ones anew.
   */
  const tellLost = async (job: Job): Promise<void> => {
    // Its kind is gone as well; the id begins with it.
    log.warn(
      { id: job.id },
      'Redis has thrown away what a job was about: set maxmemory-policy noeviction there',
    )
    // What is left of it would stand in the way of the same job.
    job.opts.removeOnComplete = true
    await client.del(lifeKeyOf(prefix))
  }

  const run = async (taken: Taken): Promise<void> => {
    const { job, token, handler, key } = taken
    changed()
    if (Object.keys(job.data).length === 0) return tellLost(job)
    await waitAfterInterruption(taken)
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
        tellOfWait({ job: job.name, id, waitMs }, failure)
        // Where BullMQ keeps why a try failed. That Redis takes no note of it makes it no try either.
        await noteWith(client, key, { failedReason: failure.message }).catch(() => undefined)
        return putOff(taken, waitMs)
      }
      if (next.goesOn === 'not') return park(taken, failure.message)
      waits.set(failure, next.waitMs)
      throw failure
    }
  }

  return {
    run,
    /** -1 would park the job, which only `park` may do. */
    waitAfter: (error: Error | undefined): number => (error && waits.get(error)) ?? parkRetryMs,
  }
}

/** Tells of jobs that fail or come again. */
const tellOf = (worker: Worker, kind: JobName, log: Logger, changed: () => void): void => {
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
}

/** Every worker says the same of a server that is full, and all of them again and again. */
const quietly = (log: Logger) => {
  const troubles = rarely(log)
  let quiet: NodeJS.Timeout | undefined
  return {
    tell: (job: JobName, error: Error): void => {
      const [what = ''] = error.message.split(' ', 1)
      troubles.wrong(what, { job, err: error }, 'Working on jobs met an error and goes on')
      clearTimeout(quiet)
      quiet = setTimeout(() => troubles.right('Working on jobs meets no error any more'), quietMs).unref()
    },
    end: () => clearTimeout(quiet),
  }
}

/** What takes jobs and runs them, of every kind that this process works on. */
export const openJobWorkers = (options: WorkerOptions) => {
  const { prefix, log, lockedMs, changed } = options
  const { run, waitAfter } = jobRunner(options)
  const workers: Worker[] = []
  const troubles = quietly(log)
  let closing = false

  /** An error ends BullMQ's look-out for jobs of killed processes: it begins anew. */
  const goOnAfterErrors = (worker: Worker, kind: JobName): void => {
    let isLooking = true
    worker.on('error', (error) => {
      if (closing) return
      troubles.tell(kind, error)
      if (!isLooking) return
      isLooking = false
      setTimeout(() => {
        isLooking = true
        if (!closing) void worker.startStalledCheckTimer()
      }, retryAfterMs).unref()
    })
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
    /** Begins to take jobs of a kind; goes on by itself after whatever breaks off, until the end. */
    start: (kind: JobName, handler: AnyHandler, connection: Redis): void => {
      const worker: Worker = new Worker(
        kind,
        (job, token) => run({ job, token, handler, key: worker.toKey(job.id ?? '') }),
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
      tellOf(worker, kind, log, changed)
      goOnAfterErrors(worker, kind)
      void keepRunning(worker, kind)
      workers.push(worker)
    },
    /** Takes no more jobs; resolves once those that run have ended. */
    end: () => {
      closing = true
      troubles.end()
      return Promise.allSettled(workers.map((worker) => worker.close()))
    },
  }
}
