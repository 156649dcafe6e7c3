import type { JobName } from '#application/job-data.ts'
import type { JobHandler, JobHandlers, Carried, JobContext } from '#application/kernel/ports/job-queue.ts'
import type { Leases } from '#application/kernel/ports/leases.ts'
import type { Logger } from '#application/kernel/ports/logger.ts'
import { traced } from '#application/kernel/traced.ts'
import { underLease } from '#application/kernel/turns.ts'

/** The handlers of every kind, each changed in the same way. */
const eachHandler = (
  handlers: JobHandlers,
  change: (handler: JobHandler<JobName>, name: JobName) => JobHandler<JobName>,
): JobHandlers =>
  // The same keys, each with a handler of its own kind.
  Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [
      name,
      change(handler as unknown as JobHandler<JobName>, name as JobName),
    ]),
  ) as unknown as JobHandlers

/** Runs a job in a process of its own. */
export type RunApart = (name: JobName, data: Carried<JobName>, job: JobContext) => Promise<void>

/** Lets jobs that their handler or their queue wants to be run apart go into processes of their own. */
export const apartWhenAsked = (handlers: JobHandlers, run: RunApart): JobHandlers =>
  eachHandler(handlers, (handler, name) => ({
    ...handler,
    run: (data, job) =>
      job.apart || handler.isApart === true ? run(name, data, job) : handler.run(data, job),
  }))

/**
 * Lets no job begin whose outcome could not be recorded: it would act outside of Atelier, again at every try.
 * @param refuse throws while nothing can be recorded
 */
export const whenRecordable = (handlers: JobHandlers, refuse: () => Promise<void>): JobHandlers =>
  eachHandler(handlers, (handler) => ({
    ...handler,
    run: async (data, job) => {
      await refuse()
      await handler.run(data, job)
    },
  }))

/**
 * Runs jobs of a kind one at a time, in whatever processes they are. The lease has the kind's name.
 * A job whose lease is lost is aborted and tried again.
 */
export const oneEverywhere = <Name extends JobName>(
  leases: Leases,
  name: Name,
  handler: JobHandler<Name>,
): JobHandler<Name> => ({
  ...handler,
  run: (data, job) =>
    underLease(leases, name, job.signal, (lost) =>
      handler.run(data, { ...job, signal: AbortSignal.any([job.signal, lost]) }),
    ),
})

/** What an attempt of a job came to, for whoever measures. */
export interface JobMeasured {
  readonly name: JobName
  readonly result: 'done' | 'failed' | 'stopped'
  readonly ms: number
}

interface Observer {
  readonly log: Pick<Logger, 'info'>
  readonly measured: (job: JobMeasured) => void
}

const observe = (
  name: JobName,
  handler: JobHandler<JobName>,
  { log, measured }: Observer,
): JobHandler<JobName> => {
  const run: JobHandler<JobName>['run'] = async (data, job) => {
    const started = performance.now()
    const end = (result: JobMeasured['result']): void => {
      const ms = Math.round(performance.now() - started)
      measured({ name, result, ms })
      // Why it failed is told by the queue, under the job's id.
      log.info(
        { job: name, id: job.id, correlationId: data.correlationId, attempt: job.attempt, result, ms },
        'job',
      )
    }
    try {
      await handler.run(data, job)
    } catch (error) {
      end(job.signal.aborted ? 'stopped' : 'failed')
      throw error
    }
    end('done')
  }
  return {
    ...handler,
    run: (data, job) => {
      const attributes = { 'atelier.job': job.id, 'atelier.attempt': job.attempt }
      const { correlationId = job.id } = data
      return traced(`job ${name}`, attributes, () => run(data, job), { kind: 'caused', correlationId })
    },
  }
}

/** Lets every attempt of every job be measured, and logged under the id of the request that it goes back to. */
export const observed = (handlers: JobHandlers, observer: Observer): JobHandlers =>
  eachHandler(handlers, (handler, name) => observe(name, handler, observer))

/**
 * Waits between tries: the n-th of the list after the n-th failure, then none (the job is parked). Each is
 * spread by up to a fifth, so that jobs which failed together do not come back together.
 * @param waits in ms
 */
export const spread =
  (waits: readonly number[], random: () => number = Math.random) =>
  (failedAttempts: number): number | null => {
    const wait = waits[failedAttempts - 1]
    return wait === undefined ? null : Math.round(wait * (0.9 + 0.2 * random()))
  }
