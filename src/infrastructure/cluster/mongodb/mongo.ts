import type { Logger } from '#application/kernel/ports/logger.ts'
import { within } from '#application/kernel/within.ts'
import {
  type Collection,
  type Db,
  type Document as Row,
  type Filter,
  MongoBulkWriteError,
  MongoClient,
  type MongoClientOptions,
  MongoError,
  MongoNetworkError,
  MongoNetworkTimeoutError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
  type OptionalUnlessRequiredId,
  type UpdateFilter,
} from 'mongodb'
import { DiskFull, EngineAway, EngineUnheard } from '#application/kernel/ports/event-store.ts'
import { connectionInWords } from '../reach.ts'
import { Refused } from '../refused.ts'
import { reviving } from './revival.ts'

/**
 * Answers to people do not wait longer for MongoDB, in ms. The driver gives up on finding a server sooner, on a call
 * later.
 */
const answersWithinMs = 5_000
/** For what writes or reads much at once. */
export const longMs = 60_000

/**
 * How it is read by who acknowledges something because it is there: what a primary alone has is gone when another takes its
 * place. Whoever acts because something is not there reads without: one that has just become primary may tell of it a moment late.
 */
export const whatIsKept = { readConcern: { level: 'majority' } } as const

/** One site's part of a MongoDB. */
export interface Mongo {
  readonly db: Db
  /** The name of a collection of this site. `NAMESPACE` holds no dot, so two sites never share a name. */
  readonly nameOf: (name: string) => string
  /** A collection of this site, whose rows have these fields. */
  readonly collection: <R extends Row>(name: string) => Collection<R>
  /**
   * Runs calls of the driver. Every write in it must be safe to repeat: of a call that failed nobody knows
   * whether it was done.
   * @param timeoutMs how long the caller waits; the driver goes on behind it
   * @throws {EngineAway} when MongoDB does not answer or cannot write now
   */
  readonly ask: <Result>(call: () => Promise<Result>, timeoutMs?: number) => Promise<Result>
  /** Makes what must stand before anything is kept; nothing where the site is only looked at. @throws as `ask` */
  readonly prepare: (call: () => Promise<unknown>) => Promise<void>
  /** when it answered anybody last, on the clock of `performance.now()` */
  readonly heardAt: () => number
  readonly log: Pick<Logger, 'warn'>
  readonly close: () => Promise<void>
}

/**
 * Not the primary any more, stopping, no majority reached in time, or ended by somebody: another try may find one that can.
 * Those from 10,000 on are all that the server has a name for there and that may pass.
 */
const awayCodes: ReadonlySet<unknown> = new Set([
  64, 89, 91, 112, 175, 189, 237, 262, 6, 7, 43, 9001, 10107, 11600, 11601, 11602, 12586, 12587, 13388, 13435,
  13436, 46841,
])
const awayNames: ReadonlySet<string> = new Set([
  'MongoPoolClosedError',
  'MongoServerClosedError',
  'MongoStalePrimaryError',
  'TimeoutError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
  'MongoExpiredSessionError',
  'MongoWriteConcernError',
])
/**
 * What the driver hands on as it is: of a socket that was written to in the moment in which it ended, and of looking up the
 * names of the servers (`mongodb+srv://`).
 */
const systemCodes: ReadonlySet<unknown> = new Set([
  'EPIPE',
  'ECONNRESET',
  'ERR_STREAM_DESTROYED',
  'ENOTFOUND',
  'ENODATA',
  'EAI_AGAIN',
  'ESERVFAIL',
  'ETIMEOUT',
  'ECONNREFUSED',
])
const outOfDisk = 14_031
/**
 * What it says of the question or of the account, such as BadValue (2), Unauthorized (13), AuthenticationFailed (18) or
 * DocumentValidationFailure (121), and would say again. The numbers are those of MongoDB's `error_codes.yml`.
 */
