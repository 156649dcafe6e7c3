import type { Application } from '#application/application.ts'
import { giveUpSync, runSync, startSyncAgain } from '#application/journal/sync.ts'
import type { BlogFeed } from '#application/ports/blog-feed.ts'
import type { EffectLedger, JobHandler } from '#application/kernel/ports/job-queue.ts'
import { spread } from './runtime/handlers.ts'

const waits = [2_000, 10_000, 60_000, 300_000]

/**
 * Carries out a sync that was started. What the blog does wrong ends the run; only our own troubles retry, and when
 * they are for good they end the run as well. Asked for again after that, it starts another run.
 */
export const syncBlog = (ports: {
  readonly app: Application
  readonly blogFeed: BlogFeed
  readonly effects: EffectLedger
}): JobHandler<'sync-blog'> => ({
  backoff: spread(waits),
  // One allocation past all that the reading thread may have ends the whole process, whatever limits the thread has been given: a
  // hostile page can bring one about at each sync.
  isApart: true,
  run: async ({ runId, correlationId = runId }, job) => {
    if (job.again) await startSyncAgain(ports.app, runId, correlationId)
    await runSync(ports, runId, { signal: job.signal, progress: job.progress, correlationId })
  },
  parked: ({ runId }, reason) =>
    giveUpSync(
      ports.app,
      runId,
      `Atelier could not finish this sync (${reason.replace(/\.$/, '')}). Its log says more; sync again`,
    ),
})
