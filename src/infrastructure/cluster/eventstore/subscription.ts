import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import { START, streamNameFilter } from '@eventstore/db-client'
import type { AllStreamResolvedEvent, AllStreamSubscription } from '@eventstore/db-client'
import type { Position, RecordedEvent } from '#application/ports/event-store.ts'
import type { Connection } from './connection.ts'
import { failureOf, NoAnswer, spoilsClient } from './failures.ts'
import { fromPosition, isPlace, type LogPlace, toPosition } from './positions.ts'
import { jittered } from './reading.ts'
import { placeOf, type StreamNames, toRecorded } from './stored-events.ts'

/** What a subscription needs of a log. */
export interface SubscriptionOptions {
  readonly connection: Connection
  readonly names: StreamNames
  readonly limit: number
  readonly signal: AbortSignal
  /** the site's newest event, asked of the server */
  readonly head: () => Promise<Position | null>
  /** @throws UnknownPosition when the log never gave it */
  readonly check: (position: Position | null) => Promise<void>
  /** how long it may be silent before the log is asked whether there is something, in ms */
  readonly silenceMs: number
  readonly onRetry: (error: Error, waitMs: number) => void
}

/** The server has looked at everything up to here. Stands in one line with the events, behind those before it. */
class Marker {
  readonly place: LogPlace
  constructor(place: LogPlace) {
    this.place = place
  }
}

type Item = AllStreamResolvedEvent | Marker

/** What is used of the library's subscription, which is a Transform of Node. */
interface Items {
  readonly read: () => Item | null
  readonly push: (item: Item) => boolean
  readonly resume: () => unknown
  readonly on: (event: string, listener: (error: unknown) => void) => unknown
  readonly off: (event: string, listener: (error: unknown) => void) => unknown
  readonly unsubscribe: () => Promise<void>
}

const firstWaitMs = 50
const longestWaitMs = 5_000
/** One answer from this many events looked at, in windows of 32: often enough not to look at too many again. */
const windowsPerMarker = 16

interface Batch {
  readonly events: readonly RecordedEvent[]
  /** everything before has been handed over */
  readonly upTo: LogPlace
}

const take = (stream: Items, limit: number, names: StreamNames): Batch | null => {
  const events: RecordedEvent[] = []
  let upTo: LogPlace | null = null
  while (events.length < limit) {
    const item = stream.read()
    if (item === null) break
    if (item instanceof Marker) {
      upTo = item.place
      continue
    }
    const event = toRecorded(item, names)
    if (event) events.push(event)
    upTo = placeOf(item) ?? upTo
  }
  return upTo === null ? null : { events, upTo }
}

/** One connection's worth of batches. Ends when the signal is aborted. @throws when it breaks off */
async function* batchesFrom(
  options: SubscriptionOptions,
  after: LogPlace | null,
  delivered: () => Position | null,
): AsyncGenerator<Batch> {
  const { connection, names, limit, signal, silenceMs } = options
  const client = connection.client()
  const { filter } = names
  const markers = {
    checkpointInterval: windowsPerMarker,
    // Must not throw, and comes before the events that are still in the stream's buffer: it joins them.
    checkpointReached: (_: AllStreamSubscription, place: LogPlace): void => {
      if (isPlace(place)) stream.push(new Marker(place))
    },
  }
  const subscription: AllStreamSubscription = client.subscribeToAll(
    {
      fromPosition: after ?? START,
      requiresLeader: true,
      filter:
        'regex' in filter
          ? streamNameFilter({ ...filter, ...markers })
          : streamNameFilter({ ...filter, ...markers }),
    },
    { highWaterMark: limit },
  )
  const stream = subscription as unknown as Items // of which the library's types say less
  let wake = (): void => undefined
  const failures: Error[] = []
  let confirmed = false
  const woken = (): void => wake()
  const fail = (error: unknown): void => {
    failures.push(error instanceof Error ? error : new Error(String(error)))
    wake()
  }
  stream.on('readable', woken)
  stream.on('error', fail)
  stream.on('end', () => fail(new NoAnswer(0)))
  stream.on('confirmation', () => {
    confirmed = true
  })
  signal.addEventListener('abort', woken)
  /** @returns whether something happened before the time was over */
  const wait = async (ms: number): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    wake = () => resolve(true)
    const timer = setTimeout(resolve, ms, false)
    const happened = await promise
    clearTimeout(timer)
    wake = () => undefined
    return happened
  }
  try {
    for (;;) {
      if (signal.aborted) return
      const batch = take(stream, limit, names)
      if (batch) {
        yield batch
        continue
      }
      const [failed] = failures
      if (failed) throw failed
      if (await wait(silenceMs)) {
        // what comes in one go arrives over several steps: hand it over together
        await turn()
        continue
      }
      // A subscription may be silent because nothing happens, or because it is dead without knowing it.
      if (!confirmed) throw new NoAnswer(silenceMs)
      const before = delivered()
      const newest = await options.head()
      const missed = newest !== null && (before === null || newest > before)
      if (missed && delivered() === before && !(await wait(silenceMs))) throw new NoAnswer(2 * silenceMs)
    }
  } catch (thrown) {
    const failure = failureOf(thrown)
    if (failure.kind === 'away' && spoilsClient(failure.error)) connection.renew(client)
    throw thrown
  } finally {
    signal.removeEventListener('abort', woken)
    // It must flow: one that stands still is never told that it was cancelled, and its client cannot be closed.
    stream.off('readable', woken)
    stream.resume()
    // what cancelling says is of no use any more
    stream.unsubscribe().catch(() => undefined)
  }
}

/** Resolves after the time, or at once when the signal is aborted. */
const rest = (ms: number, signal: AbortSignal): Promise<unknown> =>
  // rejects only when it is cut short, which the loop sees for itself
  pause(ms, undefined, { signal }).catch(() => undefined)

/**
 * The site's events behind a position, for ever: the library does not come back by itself when the server does.
 * Goes on from what was handed over last, or from a later marker, after a pause that grows, with jitter.
 * @throws UnknownPosition; what trying again would not help, a refused account for example
 */
export async function* subscribeFrom(
  after: Position | null,
  options: SubscriptionOptions,
): AsyncGenerator<readonly RecordedEvent[]> {
  const { signal, check, onRetry } = options
  let last = after
  let place = after === null ? null : fromPosition(after)
  for (let wait = firstWaitMs; !signal.aborted; wait = Math.min(2 * wait, longestWaitMs)) {
    try {
      await check(last)
      if (signal.aborted) return
      for await (const { events, upTo } of batchesFrom(options, place, () => last)) {
        wait = firstWaitMs
        const newest = events.at(-1)
        if (newest) {
          // handed over means processed: who asks for the next batch is done with this one
          yield events
          last = newest.position
        }
        place = upTo
      }
    } catch (thrown) {
      const failure = failureOf(thrown)
      const pastMarker = place !== null && last !== toPosition(place)
      if (failure.kind === 'refused' && !pastMarker) throw failure.error
      const error = thrown instanceof Error ? thrown : new Error(String(thrown))
      // a marker is no event's place: where the server does not take it, the last event's is known to be one
      if (failure.kind === 'refused') place = last === null ? null : fromPosition(last)
      const waitMs = jittered(wait)
      if (!signal.aborted) onRetry(error, waitMs)
      await rest(waitMs, signal)
    }
  }
}