const refusedCodes: ReadonlySet<unknown> = new Set([
  2, 4, 9, 13, 14, 15, 16, 18, 22, 26, 27, 28, 40, 48, 52, 53, 54, 59, 66, 67, 68, 72, 73, 85, 86, 115, 121,
  168, 197, 238, 8_000,
])
/** From here on numbers are places in its own program, nearly all of them about the question. */
const firstPlace = 10_000

/** A bulk that was cut off is a server error without a code; the true error lies inside, without every id of it. */
const trueError = (thrown: unknown): unknown =>
  thrown instanceof MongoBulkWriteError && thrown.code === undefined ? thrown.errorResponse : thrown

const isAway = (error: unknown): boolean =>
  error instanceof MongoNetworkError ||
  error instanceof MongoServerSelectionError ||
  (error instanceof MongoServerError && awayCodes.has(error.code)) ||
  (error instanceof MongoError && error.hasErrorLabel('RetryableWriteError')) ||
  (error instanceof Error && (awayNames.has(error.name) || ('code' in error && systemCodes.has(error.code))))

/** Nobody knows all that can go wrong in a server: what it does not say of the question is a fault of its own, which may pass. */
const isOwnFault = (error: unknown): boolean =>
  error instanceof MongoServerError &&
  (error.code === undefined || (Number(error.code) < firstPlace && !refusedCodes.has(error.code)))

/** MongoDB is away, in words for people. */
export const awayBecause = (reason: string, cause?: unknown): EngineUnheard =>
  new EngineUnheard('mongodb', `MongoDB does not answer (${reason}). Try again in a moment`, { cause })

/** Nothing came from MongoDB for so long. */
export const noAnswerFor = (ms: number): EngineUnheard => awayBecause(`no answer for ${ms / 1_000} s`)

/** More is asked of MongoDB than it answers. */
export const askedByTooMany = (cause?: unknown): EngineUnheard =>
  new EngineUnheard('mongodb', 'MongoDB is asked by too many at once. Try again in a moment', { cause })

/** An error of the driver as the ports name it; any other as it is. */
export const translated = (thrown: unknown): unknown => {
  const error = trueError(thrown)
  if (error instanceof MongoServerError && error.code === outOfDisk) return new DiskFull({ cause: error })
  if (error instanceof Error && error.name === 'MongoWaitQueueTimeoutError') return askedByTooMany(error)
  if (error instanceof MongoOperationTimeoutError || error instanceof MongoNetworkTimeoutError)
    return awayBecause('it takes too long', error)
  if (isAway(error)) return awayBecause('there is no connection to it', error)
  if (thrown instanceof MongoBulkWriteError && thrown.result.getWriteConcernError())
    return awayBecause('the write was not confirmed')
  if (isOwnFault(error))
    return new EngineUnheard('mongodb', 'MongoDB cannot do this just now. Try again in a moment', {
      cause: error,
    })
  return thrown
}

/** Another document has this `_id` already. No other index of ours is unique. */
export const isDuplicate = (thrown: unknown): boolean =>
  thrown instanceof MongoServerError && thrown.code === 11_000

/** Whether an insert was the first of its `_id`; false where another document was there before. */
export const wasFirst = async (insert: Promise<unknown>): Promise<boolean> => {
  try {
    await insert
    return true
  } catch (error) {
    if (!isDuplicate(error)) throw error
    return false
  }
}

/**
 * Changes a document, or makes it where it is missing. Of two that make it at once the second changes what the
 * first one made: that an insert finds a document does not mean that the change was applied.
 * @param filter which, and what it must be to be changed
 * @param fields all of it, beside its id
 * @param update how one that is there is changed, where its fields are not simply set
 */
export const updateOrInsert = async <R extends { readonly _id: string }>(
  rows: Pick<Collection<R>, 'updateOne' | 'insertOne'>,
  filter: Filter<R> & { readonly _id: string },
  fields: Omit<R, '_id'>,
  // Its own fields, by their names.
  update = { $set: fields } as UpdateFilter<R>,
): Promise<void> => {
  const change = () => rows.updateOne(filter, update)
  if ((await change()).matchedCount > 0) return
  // As a row of the collection is, with the id that it is changed by.
  const row = { _id: filter._id, ...fields } as OptionalUnlessRequiredId<R>
  if (!(await wasFirst(rows.insertOne(row)))) await change()
}

