import { join } from 'node:path'
import { pause } from '#application/kernel/retry.ts'
import { underLease } from '#application/kernel/turns.ts'
import { untilStopped } from '#application/kernel/until-stopped.ts'
import type { Application } from '#application/application.ts'
import { endLostSync } from '#application/journal/sync.ts'
import type { MailSettings } from '#application/messages/mail-message.ts'
import type { JobName } from '#application/job-data.ts'
import type { Carried, JobContext } from '#application/kernel/ports/job-queue.ts'
import type { ApartSettings } from '#infrastructure/apart/protocol.ts'
import { runApart } from '#infrastructure/apart/run-apart.ts'
import { openBlogFeed } from '#infrastructure/blog-feed/blog-feed.ts'
import type { Config } from '#infrastructure/config/config.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'
import type { Log } from '#infrastructure/log/log.ts'
import {
  apartWhenAsked,
  whenRecordable,
  oneEverywhere,
  type JobMeasured,
  observed,
} from '#jobs/runtime/handlers.ts'
import { startErasures } from '#jobs/erasures.ts'
import { startQueueWatch } from '#jobs/lost-jobs.ts'
import { reactions } from '#jobs/reactions.ts'
import { reactorLease, startReactor } from '#jobs/runtime/reactor.ts'
import { startSweepSchedule } from '#jobs/sweep-schedule.ts'
import { startSyncSchedule, type SyncSchedule } from '#jobs/sync-schedule.ts'
import { unfinishedErasures } from '#projections/messages/queries.ts'
import type { Views } from '#projections/runtime/views.ts'
import { jobHandlers } from '../job-handlers.ts'
import { startAll, type Stop } from '../start-all.ts'
import { syncState } from './sync-plan.ts'

/** What runs in a process of a job's own. */
const jobModule = join(import.meta.dirname, '../job-child.ts')
/** Pause before the turn is taken again after a failure, in ms. */
const retryAfterMs = 1_000

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
  /** what jobs need in processes of their own */
  readonly apart: ApartSettings
  /** where the nightly backup goes, null: none is made; and whether it is restored for a look */
  readonly config: Pick<Config, 'backupDir' | 'backupCheck'>
  /** of this program */
  readonly version: string
  readonly measured: (job: JobMeasured) => void
  /** throws while nothing can be recorded of what a job does */
  readonly refuseUnrecordable: () => Promise<void>
  readonly log: Log
}

/** More than can ever wait: messages of a whole day at most. */
const mostJobs = 10_000

/** The messages whose mail waits in the queue, in no order; the images of a large blog push none of them out. */
const messagesInQueue = async (jobs: Engines['jobs']): Promise<readonly string[]> =>
  (await jobs.list({ states: ['waiting'], limit: mostJobs, ofEachKind: true }))
    .filter(({ name }) => name === 'mail-enquiry')
    .map(({ subjectId }) => subjectId)

/** Starts what runs in the background: the jobs and, in one process at a time, the reactor and the blog's schedule. */
export const startWorkerRole = async (ports: WorkerPorts): Promise<WorkerRole> => {
  const { app, engines, log } = ports
  const postGivenUp = (post: string | null, err: unknown): void =>
    log.warn({ post, err }, 'A post of the blog could not be read; it is shown as a link')
  const run = (name: JobName, data: Carried<JobName>, job: JobContext): Promise<void> =>
    runApart(
      {
        ports: { ...engines, ...app },
        settings: ports.apart,
        module: jobModule,
        scratchPath: app.scratch.path,
        onGivenUp: postGivenUp,
      },
      name,
      data,
      job,
    )
  const all = apartWhenAsked(
    jobHandlers({
      app,
      effects: engines.effects,
      mail: ports.mail,
      blogFeed: openBlogFeed(app.safeFetch, { onGivenUp: postGivenUp }),
      messages: () => messagesInQueue(engines.jobs),
    }),
    run,
  )
  const handlers = whenRecordable(all, ports.refuseUnrecordable)
  await engines.jobs.work(
    observed(
      {
        ...handlers,
        // One at a time: what one process gathers into a mail, no other may be mailing meanwhile.
        'mail-enquiry': oneEverywhere(engines.leases, 'mail-enquiry', handlers['mail-enquiry']),
        'sync-blog': oneEverywhere(engines.leases, 'sync-blog', handlers['sync-blog']),
      },
      ports,
    ),
  )
  return leadByTurns(ports)
}

/** Holds the lease for what only one process may do, and waits for it while another does. */
const leadByTurns = (ports: WorkerPorts): WorkerRole => {
  const { engines, log } = ports
  let schedule: SyncSchedule | null = null

  const turn = async (signal: AbortSignal, lost: AbortSignal): Promise<void> => {
    const over = AbortSignal.any([signal, lost])
    const stop = await startAll([
      async () => (await startQueueWatch({ ...engines, log, signal: over })).stop,
      () => startReactor({ ...engines, reactions, log }).stop,
      () => {
        const planned = startPlanning(ports)
        schedule = planned.schedule
        return () => {
          schedule = null
          planned.stop()
        }
      },
      () => startSweepSchedule({ ...engines, app: ports.app, log }).stop,
      () => startBackups(ports, over),
      () => finishErasures(ports, over),
    ])
    if (!over.aborted) await new Promise((resolve) => over.addEventListener('abort', resolve))
    await stop()
  }

  const { stop } = untilStopped(async (signal) => {
    while (!signal.aborted) {
      try {
        await underLease(engines.leases, reactorLease, signal, (lost) => turn(signal, lost))
      } catch (error) {
        if (signal.aborted) return
        log.warn({ err: error }, 'what only one worker does could not begin; trying again')
        await pause(retryAfterMs, signal)
      }
    }
  })
  return { nextSyncAt: () => schedule?.nextAt() ?? null, stop }
}

/** Finishes erasures, in the keys files of the nights too; what those need is loaded only then. */
const finishErasures = (
  { app, engines, config: { backupDir }, log }: WorkerPorts,
  until: AbortSignal,
): Stop =>
  startErasures({
    app,
    log,
    until,
    unfinished: (erasedIds) => unfinishedErasures(engines.documents, erasedIds),
    forget: async (erasedIds, signal) => {
      if (backupDir === null || erasedIds.length === 0) return true
      const { forgetKeys } = await import('#infrastructure/archive/forget-keys.ts')
      return forgetKeys(backupDir, erasedIds, signal)
    },
  }).stop

/** Backs up every night; what it needs is loaded only then. */
const startBackups = async (
  { app, engines, config, version, log }: WorkerPorts,
  until: AbortSignal,
): Promise<Stop> => {
  const { backupDir, backupCheck } = config
  if (backupDir === null) return () => undefined
  const [{ startBackupSchedule }, { backUpOfNight }, { checkNewestBackup }] = await Promise.all([
    import('#jobs/backup-schedule.ts'),
    import('./night.ts'),
    import('./check-backup.ts'),
  ])
  const schedule = startBackupSchedule({
    effects: engines.effects,
    clock: app.clock,
    log,
    until,
    backUp: backUpOfNight({ engines, clock: app.clock, backupDir, version }),
    check: backupCheck ? (signal) => checkNewestBackup(backupDir, signal) : undefined,
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
  const schedule = startSyncSchedule({
    app,
    log,
    state: () => syncState(engines.documents, blogUrl),
    endLost: (runId) => endLostSync({ app, jobs: engines.jobs }, runId),
  })
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
