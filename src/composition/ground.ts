import { type Config, isShared } from '#infrastructure/config/config.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'
import type { Log } from '#infrastructure/log/log.ts'
import { astrayInWords } from '#projections/runtime/astray.ts'
import type { Views } from '#projections/runtime/views.ts'
import { noteCutOff } from './cut-off.ts'
import { processName } from './process-name.ts'
import { projectAlone, projectByViews, type ProjectorRole } from './roles/projector.ts'

/** That this process runs, told to who would be alone, and where it keeps files of its own. */
export interface Standing {
  readonly folder: string
  readonly leave: () => Promise<void>
}

/**
 * To be had before it is asked whether the site is whole: from then on nobody fills its place.
 * @throws {Refusal} while somebody works alone on the servers that it stands on, or another folder's process runs there
 */
export const takeStanding = async (engines: Engines, config: Config, log: Log): Promise<Standing> => {
  const own = { path: config.dataDir, release: (): void => undefined }
  // Nothing more is loaded where the lock of the data folder tells it.
  if (engines.places === null) return { folder: own.path, leave: async () => undefined }
  const [{ takeProcessFolder }, { takeOwnPlace }] = await Promise.all([
    import('./process-folder.ts'),
    import('./presence.ts'),
  ])
  // The folder first: a start that fails must not leave a place behind that says a server runs.
  const folder = isShared(config) ? takeProcessFolder(config.dataDir) : own
  const place = await takeOwnPlace(engines, config, config.roles, log).catch((error: unknown) => {
    folder.release()
    throw error
  })
  return {
    folder: folder.path,
    leave: async () => {
      folder.release()
      await place.release()
    },
  }
}

/** Who writes the read models, and what this process knows of them. */
export interface Ground {
  readonly projecting: ProjectorRole | null
  readonly views: Views
  /** Whether what the views show may be seen by people just now; on embedded engines always */
  readonly mayBeRead: () => boolean
  readonly stop: () => Promise<void>
}

const alone = (engines: Engines, log: Log): Ground => {
  const projecting = projectAlone(engines, log)
  return { projecting, views: projecting.projector, mayBeRead: () => true, stop: projecting.stop }
}

const amongOthers = async (engines: Engines, config: Config, log: Log): Promise<Ground> => {
  const [{ followViews }, { allProjections }] = await Promise.all([
    import('#projections/runtime/followed-views.ts'),
    import('#projections/all-projections.ts'),
  ])
  const { eventStore, documents } = engines
  const isServing = config.roles.includes('web')
  const followed = followViews({ eventStore, documents, projections: allProjections, log, isServing })
  const projecting = config.roles.includes('projector')
    ? projectByViews(engines, log, (view, place) => {
        followed.stored(view, place)
        // Whoever was waiting here for that goes first.
        setImmediate(() => engines.announcements.announce(`${processName} ${view}`))
      })
    : null
  const { storedElsewhere, isCutOff } = noteCutOff(engines.heardAt)
  const stopHearing = engines.announcements.onAnnounced((words) => {
    const [process, view = ''] = words.split(' ')
    if (process === processName) return
    if (view !== '') storedElsewhere()
    followed.mayHaveMoved(view)
  })
  const views: Views = {
    ...followed,
    // Whoever leads a view knows more of what is wrong with it than the checkpoints tell.
    astray: () => projecting?.astray() ?? followed.astray(),
    lag: async () => {
      const [lag, astray] = [await followed.lag(), projecting?.astray() ?? null]
      return astray === null ? lag : { ...lag, state: 'astray', trouble: astrayInWords(astray.places) }
    },
  }
  return {
    projecting,
    views,
    mayBeRead: () => followed.mayBeRead() && !isCutOff(),
    stop: async () => {
      stopHearing()
      await projecting?.stop()
      await followed.stop()
    },
  }
}

/** The ground that this process stands on, among others on shared engines. What it began is ended by `stop`. */
export const takeGround = async (engines: Engines, config: Config, log: Log): Promise<Ground> =>
  isShared(config) ? amongOthers(engines, config, log) : alone(engines, log)
