import type { JobQueue } from '../kernel/ports/job-queue.ts'
import { Refusal } from '#domain/refusal.ts'

/** Has a job tried again that is parked, or at once that waits. @throws {Refusal} `missing`; `blocked` when it runs or is done */
export const retryJob = async (jobs: Pick<JobQueue, 'find' | 'retry'>, id: string): Promise<void> => {
  if (await jobs.retry(id)) return
  throw (await jobs.find(id)) === null
    ? new Refusal('missing', 'There is no such job, or it was done long ago')
    : new Refusal('blocked', 'This job runs or is done: it needs no other try')
}
