import type { Config } from '../config/config.ts'
import type { EngineAway } from '#application/kernel/ports/event-store.ts'
import { reasonOf } from '#application/kernel/reason.ts'
import { within } from '#application/kernel/within.ts'
import { placesOf as logPlaces } from './eventstore/address.ts'
import type { ServerKind } from './greetings.ts'
import { placesOf as mongodbPlaces } from './mongodb/address.ts'
import { connectionInWords, isHeard, type ServerAddress, whyUnreachable } from './reach.ts'

type Addresses = Pick<Config, 'eventStoreUrl' | 'mongodbUrl' | 'redisUrl'>

const redisPlaces = (address: string): readonly ServerAddress[] => {
  const { protocol, hostname, port } = new URL(address)
  const host = hostname.replace(/^\[|\]$/g, '')
  return [{ kind: 'redis', host, port: Number(port || 6379), tls: protocol === 'rediss:', caFile: null }]
}

interface Server {
  /** as operators call it */
  readonly server: string
  readonly setting: string
  /** null: an embedded engine stands in its place */
  readonly url: (config: Addresses) => string | null
  readonly places: (url: string) => readonly ServerAddress[] | Promise<readonly ServerAddress[]>
}

/** By the name under which `EngineAway` tells of it. */
export const servers: Readonly<Record<ServerKind, Server>> = {
  log: {
    server: 'EventStoreDB',
    setting: 'EVENTSTORE_URL',
    url: (config) => config.eventStoreUrl,
    places: logPlaces,
  },
  mongodb: {
    server: 'MongoDB',
    setting: 'MONGODB_URL',
    url: (config) => config.mongodbUrl,
    places: mongodbPlaces,
  },
  redis: { server: 'Redis', setting: 'REDIS_URL', url: (config) => config.redisUrl, places: redisPlaces },
}
export const isServer = (engine: string): engine is ServerKind => engine in servers
export const serverKinds: readonly ServerKind[] = Object.keys(servers).filter(isServer)

/** "EventStoreDB (EVENTSTORE_URL)" */
export const named = (kind: ServerKind): string => `${servers[kind].server} (${servers[kind].setting})`

/**
 * The innermost cause why an engine is away, for whoever runs the site; null where nothing more is known than that it
 * gives no answer, or where it is no server.
 */
export const whyAway = async (config: Addresses, kind: ServerKind): Promise<string | null> => {
  const url = servers[kind].url(config)
  if (url === null) return null
  try {
    const places = await servers[kind].places(url)
    const causes = (await Promise.all(places.map(whyUnreachable))).filter((cause) => cause !== null)
    return causes.length === 0 ? null : causes.join('; ')
  } catch (error) {
    return connectionInWords(error)
  }
}

/** Whether nothing is heard within `ms` of a server that the settings name, at none of its places. */
const isSilent = async (config: Addresses, kind: ServerKind, ms: number): Promise<boolean> => {
  const url = servers[kind].url(config)
  if (url === null) return false
  try {
    const places = await within(Promise.resolve(servers[kind].places(url)), ms, () => null)
    if (places === null) return true
    const heard = await Promise.all(places.map((place) => isHeard(place, ms)))
    return heard.length > 0 && !heard.includes(true)
  } catch {
    return true
  }
}

/** Whether one of the servers that the settings name gives no sign of life within `ms`. */
export const isAnySilent = async (config: Addresses, ms: number): Promise<boolean> =>
  (await Promise.all(serverKinds.map((kind) => isSilent(config, kind, ms)))).includes(true)

/** What an engine says of itself, without the advice for visitors. */
export const ownWords = (error: unknown): string =>
  reasonOf(error).replace(/\. (Please )?[Tt]ry again .*$/s, '')

/**
 * Every server of a site that cannot be reached, with the innermost cause; where all can be, the one that did not answer, by
 * its own words.
 */
export const awayInWords = async (config: Addresses, error: EngineAway): Promise<string> => {
  const found = await Promise.all(
    serverKinds.map(async (kind) => ({ kind, cause: await whyAway(config, kind) })),
  )
  const causes = found.flatMap(({ kind, cause }) => (cause === null ? [] : [`${named(kind)}: ${cause}`]))
  if (causes.length > 0) return causes.join('. ')
  return isServer(error.engine) ? `${named(error.engine)}: ${ownWords(error)}` : ownWords(error)
}
