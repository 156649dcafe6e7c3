import type { Clock } from '#application/kernel/ports/clock.ts'
import { Refusal } from '#domain/refusal.ts'
import { type Config, isShared } from '#infrastructure/config/config.ts'
import { halfFilled, refuseHalfFilled } from '#infrastructure/archive/filling-record.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'
import { openEngines } from '#infrastructure/engines.ts'
import { sendsNoAccount } from '#infrastructure/cluster/eventstore/address.ts'
import type { Log } from '#infrastructure/log/log.ts'
import { findLoss, lostFolder, refuseLostFolder, refuseLostLog } from '#infrastructure/lost-log.ts'
import { openMailer } from '#infrastructure/mail/smtp.ts'
import { createPasswords } from '#infrastructure/passwords/passwords.ts'
import { placeReactor } from '#jobs/runtime/reactor.ts'
import type { Telemetry } from '#infrastructure/telemetry/telemetry.ts'
import type { IsInsider, Listener } from '#web/server/door/ports.ts'
import { createRecorder } from '#infrastructure/metrics/recorder.ts'
import { mayLookInside } from '#web/server/door/insiders.ts'
import { createHealthListener } from '#web/server/door/health.ts'
import { composeApplication } from './application.ts'
import { never, startBackground } from './background.ts'
import { followImages } from './first-images.ts'
import { announcingEnds, onEndsElsewhere, tellingOfEnds } from './ended-sessions.ts'
import { type Prepared, prepareFirstStart } from './first-start.ts'
import { type Ground, takeGround, takeStanding } from './ground.ts'
import { guardedEffects, guardedLog, notTaken, refuseUnrecordable, startLossWatch } from './loss-watch.ts'
import { metricsOf } from './metrics.ts'
import { onceAnswered } from './once-answered.ts'
import { type Stop, stopAll } from './start-all.ts'
import { reachable, refuseServedFolder } from './reachable.ts'
import { readinessOf } from './readiness.ts'
import { watchPassword } from './first-password.ts'
import { startWebRole } from './roles/web.ts'
import type { WorkerRole } from './roles/worker.ts'

const jobGraceMs = 5_000

export interface Site {
  readonly listener: Listener
  /** resolves when the read models show the whole log, the first account is there and the samples are */
  readonly ready: Promise<Prepared>
  /** resolves when this process has made the sizes of these images, or has given up; at once where it makes none */
  readonly imagesMade: (hashes: readonly string[], tell: (made: number) => void) => Promise<void>
  /** resolves once this process has set a password */
  readonly passwordChosen: Promise<void>
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
  /** null: nobody watches by it */
  readonly telemetry?: Telemetry | null
  /** told when the samples are about to be added */
  readonly beforeSamples?: () => void
  /** told why the start waits for a server, each time that it does */
  readonly onWait?: (words: string) => void
  /** aborted when the process is to end before the site is open */
  readonly signal?: AbortSignal
}

/** What the settings ask for, and may not have been meant. */
const warnOfSettings = ({ fetchAllowPrivate, eventStoreUrl }: Config, log: Log): void => {
  if (fetchAllowPrivate) {
    log.warn({}, 'FETCH_ALLOW_PRIVATE=1: pictures and blogs may be fetched from private addresses')
  }
  if (eventStoreUrl !== null && sendsNoAccount(eventStoreUrl)) {
    log.warn({}, 'EVENTSTORE_URL: with tls=false the name and the password are not sent')
  }
}

/**
 * Builds the site from its settings: engines, then the roles of this process on them. Servers that do not
 * answer yet are asked again until they do.
 * @throws in words what keeps it from starting; nothing is left open then
 */
export const openSite = (options: SiteOptions): Promise<Site> => {
  warnOfSettings(options.config, options.log)
  return onceAnswered(() => openOnce(options), options)
}

const openOnce = async (options: SiteOptions): Promise<Site> => {
  await refuseLostFolder(options.config)
  await refuseServedFolder(options.config)
  // Whoever opens the site waits for servers, and says for which.
  const engines = await openEngines(options.config, options.clock, options.log, 'hold', 0)
  const begun: Stop[] = [() => engines.close()]
  try {
    return await onEngines(engines, begun, options)
  } catch (error) {
    await stopAll(begun)
    throw error
  }
}

