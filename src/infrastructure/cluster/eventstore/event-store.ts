import type { Logger } from '#application/kernel/ports/logger.ts'
import { BACKWARDS, END, FORWARDS, START, type EventStoreDBClient } from '@eventstore/db-client'
import {
  beyondEnd,
  EngineAway,
  type AppendResult,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '#application/kernel/ports/event-store.ts'
import { encodeEvents } from '../../encode-events.ts'
import { type Append, createAppender } from './appender.ts'
import { openConnection } from './connection.ts'
import { failureOf } from './failures.ts'
import { readFiltered } from './filtered-items.ts'
import { fromPosition, type LogPlace, toPosition } from './positions.ts'
import { retrying, type Timeouts, readEach, usualTimeouts } from './reading.ts'
import { checkStreamName, placeOf, streamNames, toRecorded } from './stored-events.ts'
import { subscribeFrom } from './subscription.ts'

/** So many events are looked at at first; the site's own are usually among them. */
const firstLook = 16
/** A backward look for the site's newest event goes on in steps of so many, and so often. */
const nextLooks = 2_048
const mostLooks = 4
/** A subscription that is silent for so long looks whether there is something, in ms. */
const usualSilenceMs = 5_000

/**
 * The log on EventStoreDB or KurrentDB. The site's streams carry the namespace in front; whatever else stands
 * on the server is passed over. Nothing is asked of the server before the first call.
 * @param options.address `EVENTSTORE_URL`, checked before with `addressMistakes`
 */
export const openEventStore = (options: {
  readonly address: string
  readonly namespace: string
  readonly log: Pick<Logger, 'warn'>
  readonly timeouts?: Timeouts
  readonly silenceMs?: number
}): EventStore => {
  const { address, log, timeouts = usualTimeouts, silenceMs = usualSilenceMs } = options
  const names = streamNames(options.namespace)
  const ended = new AbortController()
  const onError = (error: unknown): void =>
    log.warn({ err: error }, 'A connection to the event log was not closed in order')
  const connection = openConnection(address, onError)
  // One that is replaced because appends get no answer must not end reads and subscriptions.
  const appending = openConnection(address, onError)

  const asked = <Result>(
    call: (client: EventStoreDBClient, answerMs: number) => Promise<Result>,
  ): Promise<Result> => {
    if (ended.signal.aborted) {
      return Promise.reject(new EngineAway('log', 'The log is closed: the server is stopping'))
    }
    return retrying(connection, timeouts, call)
  }

  const readStream = (
    stream: string,
    fromRevision: number,
    most?: number,
  ): Promise<readonly RecordedEvent[]> =>
    asked(async (client, answerMs) => {
      const found: RecordedEvent[] = []
      const read = client.readStream(names.stored(stream), {
        fromRevision: BigInt(fromRevision),
        requiresLeader: true,
        ...(most === undefined ? {} : { maxCount: most }),
      })
      try {
        await readEach(read, answerMs, (item) => {
          const event = toRecorded(item, names)
          if (event) found.push(event)
        })
      } catch (thrown) {
        if (failureOf(thrown).kind === 'absent') return []
        throw thrown
      }
      return found
    })

  const find = async ({ stream, expected, events }: Append): Promise<AppendResult | null> => {
    const there = await readStream(stream, expected === 'no-stream' ? 0 : expected + 1, events.length)
    const last = there.at(-1)
    const same = there.length === events.length && there.every((event, at) => event.id === events[at]?.id)
    return same && last ? { revision: last.revision, position: last.position } : null
  }
  const appendOnce = createAppender({ connection: appending, timeouts, find, signal: ended.signal })

  /** The end of everything on the server, its own events and other sites' too. */
  const logEnd = (): Promise<Position | null> =>
    asked(async (client, answerMs) => {
      let end: LogPlace | null = null
      const read = client.readAll({
        direction: BACKWARDS,
        fromPosition: END,
        maxCount: 1,
        requiresLeader: true,
      })
      await readEach(read, answerMs, (item) => {
        end = placeOf(item)
      })
      return end === null ? null : toPosition(end)
    })

  /** Silence, not an error, is what the server answers to a place beyond its end. */
  const check = async (position: Position | null): Promise<void> => {
    if (position === null) return
    fromPosition(position)
    const end = await logEnd()
    if (end !== null && position <= end) return
    throw beyondEnd(position, end)
  }

  // What a backward look has found once need not be looked at again.
  let looked: { readonly upTo: Position; readonly newest: Position | null } | null = null
  const head = (): Promise<Position | null> =>
    asked(async (client, answerMs) => {
      let newest: Position | null = null
      let end: Position | null = null
      let done = false
      const known = looked
      let from: LogPlace | typeof END = END
      let begun = false
      for (let looks = 0; looks <= mostLooks && !done && !begun; looks += 1) {
        const most = looks === 0 ? firstLook : nextLooks
        let seen = 0
        const read = client.readAll({
          direction: BACKWARDS,
          fromPosition: from,
          maxCount: most,
          requiresLeader: true,
        })
        await readEach(read, answerMs, (item) => {
          seen += 1
          const place = placeOf(item)
          if (place === null || done) return
          from = place
          const position = toPosition(place)
          end ??= position
          // an event from before, unless the log has been replaced by an older copy meanwhile
          if (position === known?.upTo) newest = known.newest
          else newest = toRecorded(item, names)?.position ?? null
          done = newest !== null || position === known?.upTo
        })
        begun = seen < most
      }
      if (!done && !begun) {
        // Far back or nowhere among what others wrote: the server is quicker at passing over that.
        const after = known === null ? null : fromPosition(known.upTo)
        newest = known?.newest ?? null
        await readFiltered(client, names, after, answerMs, (event) => {
          newest = event.position
          return false
        })
      }
      looked = end === null ? null : { upTo: end, newest }
      return newest
    })

  const readAll = async (after: Position | null, limit: number): Promise<readonly RecordedEvent[]> => {
    const found: RecordedEvent[] = []
    const start = after === null ? null : fromPosition(after)
    await asked(async (client, answerMs) => {
      found.length = 0
      // reading begins with the event at the place itself
      const most = Math.max(limit, firstLook) + 1
      let from = start
      let seen = 0
      const read = client.readAll({
        direction: FORWARDS,
        fromPosition: start ?? START,
        maxCount: most,
        requiresLeader: true,
      })
      await readEach(read, answerMs, (item) => {
        seen += 1
        const place = placeOf(item)
        if (place === null || found.length >= limit) return
        from = place
        const event = toRecorded(item, names)
        if (event && event.position !== after) found.push(event)
      })
      if (found.length >= limit || seen < most) return
      await readFiltered(client, names, from, answerMs, (event) => found.push(event) >= limit)
    })
    if (found.length === 0) await check(after)
    return found
  }

  const append: EventStore['append'] = async (stream, expected, events) => {
    if (expected !== 'no-stream' && !(Number.isSafeInteger(expected) && expected >= 0)) {
      throw new TypeError(
        `The expected revision of ${stream} must be 'no-stream' or a whole number from 0 on`,
      )
    }
    // An empty type or a bad id would be answered twice, and the library ends the process over the second.
    encodeEvents(stream, events)
    checkStreamName(stream)
    return appendOnce({ stream, storedAs: names.stored(stream), expected, events })
  }

  return {
    append,
    appendInOrder: async (appends) => {
      // one after the other: behind one that fails nothing may be written
      for (const { stream, expected, events } of appends) await append(stream, expected, events)
    },
    readStream: (stream, fromRevision) => readStream(stream, fromRevision),
    readAll,
    subscribe: (after, { limit, signal }) =>
      subscribeFrom(after, {
        connection,
        names,
        limit,
        signal: AbortSignal.any([signal, ended.signal]),
        head,
        check,
        silenceMs,
        onRetry: (error, waitMs) =>
          log.warn(
            { err: error, retryInMs: Math.round(waitMs) },
            'The subscription to the event log broke off; subscribing again',
          ),
      }),
    head,
    close: async () => {
      ended.abort()
      await Promise.all([appending.close(), connection.close()])
    },
  }
}
