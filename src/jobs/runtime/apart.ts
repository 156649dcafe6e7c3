import type { Carried, JobContext, JobHandlers, JobName } from '#application/kernel/ports/job-queue.ts'
import { eachHandler } from './each-handler.ts'

/** Runs a job in a process of its own. */
export type RunApart = (name: JobName, data: Carried<JobName>, job: JobContext) => Promise<void>

/** Lets jobs that their queue wants to be run apart go into processes of their own. */
export const apartWhenAsked = (handlers: JobHandlers, run: RunApart): JobHandlers =>
  eachHandler(handlers, (handler, name) => ({
    ...handler,
    run: (data, job) => (job.apart ? run(name, data, job) : handler.run(data, job)),
  }))
