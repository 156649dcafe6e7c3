import type { Config } from '../config/config.ts'
import { createLog } from '../log/log.ts'
import { within } from '#application/kernel/within.ts'
import type { ServerKind } from './greetings.ts'
import { serverKinds, servers } from './why-away.ts'

/** So long a server is waited for, in ms. */
const timeoutMs = 10_000
/** What goes wrong is told once, by whoever asks. */
const log = createLog('silent')

type Asked = Pick<Config, 'eventStoreUrl' | 'mongodbUrl' | 'redisUrl' | 'namespace'>

type Question = (url: string, namespace: string) => Promise<void>

/**
 * Loads what asks each: with connections of its own, which leave nothing behind but Redis's sign of life. A busy machine takes
 * seconds to load a driver, which is no time that a server takes.
 */
const questions: Readonly<Record<ServerKind, () => Promise<Question>>> = {
  log: async () => {
    const { openEventStore } = await import('./eventstore/event-store.ts')
    return async (address, namespace) => {
      const eventStore = openEventStore({ address, namespace, log })
      try {
        await eventStore.head()
      } finally {
        await eventStore.close()
      }
    }
  },
  mongodb: async () => {
    const { connectMongo } = await import('./mongodb/mongo.ts')
    return async (url, namespace) => {
      const mongo = await connectMongo({ url, namespace, log, waitMs: 0 })
      try {
        await mongo.ask(() => mongo.db.command({ ping: 1 }))
      } finally {
        await mongo.close()
      }
    }
  },
  redis: async () => {
    const { askRedis } = await import('./redis/open.ts')
    return (url, namespace) => askRedis({ url, namespace, log })
  },
}

interface Failure {
  readonly kind: ServerKind
  readonly error: unknown
}

const failureOf = async (kind: ServerKind, asked: Promise<void>): Promise<Failure | null> => {
  try {
    await within(asked, timeoutMs, () => {
      throw new Error(`no answer within ${timeoutMs / 1_000} s`)
    })
    return null
  } catch (error) {
    return { kind, error }
  }
}

/** Those that say what time it is by their clock, in ms since 1970; null where one does not after all. */
const clocks: Readonly<
  Partial<Record<ServerKind, (url: string, namespace: string) => Promise<number | null>>>
> = {
  mongodb: async (url, namespace) => {
    const { connectMongo } = await import('./mongodb/mongo.ts')
    const mongo = await connectMongo({ url, namespace, log, waitMs: 0, looksOnly: true })
    try {
      const { localTime } = await mongo.ask(() => mongo.db.admin().command({ hello: 1 }))
      return localTime instanceof Date ? localTime.getTime() : null
    } finally {
      await mongo.close()
    }
  },
  redis: async (url) => {
    const { timeOfRedis } = await import('./redis/open.ts')
    return timeOfRedis({ url, log })
  },
}

const aheadOf = async (
  config: Asked,
  kind: ServerKind,
): Promise<{ kind: ServerKind; aheadMs: number } | null> => {
  const url = servers[kind].url(config)
  const told = url === null ? null : ((await clocks[kind]?.(url, config.namespace)) ?? null)
  return told === null ? null : { kind, aheadMs: told - Date.now() }
}

/** By how much the clocks of servers are ahead of this machine's, of those that tell it. @throws what asking them throws */
export const clocksAhead = async (config: Asked) =>
  (await Promise.all(serverKinds.map((kind) => aheadOf(config, kind)))).filter((each) => each !== null)

/** Asks all servers that the settings name at once, each for itself. @returns those that fail, with what they throw */
export const askServers = async (config: Asked): Promise<readonly Failure[]> => {
  const wanted = serverKinds.flatMap((kind) => {
    const url = servers[kind].url(config)
    return url === null ? [] : [{ kind, url }]
  })
  const loaded = await Promise.all(
    wanted.map(async (each) => ({ ...each, ask: await questions[each.kind]() })),
  )
  const failures = loaded.map(({ kind, url, ask }) => failureOf(kind, ask(url, config.namespace)))
  return (await Promise.all(failures)).filter((failure) => failure !== null)
}