const onEngines = async (engines: Engines, begun: Stop[], options: SiteOptions): Promise<Site> => {
  const { config, log } = options
  const { folder, leave } = await takeStanding(engines, config, log)
  begun.push(leave)
  await refuseHalfFilled(engines.effects)
  await refuseLostLog(engines, config)
  const wasEmpty = (await engines.eventStore.head()) === null
  await placeReactor(engines)
  const ground = await takeGround(engines, config, log)
  begun.push(ground.stop)
  return withRoles({ engines, ground, folder, wasEmpty, begun }, options)
}

/** Looks again and again whether something of the site was lost under it. */
const watchLoss = (opened: Engines, { config, log }: SiteOptions) =>
  startLossWatch(async () => {
    const words = (await lostFolder(config)) ?? opened.replaced() ?? (await halfFilled(opened.effects))
    if (words !== null) return { words, served: false }
    const damage = opened.damage()
    // What can still be read is shown.
    return damage === null ? findLoss(opened, config) : { words: damage, served: true }
  }, log)

/** How messages are mailed, in this process and in one of its own; null where no server or no sender is set. */
const openMail = ({ smtpUrl, mailFrom, mailTo, publicUrl }: Config) => {
  if (smtpUrl === null || mailFrom === null) return null
  return {
    here: { mailer: openMailer(smtpUrl, mailFrom), mailTo, publicUrl },
    apart: { smtpUrl, mailFrom, mailTo, publicUrl },
  }
}

/** What the roles stand on. */
interface Opened {
  readonly engines: Engines
  readonly ground: Ground
  /** where this process keeps files of its own */
  readonly folder: string
  readonly wasEmpty: boolean
  /** takes what ends each part, as they are started: for the end, and for when a later one cannot start */
  readonly begun: Stop[]
}

/** What the roles share: the engines, which take nothing while something of the site is lost, and what stands on them. */
const openParts = async (
  { engines: opened, ground, folder, wasEmpty, begun }: Opened,
  options: SiteOptions,
) => {
  const { config, clock, log, telemetry = null } = options
  const { views } = ground
  const { accounts, passwordChosen } = watchPassword(opened.accounts)
  const loss = watchLoss(opened, options)
  begun.push(loss.stop)
  const { isDiskShort } = opened
  const refuse = (): Promise<void> => refuseUnrecordable({ loss, astray: views.astray, isDiskShort })
  const engines: Engines = {
    ...announcingEnds(opened),
    accounts,
    eventStore: guardedLog(opened.eventStore, loss.lost),
    effects: guardedEffects(opened.effects, refuse),
  }
  const recorder = createRecorder(telemetry?.hear)
  const app = await composeApplication(
    { ...config, dataDir: folder },
    engines,
    clock,
    views,
    () => (loss.lost() === null ? views.astray() : notTaken()),
    recorder.command,
  )
  begun.push(app.safeFetch.close, app.images.close)
  return {
    app,
    engines,
    ground,
    folder,
    wasEmpty,
    passwords: createPasswords(log),
    passwordChosen,
    recorder,
    loss,
    refuse,
    mail: openMail(config),
    blogUrl: config.blogUrl ?? '',
  }
}
type Parts = Awaited<ReturnType<typeof openParts>>

/** The worker's role, which begins when the site is ready, and is loaded then. */
const workerOf = (parts: Parts, { config, version, log }: SiteOptions) => {
  const { app, engines, ground, blogUrl, mail, recorder, refuse } = parts
  let worker: WorkerRole | null = null
  return {
    start: async (): Promise<void> => {
      const { startWorkerRole } = await import('./roles/worker.ts')
      worker = await startWorkerRole({
        app,
        engines,
        views: ground.views,
        log,
        blogUrl,
        mail: mail?.here ?? null,
        apart: { fetchAllowPrivate: config.fetchAllowPrivate, mail: mail?.apart ?? null },
        config,
        version,
        measured: recorder.job,
        refuseUnrecordable: refuse,
      })
    },
    nextSyncAt: () => worker?.nextSyncAt() ?? null,
    stop: async () => worker?.stop(),
  }
}

