import type { Clock } from '#application/kernel/ports/clock.ts'
import { type EventStore, EngineAway } from '#application/kernel/ports/event-store.ts'
import { countedMeanwhile } from './counted-meanwhile.ts'
import type { MongoOptions } from './cluster/mongodb/open.ts'
import type { RedisOptions } from './cluster/redis/open.ts'
import { type Config, ConfigError } from './config/config.ts'
import type { Access } from './embedded/database.ts'
import type { EmbeddedFolder } from './embedded/open.ts'
import type { DocumentEngines, Engines, QueueEngines } from './engine-sets.ts'
import type { Log } from './log/log.ts'
import { keepMark, markedLog, type MarkStore } from './log-mark.ts'
import { within } from '#application/kernel/within.ts'

/** One engine or group of engines, with what ends it and how it is asked whether it is there. */
interface Part<Group> {
  readonly engines: Group
  readonly ping: (() => Promise<unknown>) | null
  readonly close: (graceMs: number) => Promise<void>
}

/** What belongs to the data folder is closed with it. */
const inFolder = <Group>(engines: Group): Part<Group> => ({
  engines,
  ping: null,
  close: () => Promise.resolve(),
})

/**
 * Opens the engines that the settings ask for: a server where its address is set, else the embedded one, in
 * any mixture. The only place that chooses. A process with an embedded engine holds the data folder; with all
 * three servers nothing is locked.
 * @param access `read`: beside a server that runs; takes no lock and changes nothing. `read any form`: the same of a folder
 *   that may be of an older form
 * @param waitMs how long MongoDB is waited for, 10 s unless told: the other servers are not waited for here
 * @throws {ConfigError} for an address that its library does not take; what the engines throw when they open
 */
export const openEngines = async (
  config: Config,
  clock: Clock,
  log: Log,
  access: Access = 'hold',
  waitMs?: number,
): Promise<Engines> => {
  const { eventStoreUrl, mongodbUrl, redisUrl, dataDir, namespace } = config
  const looksOnly = access !== 'hold'
  const endings: ((graceMs: number) => Promise<void>)[] = []
  const close = async (graceMs = 0): Promise<void> => {
    for (const ending of endings.splice(0)) await ending(graceMs)
  }
  try {
    const embedded =
      eventStoreUrl === null || mongodbUrl === null || redisUrl === null
        ? (await import('./embedded/open.ts')).openEmbeddedFolder({
            dataDir,
            secret: config.secret,
            clock,
            log,
            access,
          })
        : null
    if (embedded) endings.push(embedded.close)
    const secret = embedded?.secret ?? config.secret
    if (secret === null) throw new ConfigError(['SECRET is needed when MONGODB_URL is set'])

    // The log is opened first and closed last: jobs that end may still append.
    const eventLog = await openLog(eventStoreUrl, namespace, log, embedded)
    endings.unshift(eventLog.close)
    const waiting = waitMs === undefined ? {} : { waitMs }
    const documents = await openDocumentEngines(
      { url: mongodbUrl, namespace, secret, clock, log, looksOnly, ...waiting },
      embedded,
    )
    endings.unshift(documents.close)
    // Beside the log where that stands in the folder, else where the read models are.
    const mark = keepMark(
      (eventStoreUrl === null ? null : documents.mark) ??
        need(embedded).openMark(eventStoreUrl === null ? 'embedded' : 'EventStoreDB'),
      log,
    )
    endings.unshift(mark.close)
    const queue = await openQueueEngines({ url: redisUrl, namespace, log, looksOnly }, embedded)
    endings.unshift(queue.close)

    const parts = { 'The event log': eventLog, MongoDB: documents, 'The job queue': queue }
    const asked = Object.entries(parts).flatMap(([name, { ping }]) => (ping === null ? [] : [{ name, ping }]))
    return {
      ...documents.engines,
      ...queue.engines,
      eventStore: markedLog(eventLog.engines, mark),
      logMark: mark,
      places: mongodbUrl === null ? eventLog.places : documents.engines.leases,
      secret,
      freeBytes: documents.engines.files.room,
      isDiskShort: embedded?.isDiskShort ?? (() => false),
      replaced: embedded?.replaced ?? (() => null),
      damage: embedded?.damage ?? (() => null),
      damageAnywhere: embedded?.damageAnywhere ?? (() => null),
      unanswered: () => unansweredOf(asked),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** @param embedded there when the address is null */
const openLog = async (
  address: string | null,
  namespace: string,
  log: Log,
  embedded: EmbeddedFolder | null,
): Promise<Part<EventStore> & Pick<Engines, 'places'>> => {
  if (address === null) return { ...inFolder(need(embedded).openLog()), places: null }
  const [{ openEventStore }, { openLogPlaces }] = await Promise.all([
    import('./cluster/eventstore/event-store.ts'),
    import('./cluster/eventstore/log-places.ts'),
  ])
  const eventStore = openEventStore({ address, namespace, log })
  const places = openLogPlaces(eventStore.beside, log)
  return { engines: eventStore, ping: eventStore.head, close: eventStore.close, places }
}

/** How a server is opened, if there is one. */
type MaybeAt<Options extends { readonly url: string }> = Omit<Options, 'url'> & {
  readonly url: string | null
}

const openDocumentEngines = async (
  options: MaybeAt<MongoOptions>,
  embedded: EmbeddedFolder | null,
): Promise<Part<DocumentEngines> & { readonly mark: MarkStore | null }> => {
  const { url } = options
  if (url === null) return { ...inFolder(await need(embedded).openDocumentEngines()), mark: null }
  const { openMongo } = await import('./cluster/mongodb/open.ts')
  const { ping, close, mark, ...engines } = await openMongo({ ...options, url })
  return { engines, ping, close, mark }
}

const openQueueEngines = async (
  options: MaybeAt<RedisOptions>,
  embedded: EmbeddedFolder | null,
): Promise<Part<QueueEngines>> => {
  const { url } = options
  if (url === null) {
    const engines = need(embedded).openQueueEngines()
    return { ...inFolder(engines), close: engines.jobs.close }
  }
  const [{ openRedis }, { openRateLimits }] = await Promise.all([
    import('./cluster/redis/open.ts'),
    import('./embedded/rate-limits.ts'),
  ])
  const { ping, close, rateLimits, ...engines } = await openRedis({ ...options, url })
  return {
    engines: { ...engines, rateLimits: countedMeanwhile(rateLimits, openRateLimits()) },
    ping,
    close,
  }
}

const need = (embedded: EmbeddedFolder | null): EmbeddedFolder => {
  if (embedded === null) throw new Error('An engine without an address has no folder to stand in')
  return embedded
}

/** Whoever asks how the site stands waits no longer than this for one engine, in ms. */
const timeoutMs = 2_000

/** An engine that can be asked for a sign of life. */
export interface AskedEngine {
  /** as people call it, at the beginning of a sentence */
  readonly name: string
  readonly ping: () => Promise<unknown>
}

const wordsFor = (reason: unknown): string =>
  reason instanceof EngineAway ? reason.message : 'A server gave an answer that cannot be understood'

const answerOf = ({ name, ping }: AskedEngine): Promise<string | null> =>
  within(
    ping().then(() => null, wordsFor),
    timeoutMs,
    () => `${name} does not answer within ${timeoutMs / 1_000} seconds`,
  )

/** Asks all engines at once. @returns for each that does not answer in time, or not well, a sentence for people */
export const unansweredOf = async (asked: readonly AskedEngine[]): Promise<readonly string[]> => {
  const answers = await Promise.all(asked.map(answerOf))
  return answers.filter((answer) => answer !== null)
}
