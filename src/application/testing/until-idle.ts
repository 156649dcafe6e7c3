import type { JobQueue } from '../kernel/ports/job-queue.ts'
import { pause } from '../kernel/retry.ts'

const lookEveryMs = 10

/** Waits until no job runs or is to run now; later retries do not count. @param now in ms since 1970, by the queue's clock */
export const untilIdle = async (jobs: Pick<JobQueue, 'list'>, now = () => Date.now()): Promise<void> => {
  for (;;) {
    const open = await jobs.list({ states: ['waiting', 'running'], limit: 100_000 })
    if (open.every(({ runAt }) => runAt !== null && Date.parse(runAt) > now())) return
    await pause(lookEveryMs)
  }
}