/** What this process tells of itself, whatever its roles. */
const tellingOf = (parts: Parts, { config, clock, log }: SiteOptions, isReady: () => boolean) => {
  const { engines, ground, recorder, loss } = parts
  const { views } = ground
  const leads = () => ground.projecting?.leads() ?? []
  const readiness = readinessOf({ views, engines, roles: config.roles, isReady, loss })
  const metrics = metricsOf({ recorder, config, engines, views, leads, readiness, clock, log })
  const insiders = { ...config, token: config.metricsToken }
  const isInsider: IsInsider = (request) => mayLookInside(request, insiders)
  return {
    collect: metrics.collect,
    answers: { readiness, isInsider, metrics: metrics.listener, measure: recorder.request, log },
  }
}

/** What the site needs before it opens, once all of the log is shown. @throws {Refusal} when something was lost meanwhile */
const prepare = async (parts: Parts, { config, log, beforeSamples }: SiteOptions): Promise<Prepared> => {
  // A first account there would make it look like a site that has begun.
  const lost = await parts.loss.look()
  if (lost !== null) throw new Refusal('blocked', lost.words)
  if (!config.roles.includes('web')) return { firstPassword: null, images: [] }
  return prepareFirstStart({ ...parts, config, log }, parts.wasEmpty, beforeSamples)
}

/** Starts the roles of this process, one after the other. */
const withRoles = async (opened: Opened, options: SiteOptions): Promise<Site> => {
  const { config, clock, log, version, telemetry = null } = options
  const { roles } = config
  const parts = await openParts(opened, options)
  const { app, engines, ground, passwords, mail, blogUrl } = parts
  const { views } = ground
  const worker = workerOf(parts, options)
  const plan = isShared(config)
    ? (await import('./roles/sync-plan.ts')).followSyncPlan({ ...engines, views, blogUrl, clock, log })
    : null
  let isReady = false
  const { collect, answers } = tellingOf(parts, options, () => isReady && ground.mayBeRead())
  const web = roles.includes('web')
    ? await startWebRole({
        ...answers,
        app,
        engines,
        views,
        passwords,
        config,
        folder: parts.folder,
        version,
        mail: mail === null ? 'off' : 'on',
        nextSyncAt: () => worker.nextSyncAt() ?? plan?.nextAt() ?? null,
      })
    : null
  // What is asked until the end may still put jobs into the queue.
  opened.begun.push(() => engines.jobs.close(jobGraceMs))
  if (web !== null)
    opened.begun.push(
      web.stop,
      onEndsElsewhere(engines.announcements, () => void web.lookAtAccounts()),
    )
  const control = await reachable({
    config,
    clock,
    log,
    engines: {
      ...engines,
      sessions: tellingOfEnds(engines.sessions, () => void web?.lookAtAccounts()),
    },
    app,
    builder: () => ground.projecting?.builder() ?? null,
    operationCalled: async (name) => (await import('#operator/groups.ts')).operationCalled(name),
    runsJobs: async () => true,
    projects: async () => true,
  })
  // Nothing is waited for below: what opens the site is not begun in one that cannot start.
  const ready = views.ready.then(async () => {
    const prepared = await onceAnswered(() => prepare(parts, options), options)
    isReady = true
    return prepared
  })
  const background = startBackground({
    ready,
    log,
    first: [
      ...(web === null ? [] : [web.loadRenderer]),
      ...(telemetry === null ? [] : [() => telemetry.observe(collect)]),
      ...(mail === null ? [] : [() => import('nodemailer')]),
    ],
    isBackedUp: config.backupDir !== null,
    startWorker: roles.includes('worker') ? worker.start : null,
  })
  opened.begun.push(worker.stop, background.stop, control.stop)
  return {
    listener: web?.listener ?? createHealthListener({ ...answers, settings: { version, ...config } }),
    ready,
    passwordChosen: parts.passwordChosen,
    broken: Promise.race([
      ground.projecting === null ? never() : ground.projecting.ended.then((error) => error ?? never()),
      background.failed,
    ]),
    imagesMade: async (hashes, tell) => {
      if (roles.includes('worker')) await followImages({ ...engines, views }, hashes, tell)
    },
    stopStreams: async () => web?.stopStreams(),
    close: () => stopAll(opened.begun),
  }
}
