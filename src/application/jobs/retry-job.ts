import type { JobQueue } from '../kernel/ports/job-queue.ts'
import { Refusal } from '#domain/refusal.ts'

/** Has a parked job tried again. @throws {Refusal} `missing`; `blocked` when it has not failed for good */
export const retryJob = async (jobs: Pick<JobQueue, 'find' | 'retry'>, id: string): Promise<void> => {
  if (await jobs.retry(id)) return
  throw (await jobs.find(id)) === null
    ? new Refusal('missing', 'There is no such job, or it was done long ago')
    : new Refusal('blocked', 'This job has not failed for good: it needs no other try')
}
