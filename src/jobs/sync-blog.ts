import type { Application } from '#application/app.ts'
import { runSync } from '#application/journal/sync.ts'
import type { BlogFeed } from '#application/ports/blog-feed.ts'
import type { EffectLedger, JobHandler } from '#application/ports/job-queue.ts'
import { spread } from '#jobs/backoff.ts'

/** Carries out a sync that was started. What the blog does wrong ends the run; only our own troubles retry. */
export const syncBlog = (ports: {
  readonly app: Application
  readonly blogFeed: BlogFeed
  readonly effects: EffectLedger
}): JobHandler<'sync-blog'> => ({
  backoff: spread([2_000, 10_000, 60_000, 300_000]),
  run: ({ runId }, job) => runSync(ports, runId, { signal: job.signal, progress: job.progress }),
})
