import type { Leases } from '#application/kernel/ports/leases.ts'
import { reactorLease } from '#jobs/runtime/reactor.ts'

/** Whether some process works on jobs: one of them always leads (`composition/roles/worker.ts`). A killed one counts for a while. */
export const workerRuns = async (leases: Pick<Leases, 'tryAcquire'>): Promise<boolean> => {
  const lease = await leases.tryAcquire(reactorLease)
  await lease?.release()
  return lease === null
}

/** Whoever looks again and again for what a worker does asks now and then whether there still is one. @param look from 0 or 1 */
export const isTimeToAsk = (look: number): boolean => look % 20 === 0
