import type { Clock } from '#application/ports/clock.ts'
import { type Config, ConfigError } from '#infrastructure/config/config.ts'
import type { Embedded } from '#infrastructure/embedded/open.ts'
import type { Log } from '#infrastructure/log/log.ts'

/** Every engine of a site, whichever they are. */
export type Engines = Embedded

/**
 * Opens the engines that the settings ask for. The only place that chooses.
 * @param access `read`: beside a server that runs; takes no lock and changes nothing (decisions 77)
 * @throws {ConfigError} for engines that this version cannot run on; what the engines throw when they open
 */
export const openEngines = async (
  config: Config,
  clock: Clock,
  log: Log,
  access: 'hold' | 'read' = 'hold',
): Promise<Engines> => {
  const servers = [
    ['EVENTSTORE_URL', config.eventStoreUrl],
    ['MONGODB_URL', config.mongodbUrl],
    ['REDIS_URL', config.redisUrl],
  ] as const
  const asked = servers.filter(([, url]) => url !== null).map(([name]) => name)
  if (asked.length > 0) {
    throw new ConfigError([`${asked.join(', ')}: this version runs on its embedded engines only. Unset them`])
  }
  const { openEmbedded } = await import('#infrastructure/embedded/open.ts')
  return openEmbedded({ dataDir: config.dataDir, secret: config.secret, clock, log, access })
}
