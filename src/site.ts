import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '#application/ports/clock.ts'
import type { Config } from '#infrastructure/config/config.ts'
import { type Engines, openEngines } from '#infrastructure/engines.ts'
import type { Log } from '#infrastructure/log/log.ts'
import { openMailer } from '#infrastructure/mail/smtp.ts'
import { createPasswords } from '#infrastructure/passwords/passwords.ts'
import { placeReactor } from '#jobs/reactor.ts'
import type { Listener } from '#web/server/deps.ts'
import { composeApplication } from './compose-application.ts'
import { prepareFirstStart } from './first-start.ts'
import { startProjectorRole } from './projector-role.ts'
import { readinessOf } from './readiness.ts'
import { startWebRole } from './web-role.ts'
import type { WorkerRole } from './worker-role.ts'

const jobGraceMs = 5_000
const backgroundAfterMs = 250

export interface Site {
  readonly listener: Listener
  /** resolves when the read models show the whole log, the first account is there and the samples are */
  readonly ready: Promise<{ readonly firstPassword: string | null }>
  /** resolves with the error when a part that the site cannot do without has failed */
  readonly broken: Promise<Error>
  /** ends what would stay open by itself: the change streams */
  readonly stopStreams: () => Promise<void>
  /** after the last request: ends the roles, then the engines */
  readonly close: () => Promise<void>
}

interface SiteOptions {
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
  readonly version: string
}

/**
 * Builds the site from its settings: engines, then the roles of this process on them.
 * @throws in words what keeps it from starting; nothing is left open then
 */
export const openSite = async (options: SiteOptions): Promise<Site> => {
  const { config, clock, log } = options
  const engines = await openEngines(config, clock, log)
  try {
    return await onEngines(engines, options)
  } catch (error) {
    await engines.close()
    throw error
  }
}

const onEngines = async (engines: Engines, { config, clock, log, version }: SiteOptions): Promise<Site> => {
  if (config.fetchAllowPrivate) {
    log.warn({}, 'FETCH_ALLOW_PRIVATE=1: pictures and blogs may be fetched from private addresses')
  }
  const wasEmpty = (await engines.eventStore.head()) === null
  const projector = startProjectorRole(engines, log)
  const passwords = createPasswords()
  const app = await composeApplication(config, engines, clock, projector)
  const { smtpUrl, mailFrom } = config
  const mailer = smtpUrl === null || mailFrom === null ? null : openMailer(smtpUrl, mailFrom)
  await placeReactor(engines)

  let isReady = false
  const ready = projector.ready.then(async () => {
    const prepared = await prepareFirstStart({ app, engines, passwords, config }, wasEmpty)
    isReady = true
    return prepared
  })

  let worker: WorkerRole | null = null
  const startWorker = async (): Promise<void> => {
    const { startWorkerRole } = await import('./worker-role.ts')
    worker = await startWorkerRole({
      app,
      engines,
      views: projector,
      log,
      blogUrl: config.blogUrl ?? '',
      mail: mailer === null ? null : { mailer, mailTo: config.mailTo, publicUrl: config.publicUrl },
    })
  }

  const web = startWebRole({
    app,
    engines,
    views: projector,
    passwords,
    config,
    folder: config.dataDir,
    version,
    mail: mailer === null ? 'off' : 'on',
    readiness: readinessOf(projector, () => isReady),
    backup: async () => null,
    nextSyncAt: () => worker?.schedule.nextAt() ?? null,
    log,
  })
  const { startControl } = await import('./operator/control.ts')
  const control = await startControl({
    config,
    clock,
    log,
    engines,
    app,
    passwords,
    projector,
    runsJobs: true,
  })
  // What nobody waits for is loaded a moment after the site is open, not before its first answers.
  const closing = new AbortController()
  let workerStarts: Promise<void> | null = null
  const background = ready
    .then(async () => pause(backgroundAfterMs, undefined, { signal: closing.signal }))
    .then(async () => {
      workerStarts = startWorker()
      await workerStarts
    })
  const broken = Promise.race([
    projector.ended.then((error) => error ?? new Promise<never>(() => {})),
    background.then(
      () => new Promise<never>(() => {}),
      (error: unknown) =>
        closing.signal.aborted
          ? new Promise<never>(() => {})
          : error instanceof Error
            ? error
            : new Error(String(error)),
    ),
  ])
  return {
    listener: web.listener,
    ready,
    broken,
    stopStreams: web.stopStreams,
    close: async () => {
      control?.close()
      closing.abort()
      // Why it could not start was said through `broken`.
      await workerStarts?.catch(() => undefined)
      await worker?.stop()
      await web.stop()
      await engines.jobs.close(jobGraceMs)
      await projector.stop()
      mailer?.close()
      await app.pictures.close()
      await app.safeFetch.close()
      await engines.close()
    },
  }
}
