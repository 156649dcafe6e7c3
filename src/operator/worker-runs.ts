import type { Leases } from '#application/ports/leases.ts'
import { reactorLease } from '#jobs/reactor.ts'

/** Whether some process works on jobs: one of them always leads (worker-role.ts). A killed one counts for a while. */
export const workerRuns = async (leases: Pick<Leases, 'tryAcquire'>): Promise<boolean> => {
  const lease = await leases.tryAcquire(reactorLease)
  await lease?.release()
  return lease === null
}
