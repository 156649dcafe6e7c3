import { EngineAway } from '#application/kernel/ports/event-store.ts'
import type { ReadModels } from '#application/kernel/ports/read-models.ts'
import { isShared } from '#infrastructure/config/config.ts'
import { openEngines } from '#infrastructure/engines.ts'
import { refuseHalfFilled } from '#infrastructure/archive/filling-record.ts'
import { findLoss, refuseLostLog, refuseNoSite } from '#infrastructure/lost-log.ts'
import { allProjections } from '#projections/all-projections.ts'
import { canBuild } from '#projections/runtime/rebuild-by-projector.ts'
import type { Projection } from '#projections/runtime/projection.ts'
import { type Projector, startProjector } from '#projections/runtime/projector.ts'
import type { Views } from '#projections/runtime/views.ts'
import type { Build, BuildReport } from '#projections/runtime/rebuild.ts'
import { parkedView } from '#projections/runtime/fold.ts'
import { composeApplication } from './application.ts'
import type { EnginePorts, SettingsPorts, SitePorts, Task } from '#operator/command/operation.ts'
import type { OperatorOutcome } from '#operator/command/order.ts'
import { logTaken, takeLog } from '#operator/take-log.ts'
import { projectorRuns, workerRuns } from '#operator/at-work.ts'
import { announcingEnds } from './ended-sessions.ts'
import { takeOwnPlace, whileAlone } from './presence.ts'
import { takeProcessFolder } from './process-folder.ts'
import { togetherOf } from './roles/projector.ts'

/** The engines for as long as `work` takes. `read`: beside a server that runs. */
export const withEngines = async <T>(
  ports: SettingsPorts,
  access: 'hold' | 'read',
  work: (ports: EnginePorts) => Promise<T>,
): Promise<T> => {
  // Who reads needs words of what is gone; who holds may be about to bring it back.
  if (access === 'read') await refuseNoSite(ports.config)
  const engines = await openEngines(ports.config, ports.clock, ports.log, access)
  try {
    return await work({ ...ports, engines })
  } finally {
    await engines.close()
  }
}

/**
 * While no process of another folder stands on the same servers, where a part of the site stands in a folder: what would be done
 * there by this one's part is the other's. On shared engines processes are many.
 * @throws {Refusal} while one does
 */
export const asOnlyFolder = async <T>(
  { engines, config, log }: EnginePorts,
  work: () => Promise<T>,
): Promise<T> => {
  if (isShared(config)) return work()
  const place = await takeOwnPlace(engines, config, ['command'], log).catch((error: unknown) => {
    // What needs the log is told by itself that it is away, and the rest is done without.
    if (error instanceof EngineAway && error.engine === 'log') return null
    throw error
  })
  try {
    return await work()
  } finally {
    await place?.release()
  }
}

/**
 * The engines of a site, for whoever writes beside its log.
 * @throws {Refusal} when its folder is lost, there is none, or another folder's process runs on its servers
 */
export const withSiteEngines = async <T>(
  ports: SettingsPorts,
  work: (ports: EnginePorts) => Promise<T>,
): Promise<T> => {
  await refuseNoSite(ports.config)
  return withEngines(ports, 'hold', (opened) =>
    asOnlyFolder(opened, () => work({ ...opened, engines: announcingEnds(opened.engines) })),
  )
}

const refuseUnlessWhole = async ({ engines, config }: EnginePorts): Promise<void> => {
  await refuseHalfFilled(engines.effects)
  await refuseLostLog(engines, config)
}

/** The engines of a site that is whole, for whoever writes into it. @throws {Refusal} when its log is lost */
export const withWholeSite = <T>(
  ports: SettingsPorts,
  work: (ports: EnginePorts) => Promise<T>,
): Promise<T> =>
  withSiteEngines(ports, async (opened) => {
    await refuseUnlessWhole(opened)
    return work(opened)
  })

/**
 * The same, for whoever goes on with a log that is an older copy of what it was: that is taken as it is first, while
 * nobody else runs.
 * @throws {Refusal} when processes run, or more than the log's newest events is lost
 */
export const withLogAsItIs = (
  ports: SettingsPorts,
  { signal }: Pick<Task, 'signal'>,
  work: (ports: EnginePorts, signal: AbortSignal) => Promise<OperatorOutcome>,
): Promise<OperatorOutcome> =>
  withSiteEngines(ports, async (opened) => {
    const { engines, config } = opened
    if ((await findLoss(engines, config))?.isOlderCopy !== true) {
      await refuseUnlessWhole(opened)
      return work(opened, signal)
    }
    const take = async (alone: AbortSignal): Promise<OperatorOutcome> => {
      await refuseHalfFilled(engines.effects)
      await takeLog(engines)
      const built = await work(opened, alone)
      return { ...built, message: `${logTaken.done} ${logTaken.rest}\n${built.message}` }
    }
    return isShared(config) ? whileAlone(engines.leases, signal, take) : take(signal)
  })

