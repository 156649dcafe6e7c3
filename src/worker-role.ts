import { setTimeout as pause } from 'node:timers/promises'
import type { Application } from '#application/app.ts'
import type { MailSettings } from '#application/messages/mail-enquiry.ts'
import { openBlogFeed } from '#infrastructure/blog-feed/blog-feed.ts'
import type { Engines } from '#infrastructure/engines.ts'
import type { Log } from '#infrastructure/log/log.ts'
import { copyArtworkPicture, copyJournalPictures } from '#jobs/copy-pictures.ts'
import { mailEnquiryJob } from '#jobs/mail-enquiry.ts'
import { type JobMeasured, observed } from '#jobs/observed.ts'
import { oneAtATime } from '#jobs/one-at-a-time.ts'
import { processImage } from '#jobs/process-image.ts'
import { reactorLease, startReactor } from '#jobs/reactor.ts'
import { syncBlog } from '#jobs/sync-blog.ts'
import { startSweepSchedule } from '#jobs/sweep-schedule.ts'
import { startSyncSchedule, type SyncSchedule } from '#jobs/sync-schedule.ts'
import type { Views } from '#projections/views.ts'
import { startAll, type Stop } from './start-all.ts'
import { syncState } from './sync-state.ts'

/** Pause before the turn is taken again after a failure, in ms. */
const againAfterMs = 1_000

export interface WorkerRole {
  /** when the blog is mirrored next by this process, ISO 8601; null while another plans it, or nobody */
  readonly nextSyncAt: () => string | null
  readonly stop: () => Promise<void>
}

interface WorkerPorts {
  readonly app: Application
  readonly engines: Engines
  readonly views: Pick<Views, 'onChange'>
  readonly blogUrl: string
  readonly mail: MailSettings | null
  /** where the nightly backup goes; null: none is made */
  readonly backupDir: string | null
  /** of this program */
  readonly version: string
  readonly measured: (job: JobMeasured) => void
  readonly log: Log
}

/** Starts what runs in the background: the jobs and, in one process at a time, the reactor and the blog's schedule. */
export const startWorkerRole = async (ports: WorkerPorts): Promise<WorkerRole> => {
  const { app, engines } = ports
  const handlers = {
    'process-image': processImage(app),
    'copy-artwork-picture': copyArtworkPicture(app),
    'copy-journal-pictures': copyJournalPictures(app),
    'mail-enquiry': mailEnquiryJob(app, ports.mail),
    'sync-blog': oneAtATime(
      engines.leases,
      'sync-blog',
      syncBlog({ app, blogFeed: openBlogFeed(app.safeFetch), effects: engines.effects }),
    ),
  }
  await engines.jobs.work(observed(handlers, ports))
  return leadByTurns(ports)
}

/** Holds the lease for what only one process may do, and waits for it while another does. */
const leadByTurns = (ports: WorkerPorts): WorkerRole => {
  const { engines, log } = ports
  const stopping = new AbortController()
  const { signal } = stopping
  let schedule: SyncSchedule | null = null

  const turn = async (): Promise<void> => {
    const lease = await engines.leases.acquire(reactorLease, signal)
    const over = AbortSignal.any([signal, lease.lost])
    try {
      const stop = await startAll([
        async () => (await startReactor({ ...engines, log })).stop,
        () => {
          const planned = startPlanning(ports)
          schedule = planned.schedule
          return () => {
            schedule = null
            planned.stop()
          }
        },
        () => startSweepSchedule({ ...engines, app: ports.app, log }).stop,
        () => startBackups(ports),
      ])
      if (!over.aborted) await new Promise((resolve) => over.addEventListener('abort', resolve))
      await stop()
    } finally {
      await lease.release()
    }
  }

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await turn()
      } catch (error) {
        if (signal.aborted) return
        log.warn({ err: error }, 'what only one worker does could not begin; trying again')
        // Rejects only when it is cut short by a stop, which ends the loop.
        await pause(againAfterMs, undefined, { signal }).catch(() => undefined)
      }
    }
  }

  const ended = run()
  return {
    nextSyncAt: () => schedule?.nextAt() ?? null,
    stop: async () => {
      stopping.abort(new Error('The server is stopping'))
      await ended
    },
  }
}

/** Backs up every night; what it needs is loaded only then. */
const startBackups = async ({ app, engines, backupDir, version, log }: WorkerPorts): Promise<Stop> => {
  if (backupDir === null) return () => undefined
  const { startBackupSchedule } = await import('#jobs/backup-schedule.ts')
  const schedule = startBackupSchedule({
    effects: engines.effects,
    clock: app.clock,
    log,
    backUp: async (signal) => {
      const { backUpNightly } = await import('#infrastructure/archive/nightly.ts')
      await backUpNightly(engines, backupDir, { version, createdAt: app.clock.now().toISOString(), signal })
    },
  })
  return schedule.stop
}

/** Mirrors the blog every few hours, and plans anew when a sync ended or the address changed. */
const startPlanning = ({
  app,
  engines,
  views,
  blogUrl,
  log,
}: WorkerPorts): { readonly schedule: SyncSchedule; readonly stop: () => void } => {
  const schedule = startSyncSchedule({ app, log, state: () => syncState(engines.documents, blogUrl) })
  const stopListening = views.onChange(({ models }) => {
    if (models.includes('sync') || models.includes('site-content')) void schedule.replan()
  })
  void schedule.replan()
  return {
    schedule,
    stop: () => {
      stopListening()
      schedule.stop()
    },
  }
}