const ask = async <Result>(call: () => Promise<Result>, timeoutMs = answersWithinMs): Promise<Result> => {
  try {
    return await within(call(), timeoutMs, () => {
      throw noAnswerFor(timeoutMs)
    })
  } catch (thrown) {
    throw translated(thrown)
  }
}

/** The database that the address names, `atelier` where it names none. */
export const databaseIn = (url: string): string =>
  /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(url)?.[1] ?? 'atelier'

const noSuchCommand = 59
/** Unauthorized, UserNotFound, AuthenticationFailed, MechanismUnavailable, AtlasError */
const accountCodes: ReadonlySet<unknown> = new Set([13, 11, 18, 334, 8_000])

/** What keeps a first connection from being made for as long as the settings are these, in words without a password. */
export const refusalOf = (thrown: unknown): Refused => {
  const refused = (words: string): Refused => new Refused(`MONGODB_URL: ${words}`, { cause: thrown })
  if (!(thrown instanceof MongoServerError)) return refused(connectionInWords(thrown))
  if (accountCodes.has(thrown.code))
    return refused('the server refuses the name or the password. Correct them in MONGODB_URL')
  // The first that is sent, and the only one that is not known everywhere, is the account's.
  return thrown.code === noSuchCommand
    ? refused('the server has no accounts. Take name and password out of the address')
    : refused(`the server does not take the connection (${thrown.message})`)
}

const clientOptions: MongoClientOptions = {
  serverSelectionTimeoutMS: 2_000,
  // Also the timeout with heartbeats: one that is missed breaks off everything under way, and a busy server is no
  // dead one. People do not wait for it (TIMEOUT_MS).
  connectTimeoutMS: 5_000,
  socketTimeoutMS: 20_000,
  waitQueueTimeoutMS: 2_000,
  maxPoolSize: 20,
  ignoreUndefined: true,
  // Whatever is acknowledged survives the loss of a server, and of its power.
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 10_000 },
  readPreference: 'primary',
  appName: 'atelier',
}

const clientFor = (url: string): MongoClient => {
  try {
    return new MongoClient(url, clientOptions)
  } catch (error) {
    throw refusalOf(error)
  }
}

/**
 * Connects, trying again until `waitMs` are over.
 * @throws {EngineAway} when the server does not answer; {Refused} when it refuses, or the address cannot be used
 */
export const connectMongo = async (options: {
  readonly url: string
  readonly namespace: string
  readonly log: Pick<Logger, 'warn'>
  readonly waitMs?: number
  /** whether nothing is to be made there; absent: no */
  readonly looksOnly?: boolean
}): Promise<Mongo> => {
  const { url, namespace, log, waitMs = 10_000, looksOnly = false } = options
  const until = performance.now() + waitMs
  let client: MongoClient
  for (;;) {
    // a client whose first connection failed is not tried again
    const tried = clientFor(url)
    try {
      client = await ask(() => tried.connect())
      break
    } catch (thrown) {
      await tried.close()
      if (!(thrown instanceof EngineAway)) throw refusalOf(thrown)
      if (performance.now() > until) throw thrown
      log.warn({ err: thrown }, 'MongoDB does not answer yet; trying again')
    }
  }
  let heardAt = performance.now()
  const revival = reviving(client, log)
  const db = client.db(decodeURIComponent(databaseIn(url)))
  const nameOf = (name: string): string => (namespace === '' ? name : `${namespace}.${name}`)
  const askHeard: Mongo['ask'] = async (call, timeoutMs) => {
    const answer = await revival.watched(() => ask(call, timeoutMs))
    heardAt = performance.now()
    return answer
  }
  return {
    db,
    nameOf,
    collection: (name) => db.collection(nameOf(name)),
    ask: askHeard,
    prepare: async (call) => {
      if (!looksOnly) await askHeard(call)
    },
    heardAt: () => heardAt,
    log,
    close: () => {
      revival.stop()
      return client.close()
    },
  }
}
