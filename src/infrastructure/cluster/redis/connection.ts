import type { Logger } from '#application/kernel/ports/logger.ts'
import { jittered } from '#application/kernel/retry.ts'
import { within } from '#application/kernel/within.ts'
import { Redis, type RedisOptions } from 'ioredis'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { isReply } from './reply.ts'

/** How long a command may take, in ms; a server that is merely slow answers long before. */
export const commandMs = 2_000
/** So long a question waits, which may be more than one command. */
const answersWithinMs = 2 * commandMs
const connectMs = 5_000
/**
 * A socket on which nothing comes while an answer is awaited is given up after so many times as long as a command may take:
 * what stands between may have lost the connection and tell neither end. The longest blocking command takes 10 s.
 */
const silentFor = 10
const longestPauseMs = 2_000

/** Where a server is, without what is secret in its address. */
export const serverOf = (url: string): string => {
  const { protocol, hostname, port } = new URL(url)
  return `${protocol}//${hostname}:${port === '' ? '6379' : port}`
}

/** Connects again for ever, a little later each time and never all at once. */
const retryStrategy = (times: number): number =>
  Math.round(jittered(Math.min(longestPauseMs, 50 * 2 ** Math.min(times, 10))))

/** Another server has taken the place of this one, which goes on as its replica and keeps its connections: the address leads to the other. */
const reconnectOnError = ({ message }: Error): boolean => /\bREADONLY\b/.test(message)

const common = { connectTimeout: connectMs, retryStrategy, reconnectOnError } satisfies RedisOptions

/**
 * For commands that somebody waits for: fails at once while the server is away.
 * @param answerMs how long a command may take
 */
export const askingOptions = (answerMs: number) =>
  ({
    ...common,
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: answerMs,
    socketTimeout: silentFor * answerMs,
  }) satisfies RedisOptions

/** For who listens: waits by itself until the server is back, and for what may never be said. */
export const listeningOptions = {
  ...common,
  enableOfflineQueue: true,
  maxRetriesPerRequest: null,
} satisfies RedisOptions

/**
 * For what waits by itself until the server is back: workers. Connects at once: BullMQ gives
 * up for good on a connection that it has to begin itself while the server is away.
 */
export const retryingOptions = {
  ...listeningOptions,
  socketTimeout: silentFor * commandMs,
} satisfies RedisOptions

/** A connection that says once that the server is away, and once that it is back. */
export const connectionTo = (
  url: string,
  options: ReturnType<typeof askingOptions> | typeof listeningOptions,
  log: Logger,
  role: string,
): Redis => {
  const redis = new Redis(url, options)
  let isAway = false
  redis.on('error', (error: Error) => {
    if (isAway) return
    isAway = true
    log.warn({ err: error, server: serverOf(url), role }, 'Redis does not answer; trying again')
  })
  redis.on('ready', () => {
    if (isAway) log.info({ server: serverOf(url), role }, 'Redis answers again')
    isAway = false
  })
  return redis
}

/** The words for what a command on Redis threw. */
const asEngineAway = (error: unknown): EngineAway => {
  if (error instanceof EngineAway) return error
  const refused = isReply(error) && !/^(LOADING|BUSY|CLUSTERDOWN|TRYAGAIN)/.test(error.message)
  const message = refused
    ? 'The job queue takes nothing new just now. Please try again later'
    : 'The job queue does not answer. Please try again in a moment'
  return new EngineAway('redis', message, { cause: error })
}

/** Asks the server. @throws {EngineAway} for whatever goes wrong; what was asked may have been done all the same */
export const asked = async <Answer>(question: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await within(question(), answersWithinMs, () => {
      throw new Error(`Redis said nothing for ${answersWithinMs} ms`)
    })
  } catch (error) {
    throw asEngineAway(error)
  }
}
