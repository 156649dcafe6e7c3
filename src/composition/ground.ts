import { type Config, isShared } from '#infrastructure/config/config.ts'
import type { Engines } from '#infrastructure/engines.ts'
import type { Log } from '#infrastructure/log/log.ts'
import type { Views } from '#projections/runtime/views.ts'
import { projectAlone, projectByTurns, type ProjectorRole } from './roles/projector.ts'

/** Who writes the read models, what this process knows of them, and where it keeps files of its own. */
export interface Ground {
  readonly projecting: ProjectorRole | null
  readonly views: Views
  readonly folder: string
  readonly stop: () => Promise<void>
}

const alone = (engines: Engines, config: Config, log: Log): Ground => {
  const projecting = projectAlone(engines, log)
  return { projecting, views: projecting.projector, folder: config.dataDir, stop: projecting.stop }
}

const amongOthers = async (engines: Engines, config: Config, log: Log): Promise<Ground> => {
  const [{ followViews }, { allProjections }, { takeProcessFolder }, { takePlace }] = await Promise.all([
    import('#projections/runtime/followed-views.ts'),
    import('#projections/all-projections.ts'),
    import('./process-folder.ts'),
    import('./presence.ts'),
  ])
  const { eventStore, documents } = engines
  // The folder first: a start that fails must not leave a place behind that says a server runs.
  const folder = takeProcessFolder(config.dataDir)
  const place = await takePlace(engines.leases, log).catch((error: unknown) => {
    folder.release()
    throw error
  })
  const followed = followViews({ eventStore, documents, projections: allProjections, log })
  const projecting = config.roles.includes('projector') ? projectByTurns(engines, log, followed.hurry) : null
  /** Whoever projects knows more of what is wrong than the checkpoints tell. */
  const standingAside = () => {
    const projector = projecting?.current() ?? null
    return projector?.astray() == null ? null : projector
  }
  const views: Views = {
    ...followed,
    astray: () => standingAside()?.astray() ?? followed.astray(),
    lag: () => (standingAside() ?? followed).lag(),
  }
  return {
    projecting,
    views,
    folder: folder.path,
    stop: async () => {
      await projecting?.stop()
      await followed.stop()
      folder.release()
      await place.release()
    },
  }
}

/** The ground that this process stands on, among others on shared engines. What it began is ended by `stop`. */
export const takeGround = async (engines: Engines, config: Config, log: Log): Promise<Ground> =>
  isShared(config) ? amongOthers(engines, config, log) : alone(engines, config, log)
