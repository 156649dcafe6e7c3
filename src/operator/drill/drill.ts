import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { eventLine, siteKnownBy } from '#application/kernel/archive/event-line.ts'
import {
  followUnreadable,
  type UnreadableEvents,
  unreadableWithAdvice,
} from '#application/kernel/archive/unreadable-events.ts'
import { lacksRoom } from '#application/kernel/outage.ts'
import { DiskFull, fullDiskAt } from '#application/kernel/ports/event-store.ts'
import { reasonOf } from '#application/kernel/reason.ts'
import type { VaultContents } from '#application/kernel/ports/key-vault.ts'
import { neededOriginals } from '#application/images/lacking.ts'
import { neededMessageKeys } from '#application/messages/needed-keys.ts'
import { type Filled, type FillProgress, restore } from '#infrastructure/archive/restore.ts'
import { manifestOf } from '#infrastructure/archive/kept-archives.ts'
import { type Config, isShared } from '#infrastructure/config/config.ts'
import { unusableAt } from '#infrastructure/disk-words.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'
import { openEngines } from '#infrastructure/engines.ts'
import { openImages } from '#infrastructure/images/images.ts'
import { allProjections } from '#projections/all-projections.ts'
import { startProjector } from '#projections/runtime/projector.ts'
import type { SettingsPorts, Task } from '../command/operation.ts'
import { counted } from '#domain/list-in-words.ts'
import { checkMessages, checkOriginals, checkViews } from '../doctor-data.ts'
import { compareWithLive, type LiveComparison, type Logged } from './compare-live.ts'
import { type Opened, openImageFiles, openMessages } from './open-all.ts'
import { takeScratch } from './place.ts'

/** What a restore for a look has shown. */
export interface DrillReport extends Omit<Filled, 'unreadable'> {
  readonly file: string
  /** letters and picture files that were opened, documents that are as the site here shows them */
  readonly opened: { readonly messages: number; readonly images: number; readonly documents: number }
  readonly seconds: number
  /** what lacks, each in words; empty when the backup is whole */
  readonly problems: readonly string[]
  /** what could not be looked at, in words */
  readonly notes: readonly string[]
}

/** What is done at the moment, beside the steps of the restore. */
export type DrillStep = FillProgress | { readonly what: 'views' | 'pictures' | 'live' }

type DrillTask = Pick<Task, 'signal'> & { readonly onStep: (step: DrillStep) => void }

/** Engines of its own. Its secret is nowhere kept: the keys that a killed one leaves open nothing. */
const scratchConfig = (config: Config, dataDir: string): Config => ({
  ...config,
  dataDir,
  eventStoreUrl: null,
  mongodbUrl: null,
  redisUrl: null,
  namespace: '',
  backupDir: null,
  secret: randomBytes(48).toString('base64url'),
})

const buildViews = async (
  { eventStore, documents }: Engines,
  log: SettingsPorts['log'],
  signal: AbortSignal,
): Promise<void> => {
  const projector = startProjector({
    eventStore,
    documents,
    projections: allProjections,
    log,
    signal,
    waits: false,
  })
  try {
    await projector.ready
  } finally {
    await projector.stop()
    signal.throwIfAborted()
  }
}

const decoded = async (engines: Engines, scratch: string, signal: AbortSignal): Promise<Opened> => {
  const images = openImages()
  try {
    return await openImageFiles(engines, images, scratch, signal)
  } finally {
    await images.close()
  }
}

/** An original's name is the checksum of what was uploaded. */
const rotten = async (file: string): Promise<readonly string[]> =>
  Object.entries((await manifestOf(file))?.entries ?? {}).flatMap(([name, { sha256 }]) => {
    const [, hash] = /^files\/originals\/([0-9a-f]{64})$/.exec(name) ?? []
    return hash === undefined || hash === sha256
      ? []
      : [`The original picture ${hash} is not what was uploaded: bring it back from an older backup`]
  })

const noLive = (why: string): LiveComparison => ({ documents: 0, problems: [], notes: [why] })

