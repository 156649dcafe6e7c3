import type { Config } from '../config/config.ts'
import { placesOf as logPlaces } from './eventstore/address.ts'
import { type ServerAddress, whyUnreachable } from './reach.ts'

const redisPlaces = (address: string): readonly ServerAddress[] => {
  const { protocol, hostname, port } = new URL(address)
  return [{ host: hostname, port: Number(port || 6379), tls: protocol === 'rediss:', caFile: null }]
}

/**
 * The innermost cause why an engine is away, for whoever runs the site; null where nothing more is known than that it
 * gives no answer. MongoDB's own words hold theirs.
 * @param engine as `EngineAway` names it
 */
export const whyAway = async (
  { eventStoreUrl, redisUrl }: Pick<Config, 'eventStoreUrl' | 'redisUrl'>,
  engine: string,
): Promise<string | null> => {
  const places =
    engine === 'log' && eventStoreUrl !== null
      ? logPlaces(eventStoreUrl)
      : engine === 'redis' && redisUrl !== null
        ? redisPlaces(redisUrl)
        : []
  const causes = await Promise.all(places.map(whyUnreachable))
  return causes.find((cause) => cause !== null) ?? null
}
