import { setImmediate as turn } from 'node:timers/promises'
import { jittered, pause } from '#application/kernel/retry.ts'
import { asError } from '#application/kernel/reason.ts'
import { UnknownPosition, type Position, type RecordedEvent } from '#application/kernel/ports/event-store.ts'
import type { Connection } from './connection.ts'
import { Ended, failureOf, NoAnswer, spoilsClient } from './failures.ts'
import { type Batch, endItems, openItems, takeBatch } from './filtered-items.ts'
import { fromPosition, type LogPlace, toPosition } from './positions.ts'
import type { StreamNames } from './stored-events.ts'

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
  readonly onRetry: (error: Error, retryInMs: number) => void
}

const firstPauseMs = 50
const longestPauseMs = 5_000
/** One connection's worth of batches. Ends when the signal is aborted. @throws when it breaks off */
async function* batchesFrom(
  options: SubscriptionOptions,
  after: LogPlace | null,
  delivered: () => Position | null,
): AsyncGenerator<Batch> {
  const { connection, names, limit, signal, silenceMs } = options
  const client = connection.client()
  const stream = openItems(client, names, after, limit)
  let wake = (): void => undefined
  const failures: Error[] = []
  let confirmed = false
  const woken = (): void => wake()
  const fail = (error: Error): void => {
    failures.push(error)
    wake()
  }
  stream.on('readable', woken)
  stream.on('error', fail)
  stream.on('end', () => fail(new Ended()))
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
      const batch = takeBatch(stream, limit, names)
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
    stream.off('readable', woken)
    endItems(stream)
  }
}

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
  for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      await check(last)
      if (signal.aborted) return
      for await (const { events, upTo } of batchesFrom(options, place, () => last)) {
        pauseMs = firstPauseMs
        const newest = events.at(-1)
        if (newest) {
          // handed over means processed: who asks for the next batch is done with this one
          yield events
          last = newest.position
        }
        place = upTo
      }
    } catch (thrown) {
      if (thrown instanceof UnknownPosition) throw thrown
      const failure = failureOf(thrown)
      const lastPlace = last === null ? null : fromPosition(last)
      const isMarker = place !== null && last !== toPosition(place)
      if (failure.kind === 'refused' && !isMarker) throw failure.error
      // A marker is no event's place: where the server does not take it, or says nothing there, it begins at one.
      if (failure.kind === 'refused' || thrown instanceof NoAnswer || thrown instanceof Ended)
        place = lastPlace
      const error = asError(thrown)
      const retryInMs = jittered(pauseMs)
      if (!signal.aborted) onRetry(error, retryInMs)
      await pause(retryInMs, signal)
    }
  }
}
