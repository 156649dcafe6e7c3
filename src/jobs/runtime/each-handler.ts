import type { JobHandler, JobHandlers, JobName } from '#application/kernel/ports/job-queue.ts'

/** The handlers of every kind, each changed in the same way. */
export const eachHandler = (
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
