import type { JobHandler, JobName } from '#application/kernel/ports/job-queue.ts'
import type { Leases } from '#application/kernel/ports/leases.ts'

/**
 * Runs jobs of a kind one at a time, in whatever processes they are. The lease has the kind's name.
 * A job whose lease is lost is aborted and tried again.
 */
export const oneAtATime = <Name extends JobName>(
  leases: Leases,
  name: Name,
  handler: JobHandler<Name>,
): JobHandler<Name> => ({
  ...handler,
  run: async (data, job) => {
    const lease = await leases.acquire(name, job.signal)
    try {
      await handler.run(data, { ...job, signal: AbortSignal.any([job.signal, lease.lost]) })
    } finally {
      await lease.release()
    }
  },
})
