import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '#domain/refusal.ts'
import { type Config, isShared } from '#infrastructure/config/config.ts'
import { lockDataFolder } from '#infrastructure/embedded/data-folder.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'
import { openEngines } from '#infrastructure/engines.ts'
import { placeTaken } from '#infrastructure/archive/filled-place.ts'
import { refuseHalfFilled } from '#infrastructure/archive/filling-record.ts'
import { SecretMismatch } from '#infrastructure/key-vault/sealing.ts'
import { lostLog, refuseNoSite } from '#infrastructure/lost-log.ts'
import type { MovePorts, SettingsPorts, Task } from '#operator/command/operation.ts'
import { whileAlone } from './presence.ts'

/** The settings of the data folder alone, with the secret that is kept in it unless told otherwise. */
const inFolder = (config: Config, secret: string | null): Config => ({
  ...config,
  eventStoreUrl: null,
  mongodbUrl: null,
  redisUrl: null,
  secret,
})

/** The site in the data folder, under its lock; nothing in it is changed. A folder's own secret goes before the setting. */
const openFormer = async (ports: SettingsPorts): Promise<Engines> => {
  const { clock, log } = ports
  const { dataDir } = ports.config
  await refuseNoSite(inFolder(ports.config, null))
  const open = (secret: string | null): Promise<Engines> =>
    openEngines(inFolder(ports.config, secret), clock, log, 'read any form')
  const unlock = lockDataFolder(dataDir)
  try {
    const ownSecret = existsSync(join(dataDir, 'secret')) ? null : ports.config.secret
    const engines = await open(ownSecret).catch((error: unknown) => {
      if (error instanceof SecretMismatch && ownSecret === null) return open(ports.config.secret)
      throw error
    })
    return {
      ...engines,
      close: async (graceMs) => {
        await engines.close(graceMs)
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/** The data folder that a site goes to, under its lock. */
const openEmptyFolder = ({ config, clock, log }: SettingsPorts): Promise<Engines> =>
  openEngines(inFolder(config, config.secret), clock, log).catch((error: unknown) => {
    // Of a site of its own.
    if (error instanceof SecretMismatch) throw new Refusal('blocked', placeTaken)
    throw error
  })

/** What is not whole must not look whole elsewhere. @throws {Refusal} */
const refuseUnlessWhole = async (from: Engines, config: Config): Promise<void> => {
  await refuseHalfFilled(from.effects)
  const lost = await lostLog(from, config)
  if (lost !== null) throw new Refusal('blocked', lost)
}

/**
 * Both sides of a move: where the site lives, which is only read, and where it goes to. No server runs on either
 * meanwhile, nor can one start.
 * @throws {Refusal} in words; {DataFolderInUse} when a server runs on the folder
 */
export const withBothSides = async <T>(
  ports: SettingsPorts,
  direction: 'servers' | 'folder',
  { signal }: Pick<Task, 'signal'>,
  work: (ports: MovePorts, signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const { config, clock, log } = ports
  if (!isShared(config)) {
    const missing = Object.entries({
      EVENTSTORE_URL: config.eventStoreUrl,
      MONGODB_URL: config.mongodbUrl,
      REDIS_URL: config.redisUrl,
    }).flatMap(([name, value]) => (value === null ? [name] : []))
    throw new Refusal('missing', `A move needs all three servers: set ${missing.join(', ')} too`)
  }
  const toServers = direction === 'servers'
  const folder = toServers ? await openFormer(ports) : await openEmptyFolder(ports)
  try {
    const servers = await openEngines(config, clock, log)
    try {
      return await whileAlone(servers.leases, signal, async (alone) => {
        const [from, to] = toServers ? [folder, servers] : [servers, folder]
        await refuseUnlessWhole(from, toServers ? inFolder(config, null) : config)
        return work({ ...ports, from, to }, alone)
      })
    } finally {
      await servers.close()
    }
  } finally {
    await folder.close()
  }
}
