import type { Application } from '#application/app.ts'
import type { MailSettings } from '#application/messages/mail-enquiry.ts'
import { openBlogFeed } from '#infrastructure/blog-feed/blog-feed.ts'
import type { Engines } from '#infrastructure/engines.ts'
import type { Log } from '#infrastructure/log/log.ts'
import { copyArtworkPicture, copyJournalPictures } from '#jobs/copy-pictures.ts'
import { mailEnquiryJob } from '#jobs/mail-enquiry.ts'
import { processImage } from '#jobs/process-image.ts'
import { startReactor } from '#jobs/reactor.ts'
import { syncBlog } from '#jobs/sync-blog.ts'
import { startSweepSchedule } from '#jobs/sweep-schedule.ts'
import { startSyncSchedule, type SyncSchedule } from '#jobs/sync-schedule.ts'
import { getBlogSync } from '#projections/journal/queries.ts'
import type { Projector } from '#projections/projector.ts'
import { getBlogUrl } from '#projections/site-content/queries.ts'

export interface WorkerRole {
  readonly schedule: SyncSchedule
  readonly stop: () => Promise<void>
}

/** Starts what runs in the background: the reactor, the jobs, the blog's schedule. */
export const startWorkerRole = async (ports: {
  readonly app: Application
  readonly engines: Engines
  readonly views: Pick<Projector, 'onChange'>
  readonly blogUrl: string
  readonly mail: MailSettings | null
  readonly log: Log
}): Promise<WorkerRole> => {
  const { app, engines, views, log } = ports
  const reactor = await startReactor({ ...engines, log })
  await engines.jobs.work({
    'process-image': processImage(app),
    'copy-artwork-picture': copyArtworkPicture(app),
    'copy-journal-pictures': copyJournalPictures(app),
    'mail-enquiry': mailEnquiryJob(app, ports.mail),
    'sync-blog': syncBlog({ app, blogFeed: openBlogFeed(app.safeFetch), effects: engines.effects }),
  })
  const schedule = startSyncSchedule({
    app,
    log,
    state: async () => {
      const [blogUrl, sync] = await Promise.all([
        getBlogUrl(engines.documents, { blogUrl: ports.blogUrl }),
        getBlogSync(engines.documents, null),
      ])
      return {
        blogUrl: blogUrl === '' ? null : blogUrl,
        lastEndedAt: sync.finishedAt === null ? null : new Date(sync.finishedAt),
      }
    },
  })
  const stopListening = views.onChange(({ models }) => {
    if (models.includes('sync') || models.includes('site-content')) {
      schedule
        .replan()
        .catch((error: unknown) => log.warn({ err: error }, 'the sync schedule could not be planned'))
    }
  })
  await schedule.replan()
  const sweeps = startSweepSchedule({ app, log })
  return {
    schedule,
    stop: async () => {
      stopListening()
      schedule.stop()
      await sweeps.stop()
      await reactor.stop()
    },
  }
}