/**
 * A projector of one's own, up to date. To be used by whoever holds the folder's lock or the lease.
 * @throws the signal's reason once it is aborted; `EngineAway` when an engine does not answer while views are brought up
 */
const withProjector = async <T>(
  { engines, log }: EnginePorts,
  work: (projector: Projector) => Promise<T>,
  signal: AbortSignal,
  projections: readonly Projection[] = allProjections,
  isReady = (ready: Promise<unknown>): Promise<unknown> => ready,
): Promise<T> => {
  const { eventStore, documents } = engines
  const projector = startProjector({ eventStore, documents, projections, log, signal, waits: false })
  try {
    await isReady(projector.ready).catch((error: unknown) => {
      signal.throwIfAborted()
      throw error
    })
    return await work(projector)
  } finally {
    await projector.stop()
  }
}

/**
 * What builds views. Those that stand where the log has never been, from which no projector could go on, are built
 * without one; the others by a projector of one's own, up to date. To be used as {@link withProjector}.
 */
export const withBuilder = async <T>(
  ports: EnginePorts,
  work: (build: Build) => Promise<T>,
  signal: AbortSignal,
  projections: readonly Projection[] = allProjections,
): Promise<T> => {
  const { eventStore, documents } = ports.engines
  const [{ astrayViews }, { buildAstray }] = await Promise.all([
    import('#projections/runtime/astray.ts'),
    import('#projections/runtime/rebuild-by-projector.ts'),
  ])
  const all = projections.map(({ view }) => view)
  const lost = await astrayViews(eventStore, documents, [...all, ...all.map(parkedView)])
  const isAstray = ({ view }: Projection): boolean => lost.has(view.name) || lost.has(parkedView(view).name)
  const [astray, sound] = [projections.filter(isAstray), projections.filter((each) => !isAstray(each))]
  if (astray.length === 0)
    return withProjector(ports, ({ build }) => work(build), signal, projections, canBuild)

  return work(async (what, options) => {
    const asked = (some: readonly Projection[]): readonly Projection[] =>
      some.filter(({ view }) => options.views.length === 0 || options.views.includes(view.name))
    const reports: BuildReport[] = []
    if (asked(astray).length > 0) reports.push(await buildAstray(ports.engines, asked(astray), what, options))
    if (asked(sound).length > 0) {
      const views = asked(sound).map(({ view }) => view.name)
      reports.push(
        await withProjector(
          ports,
          (projector) => projector.build(what, { ...options, views }),
          signal,
          sound,
          canBuild,
        ),
      )
    }
    return togetherOf(reports)
  })
}

const withApplication = async <T>(
  ports: EnginePorts,
  {
    readModels,
    ...of
  }: { readonly folder: string; readonly readModels: ReadModels & Pick<Views, 'astray'> } & Pick<
    SitePorts,
    'runsJobs' | 'projects'
  >,
  work: (ports: SitePorts) => Promise<T>,
): Promise<T> => {
  const { config, engines, clock } = ports
  const app = await composeApplication(
    { ...config, dataDir: of.folder },
    engines,
    clock,
    readModels,
    readModels.astray,
  )
  try {
    return await work({ ...ports, app, runsJobs: of.runsJobs, projects: of.projects })
  } finally {
    await app.images.close()
    await app.safeFetch.close()
  }
}

/** The site on engines that nobody else holds. */
export const withSite = <T>(
  ports: EnginePorts,
  { signal }: Pick<Task, 'signal'>,
  work: (ports: SitePorts) => Promise<T>,
): Promise<T> =>
  withProjector(
    ports,
    (readModels) =>
      withApplication(
        ports,
        {
          folder: ports.config.dataDir,
          runsJobs: async () => false,
          projects: async () => true,
          readModels,
        },
        work,
      ),
    signal,
  )

/** The site on servers, beside whatever processes are at work on them. */
export const withSharedSite = async <T>(
  ports: EnginePorts,
  work: (ports: SitePorts) => Promise<T>,
): Promise<T> => {
  const { followViews } = await import('#projections/runtime/followed-views.ts')
  const { eventStore, documents } = ports.engines
  const folder = takeProcessFolder(ports.config.dataDir)
  const views = followViews({ eventStore, documents, projections: allProjections, log: ports.log })
  try {
    const { leases } = ports.engines
    const runsJobs = () => workerRuns(leases)
    const projects = (signal: AbortSignal) => projectorRuns(leases, signal)
    return await withApplication(ports, { folder: folder.path, runsJobs, projects, readModels: views }, work)
  } finally {
    await views.stop()
    folder.release()
  }
}
