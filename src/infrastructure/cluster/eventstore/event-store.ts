import type { Logger } from '#application/kernel/ports/logger.ts'
import { rarely } from '#application/kernel/rarely.ts'
import { EngineAway, type AppendResult, type EventStore } from '#application/kernel/ports/event-store.ts'
import { encodeEvents } from '../../encode-events.ts'
import { type Append, createAppender } from './appender.ts'
import { openConnection } from './connection.ts'
import { checkPosition, type LogOnServer, readAll, readStream } from './log-on-server.ts'
import { findNewest } from './newest-event.ts'
import { retrying, type Timeouts, usualTimeouts } from './reading.ts'
import { beside, checkStreamName, type StreamNames, streamNames } from './stored-events.ts'
import { subscribeFrom } from './subscription.ts'

/** A subscription that is silent for so long looks whether there is something, in ms. */
const usualSilenceMs = 5_000

/** What an append has written, where the log holds it. */
const findAppended = async ({ log, stream, expected, events }: Append): Promise<AppendResult | null> => {
  const there = await readStream(log, stream, expected === 'no-stream' ? 0 : expected + 1, events.length)
  const last = there.at(-1)
  const same = there.length === events.length && there.every((event, at) => event.id === events[at]?.id)
  return same && last ? { revision: last.revision, position: last.position } : null
}

/** The log, and streams that are no part of it: no position, archive or subscription knows of them. */
interface EventStoreOnServer extends EventStore {
  readonly beside: Pick<EventStore, 'append' | 'readStream'>
}

/**
 * The log on EventStoreDB or KurrentDB. The site's streams carry the namespace in front; whatever else stands
 * on the server is passed over. Nothing is asked of the server before the first call.
 * @param options.address `EVENTSTORE_URL`, checked with the settings
 */
export const openEventStore = (options: {
  readonly address: string
  readonly namespace: string
  readonly log: Pick<Logger, 'warn'>
  readonly timeouts?: Timeouts
  readonly silenceMs?: number
}): EventStoreOnServer => {
  const { address, timeouts = usualTimeouts, silenceMs = usualSilenceMs } = options
  const troubles = rarely(options.log)
  const ended = new AbortController()
  const onError = (error: unknown): void =>
    options.log.warn({ err: error }, 'A connection to the event log was not closed in order')
  const connection = openConnection(address, onError)
  // One that is replaced because appends get no answer must not end reads and subscriptions.
  const appending = openConnection(address, onError)

  const ask: LogOnServer['ask'] = (call) =>
    ended.signal.aborted
      ? Promise.reject(new EngineAway('log', 'The log is closed: the server is stopping'))
      : retrying(connection, timeouts, call)

  const appendOnce = createAppender({
    connection: appending,
    timeouts,
    find: findAppended,
    signal: ended.signal,
  })

  /** The streams that carry these names. */
  const streamsOf = (names: StreamNames) => {
    const log: LogOnServer = { names, ask }
    const append: EventStore['append'] = async (stream, expected, events) => {
      if (expected !== 'no-stream' && !(Number.isSafeInteger(expected) && expected >= 0)) {
        throw new TypeError(
          `The expected revision of ${stream} must be 'no-stream' or a whole number from 0 on`,
        )
      }
      // An empty type or a bad id would be answered twice, and the library ends the process over the second.
      encodeEvents(stream, events)
      checkStreamName(stream)
      return appendOnce({ log, stream, expected, events })
    }
    const read: EventStore['readStream'] = (stream, from, limit) => readStream(log, stream, from, limit)
    return { log, append, readStream: read }
  }

  const names = streamNames(options.namespace)
  const { log, append, readStream: readOwn } = streamsOf(names)
  const head = findNewest(log)
  const { append: appendBeside, readStream: readBeside } = streamsOf(streamNames(beside(options.namespace)))

  return {
    append,
    beside: { append: appendBeside, readStream: readBeside },
    appendInOrder: async (appends) => {
      // one after the other: behind one that fails nothing may be written
      for (const { stream, expected, events } of appends) await append(stream, expected, events)
    },
    readStream: readOwn,
    readAll: (after, limit) => readAll(log, after, limit),
    subscribe: (after, { limit, signal }) =>
      subscribeFrom(after, {
        connection,
        names,
        limit,
        signal: AbortSignal.any([signal, ended.signal]),
        head,
        check: async (position) => {
          await checkPosition(log, position)
          // Of the beginning nothing was asked.
          if (position !== null) troubles.right('The event log is followed again')
        },
        silenceMs,
        onRetry: (error, retryInMs) =>
          troubles.wrong(
            error.name,
            { err: error, retryInMs: Math.round(retryInMs) },
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
