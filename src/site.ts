import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ensureFirstAccount } from '#application/accounts/accounts.ts'
import type { CommandContext } from '#application/envelope.ts'
import type { Clock } from '#application/ports/clock.ts'
import type { Config } from '#infrastructure/config/config.ts'
import { type Engines, openEngines } from '#infrastructure/engines.ts'
import type { Log } from '#infrastructure/log/log.ts'
import { openMailer } from '#infrastructure/mail/smtp.ts'
import { createPasswords } from '#infrastructure/passwords/passwords.ts'
import { placeReactor } from '#jobs/reactor.ts'
import { allProjections } from '#projections/all-projections.ts'
import { type Projector, startProjector } from '#projections/projector.ts'
import { createFastListener } from '#web/server/fast-listener.ts'
import type { Listener, WebDeps, WebSettings } from '#web/server/deps.ts'
import { readClientBuild } from '#web/server/pages/build.ts'
import { createPages } from '#web/server/pages/pages.ts'
import { createPublicLists } from '#web/server/public-lists.ts'
import { composeApplication } from './compose-application.ts'
import { pageViews, readPageData } from './page-data.ts'
import type { WorkerRole } from './worker-role.ts'

/** Where the built client and the sample pictures lie, beside `src`. */
const root = join(import.meta.dirname, '..')

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

/** The site's own commands: at its first start. */
const ownCommand = (name: string, clock: Clock): CommandContext => ({
  commandId: name,
  correlationId: name,
  causationId: name,
  actor: { kind: 'system', name },
  now: clock.now(),
})

/**
 * Builds the site from its settings: engines, then the roles of this process on them.
 * @throws in words what keeps it from starting; nothing is left open then
 */
export const openSite = async (options: {
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
  readonly version: string
}): Promise<Site> => {
  const { config, clock, log, version } = options
  const engines = await openEngines(config, clock, log)
  try {
    return await onEngines(engines, { config, clock, log, version })
  } catch (error) {
    await engines.close()
    throw error
  }
}

const onEngines = async (
  engines: Engines,
  options: { readonly config: Config; readonly clock: Clock; readonly log: Log; readonly version: string },
): Promise<Site> => {
  const { config, clock, log, version } = options
  const { documents, eventStore } = engines
  if (config.fetchAllowPrivate) {
    log.warn({}, 'FETCH_ALLOW_PRIVATE=1: pictures and blogs may be fetched from private addresses')
  }
  const wasEmpty = (await eventStore.head()) === null
  const projector = startProjector({ eventStore, documents, projections: allProjections, log })
  const passwords = createPasswords()
  const app = await composeApplication(config, engines, clock, projector)
  const blogUrl = config.blogUrl ?? ''
  const { smtpUrl, mailFrom } = config
  const mailer = smtpUrl === null || mailFrom === null ? null : openMailer(smtpUrl, mailFrom)
  await placeReactor(engines)

  let worker: WorkerRole | null = null
  const startWorker = async (): Promise<void> => {
    const [{ startWorkerRole }, { openBlogFeed }] = await Promise.all([
      import('./worker-role.ts'),
      import('#infrastructure/blog-feed/blog-feed.ts'),
    ])
    worker = await startWorkerRole({
      app,
      engines,
      projector,
      log,
      blogUrl,
      mail: mailer === null ? null : { mailer, mailTo: config.mailTo, publicUrl: config.publicUrl },
      blogFeed: openBlogFeed(app.safeFetch),
    })
  }

  const prepare = async (): Promise<{ readonly firstPassword: string | null }> => {
    await projector.ready
    // A start that was killed while adding the samples goes on with them: each step is carried out once.
    const begun = await engines.effects.find(samplesKey)
    if (config.samples === 'auto' && (wasEmpty || begun?.state === 'started')) {
      const [{ addSamples }, { samplePath }] = await Promise.all([
        import('#application/samples/samples.ts'),
        import('./operations.ts'),
      ])
      await engines.effects.started(samplesKey, '')
      await addSamples(app, samplePath, ownCommand('first-start', clock))
      await engines.effects.done(samplesKey, '')
    }
    // Last, right before it is printed: a start that is cut off must not leave a password that nobody has seen.
    const { adminUsername: username, adminPassword: password } = config
    const firstPassword = await ensureFirstAccount(
      { accounts: engines.accounts, passwords, clock },
      { username, password },
    )
    isReady = true
    return { firstPassword }
  }
  let isReady = false
  const ready = prepare()

  // Set by `npm run dev` alone: pages are then rendered with the sources of the moment.
  const build = readClientBuild(join(root, 'dist'), process.env['ATELIER_DEV_RENDERER'])
  const settings = {
    version,
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    mail: mailer === null ? 'off' : 'on',
    blogUrl,
  } as const satisfies WebSettings
  const pages = createPages({
    readPageData: () => readPageData(documents, app.html, { blogUrl }, String(projector.version(pageViews))),
    versions: () => projector.version(pageViews),
    loadRenderer: build.loadRenderer,
    assets: build.assets,
    publicUrl: config.publicUrl,
    folder: join(config.dataDir, 'pages'),
    onError: (error) => log.warn({ err: error }, 'a page could not be kept'),
  })
  const readiness = { wasReady: () => isReady, report: () => reportOf(projector, isReady) }
  const deps: WebDeps = {
    app,
    html: app.html,
    documents,
    readModels: projector,
    pages,
    settings,
    readiness,
    log,
    passwords,
    rateLimits: engines.rateLimits,
    idempotency: engines.idempotency,
    jobs: engines.jobs,
    changes: projector,
    secret: engines.secret,
    clientFolder: build.clientFolder,
    freeBytes: engines.freeBytes,
    backup: async () => null,
    nextSyncAt: () => worker?.schedule.nextAt() ?? null,
  }
  let closeStreams = async (): Promise<void> => {}
  const lists = createPublicLists(deps)
  const listener = createFastListener({
    ...deps,
    lists,
    loadApp: async () => {
      const { createWebServer } = await import('#web/server/app.ts')
      const web = createWebServer(deps, lists)
      closeStreams = web.close
      return web.listener
    },
  })
  const { startControl } = await import('./control.ts')
  const control = await startControl(config.dataDir, { app, engines, passwords }, log)
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
    listener,
    ready,
    broken,
    stopStreams: () => closeStreams(),
    close: async () => {
      control?.close()
      closing.abort()
      // Why it could not start was said through `broken`.
      await workerStarts?.catch(() => undefined)
      await worker?.stop()
      await pages.settled()
      await engines.jobs.close(jobGraceMs)
      await projector.stop()
      mailer?.close()
      await app.pictures.close()
      await app.safeFetch.close()
      await engines.close()
    },
  }
}

const samplesKey = 'samples'
const jobGraceMs = 5_000
const backgroundAfterMs = 250
const laggingSeconds = 30

/** Decisions 60. */
const reportOf = async (
  projector: Projector,
  isReady: boolean,
): Promise<{ readonly reasons: readonly string[]; readonly degraded: readonly string[] }> => {
  const lag = await projector.lag()
  const late =
    lag.seconds >= laggingSeconds ? [`The read models are ${Math.round(lag.seconds)} s behind`] : []
  const parked = lag.parked > 0 ? [`${lag.parked} events could not be projected and are parked`] : []
  if (!isReady) return { reasons: ['The site is starting'], degraded: parked }
  if (lag.state === 'failed')
    return { reasons: [`The projector failed: ${lag.trouble ?? 'see the log'}`], degraded: parked }
  return { reasons: late, degraded: parked }
}
