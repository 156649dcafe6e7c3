import type { Announcements } from '#application/kernel/ports/announcements.ts'
import type { Redis } from 'ioredis'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import type { Logger } from '#application/kernel/ports/logger.ts'
import type { JobQueue } from '#application/kernel/ports/job-queue.ts'
import type { RateLimits } from '#application/kernel/ports/rate-limits.ts'
import { openAnnouncements } from './announcements.ts'
import { asked, askingOptions, commandMs, connectionTo, serverOf } from './connection.ts'
import { isReply } from './reply.ts'
import { Refused } from '../refused.ts'
import { openJobQueue } from './job-queue.ts'
import { openRateLimits } from './rate-limits.ts'

/** How long a sign of life is kept. */
const pingSeconds = 60

/** What a site keeps on Redis. */
export interface RedisEngines {
  readonly jobs: JobQueue
  readonly rateLimits: RateLimits
  readonly announcements: Announcements
  /** Resolves when Redis answers and takes what is written. @throws {EngineAway} */
  readonly ping: () => Promise<void>
  /** Ends both; jobs that run get `graceMs` to end. */
  readonly close: (graceMs?: number) => Promise<void>
}

const refused = (url: string, cause: Error): Refused => {
  const what =
    new URL(url).password === ''
      ? 'asks for a password, and there is none in the address. Add it to REDIS_URL (redis://:PASSWORD@…)'
      : 'refuses the name or the password. Correct them in REDIS_URL'
  return new Refused(`REDIS_URL: the server at ${serverOf(url)} ${what}`, { cause })
}

interface Connecting {
  readonly url: string
  readonly log: Logger
  /** for tests: how long a command may take */
  readonly answerMs?: number
}

/** A connection for asking, whether the server answers yet or not. @throws {Refused} when it does not take the password */
const connectRedis = async ({ url, log, answerMs = commandMs }: Connecting): Promise<Redis> => {
  const client = connectionTo(url, askingOptions(answerMs), log, 'asking')
  const first = Promise.withResolvers<Error | null>()
  client.once('ready', () => first.resolve(null))
  client.once('error', (error: Error) => first.resolve(error))
  const timer = setTimeout(() => first.resolve(new Error('no answer yet')), answerMs)
  // Says the same as the events above.
  client.connect().catch(() => undefined)
  const trouble = await first.promise
  clearTimeout(timer)
  if (isReply(trouble) && /^(WRONGPASS|NOAUTH|NOPERM|ERR AUTH)/.test(trouble.message)) {
    client.disconnect()
    throw refused(url, trouble)
  }
  return client
}

const prefixOf = (namespace: string): string => (namespace === '' ? 'atelier' : `${namespace}:atelier`)

/** Resolves when Redis answers and takes what is written. @throws {EngineAway} */
const ping = async (client: Redis, namespace: string): Promise<void> => {
  // One that answers may be a replica, or full: no job could be done.
  try {
    await asked(() => client.set(`${prefixOf(namespace)}:ping`, '', 'EX', pingSeconds))
  } catch (error) {
    const cause = error instanceof EngineAway ? error.cause : error
    // For whoever runs the site: to anybody else the server's words say nothing.
    throw isReply(cause) ? new EngineAway('redis', `Redis says “${cause.message}”`, { cause }) : error
  }
}

/** Whether Redis answers and takes what is written, with a connection for this alone. @throws {Refused} {EngineAway} */
export const askRedis = async (options: Connecting & { readonly namespace: string }): Promise<void> => {
  const client = await connectRedis(options)
  try {
    await ping(client, options.namespace)
  } finally {
    client.disconnect()
  }
}

/** What time it is on Redis, in ms since 1970, asked by a connection for this alone. @throws {Refused} {EngineAway} */
export const timeOfRedis = async (options: Connecting): Promise<number> => {
  const client = await connectRedis(options)
  try {
    const [seconds] = await asked(() => client.time())
    return Number(seconds) * 1_000
  } finally {
    client.disconnect()
  }
}

export interface RedisOptions extends Connecting {
  /** goes before every key */
  readonly namespace: string
  /** for tests: how soon a job of a killed process is run again */
  readonly lockedMs?: number
  /** whether nothing is to be made there, as beside a server that runs; absent: no */
  readonly looksOnly?: boolean
}

/**
 * Opens what stands on Redis. A server that does not answer yet is waited for behind the scenes: until then what needs it throws `EngineAway`.
 * @throws {Refused} when the server does not take the password
 */
export const openRedis = async (options: RedisOptions): Promise<RedisEngines> => {
  const { url, namespace, log } = options
  const prefix = prefixOf(namespace)
  const client = await connectRedis(options)
  const jobs = openJobQueue({ ...options, client, prefix })
  const { close: closeAnnouncements, ...announcements } = openAnnouncements({ url, client, prefix, log })
  return {
    jobs,
    announcements,
    rateLimits: openRateLimits(client, prefix),
    ping: () => ping(client, namespace),
    close: async (graceMs = 0) => {
      closeAnnouncements()
      await jobs.close(graceMs)
      client.disconnect()
    },
  }
}
