import type {
  Carried,
  JobContext,
  JobHandler,
  JobHandlers,
  JobName,
} from '#application/kernel/ports/job-queue.ts'

/** Runs a job in a process of its own. */
export type RunApart = (name: JobName, data: Carried<JobName>, job: JobContext) => Promise<void>

const apart = (name: JobName, handler: JobHandler<JobName>, run: RunApart): JobHandler<JobName> => ({
  ...handler,
  run: (data, job) => (job.apart ? run(name, data, job) : handler.run(data, job)),
})

/** Lets jobs that their queue wants to be run apart go into processes of their own. */
export const apartWhenAsked = (handlers: JobHandlers, run: RunApart): JobHandlers =>
  // The same keys, each with a handler of its own kind.
  Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [
      name,
      apart(name as JobName, handler as unknown as JobHandler<JobName>, run),
    ]),
  ) as unknown as JobHandlers
