import type { Application } from '#application/app.ts'
import { giveUpSync, runSync } from '#application/journal/sync.ts'
import type { BlogFeed } from '#application/ports/blog-feed.ts'
import type { EffectLedger, JobHandler } from '#application/ports/job-queue.ts'
import { spread } from '#jobs/backoff.ts'

const waits = [2_000, 10_000, 60_000, 300_000]

/** Carries out a sync that was started. What the blog does wrong ends the run; only our own troubles retry. */
export const syncBlog = (ports: {
  readonly app: Application
  readonly blogFeed: BlogFeed
  readonly effects: EffectLedger
}): JobHandler<'sync-blog'> => ({
  backoff: spread(waits),
  run: async ({ runId, correlationId = runId }, job) => {
    try {
      await runSync(ports, runId, { signal: job.signal, progress: job.progress, correlationId })
    } catch (error) {
      if (!job.signal.aborted && job.attempt > waits.length) {
        await giveUpSync(ports.app, runId, 'Atelier could not finish this sync. Its log says why; sync again')
      }
      throw error
    }
  },
})
