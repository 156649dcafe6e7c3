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

/** Each with connections of its own, which leave nothing behind but Redis's sign of life. */
const questions: Readonly<Record<ServerKind, (url: string, namespace: string) => Promise<void>>> = {
  log: async (address, namespace) => {
    const { openEventStore } = await import('./eventstore/event-store.ts')
    const eventStore = openEventStore({ address, namespace, log })
    try {
      await eventStore.head()
    } finally {
      await eventStore.close()
    }
  },
  mongodb: async (url, namespace) => {
    const { connectMongo } = await import('./mongodb/mongo.ts')
    const mongo = await connectMongo({ url, namespace, log, waitMs: 0 })
    try {
      await mongo.ask(() => mongo.db.command({ ping: 1 }))
    } finally {
      await mongo.close()
    }
  },
  redis: async (url, namespace) => {
    const { askRedis } = await import('./redis/open.ts')
    return askRedis({ url, namespace, log })
  },
}

const failureOf = async (
  config: Asked,
  kind: ServerKind,
): Promise<{ kind: ServerKind; error: unknown } | null> => {
  const url = servers[kind].url(config)
  if (url === null) return null
  try {
    await within(questions[kind](url, config.namespace), timeoutMs, () => {
      throw new Error(`no answer within ${timeoutMs / 1_000} s`)
    })
    return null
  } catch (error) {
    return { kind, error }
  }
}

/** Asks all servers that the settings name at once, each for itself. @returns those that fail, with what they throw */
export const askServers = async (config: Asked) =>
  (await Promise.all(serverKinds.map((kind) => failureOf(config, kind)))).filter(
    (failure) => failure !== null,
  )
