import type { Logger } from '#application/kernel/ports/logger.ts'
import type { JobHandler, JobHandlers, JobName } from '#application/kernel/ports/job-queue.ts'
import { eachHandler } from './each-handler.ts'

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
): JobHandler<JobName> => ({
  ...handler,
  run: async (data, job) => {
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
  },
})

/** Lets every attempt of every job be measured, and logged under the id of the request that it goes back to. */
export const observed = (handlers: JobHandlers, observer: Observer): JobHandlers =>
  eachHandler(handlers, (handler, name) => observe(name, handler, observer))