/** Compares with the site that lives here, where one does and can be read. */
const comparedWithLive = async (
  { config, clock, log }: SettingsPorts,
  restored: Engines,
  logged: Logged,
  signal: AbortSignal,
): Promise<LiveComparison> => {
  if (!isShared(config) && !existsSync(join(config.dataDir, 'atelier.db')))
    return noLive('There is no site here to compare it with')
  try {
    const live = await openEngines(config, clock, log, 'read')
    try {
      return await compareWithLive(live, restored, logged, signal)
    } finally {
      await live.close()
    }
  } catch (error) {
    signal.throwIfAborted()
    return noLive(`It could not be compared with the site here: ${reasonOf(error)}`)
  }
}

const problemsIn = async (
  engines: Engines,
  withKeys: boolean,
  unreadable: UnreadableEvents | null,
): Promise<readonly string[]> =>
  (
    await Promise.all([
      checkViews(engines, unreadable),
      checkOriginals(engines),
      // Without keys nobody expects to read them.
      withKeys ? checkMessages(engines) : [],
    ])
  )
    .flat()
    .flatMap(({ level, message }) => (level === 'problem' ? [message] : []))

/**
 * Restores a backup into a scratch folder on embedded engines, whatever it is of, builds all views, opens letters and
 * pictures, and compares with the site that lives here. Nothing is left of it, nor of one that was killed before.
 * @param keys null: without keys
 * @throws {Refusal} for a backup that is damaged, or when there is no room; {DiskFull} with the place when it goes meanwhile
 */
export const drill = async (
  ports: SettingsPorts,
  file: string,
  keys: VaultContents | null,
  { signal, onStep }: DrillTask,
): Promise<DrillReport> => {
  const began = performance.now()
  const { config, clock, log } = ports
  const scratch = await takeScratch(file, config)
  try {
    const engines = await openEngines(scratchConfig(config, scratch.path), clock, log)
    try {
      let site: string | null = null
      const lines = createHash('sha256')
      const ofLog = followUnreadable()
      const restored = await restore(engines, file, keys ?? { keys: [], erasedIds: [] }, {
        signal,
        needed: neededOriginals,
        neededKeys: neededMessageKeys,
        onEvent: (event) => {
          site ??= siteKnownBy(event)
          ofLog.see(event)
          lines.update(`${eventLine(event)}\n`)
        },
        onBegin: async () => undefined,
        onEnd: async () => undefined,
        onProgress: onStep,
      })
      onStep({ what: 'views' })
      await buildViews(engines, log, signal)
      onStep({ what: 'pictures' })
      const messages = await openMessages(engines, signal)
      const beside = join(scratch.path, 'opened')
      await mkdir(beside)
      const images = await decoded(engines, beside, signal)
      onStep({ what: 'live' })
      const logged = { events: restored.counts.events, logSha256: lines.digest('hex'), site }
      const live = await comparedWithLive(ports, engines, logged, signal)
      const { unreadable, ...report } = restored
      const unreadableEvents = ofLog.found()
      const unseen =
        keys === null && unreadable > 0
          ? [`Whether the ${counted(unreadable, 'letter')} can be read was not looked at: no keys were taken`]
          : []
      return {
        ...report,
        file,
        opened: { messages: messages.done, images: images.done, documents: live.documents },
        seconds: Math.round((performance.now() - began) / 100) / 10,
        problems: [
          ...(unreadableEvents === null ? [] : [unreadableWithAdvice(unreadableEvents)]),
          ...(await problemsIn(engines, keys !== null, unreadableEvents)),
          ...(await rotten(file)),
          ...messages.problems,
          ...images.problems,
          ...live.problems,
        ],
        notes: [...unseen, ...live.notes],
      }
    } finally {
      await engines.close()
    }
  } catch (error) {
    // Nothing is written elsewhere: it is not the disk of the site that is full, or fails.
    const place = dirname(scratch.path)
    throw unusableAt(place, fullDiskAt(place, lacksRoom(error) ? new DiskFull({ cause: error }) : error))
  } finally {
    await scratch.release()
  }
}
