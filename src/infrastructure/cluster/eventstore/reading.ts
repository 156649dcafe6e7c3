import { jittered, pause } from '#application/kernel/retry.ts'
import type { EventStoreDBClient, StreamingRead } from '@eventstore/db-client'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import type { Connection } from './connection.ts'
import { failureOf, NoAnswer, spoilsClient } from './failures.ts'

/** How long the log is waited for, in ms. */
export interface Timeouts {
  /** from a call, or from one event read, until the next sign of the server: its own deadlines do not act */
  readonly answerMs: number
  /** until a call that could be repeated is given up, with all its tries */
  readonly giveUpMs: number
}

export const usualTimeouts: Timeouts = { answerMs: 4_000, giveUpMs: 4_000 }

/**
 * Reads a stream to its end, or until `take` answers true.
 * @throws NoAnswer when nothing comes for `answerMs`; what the stream throws
 */
export const readEach = <Item>(
  read: StreamingRead<Item>,
  answerMs: number,
  take: (item: Item) => boolean | void,
): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  // The stream goes on flowing after it was given up: one that stands still is never told that it was
  // cancelled, and its client could not be closed. An error that comes late finds a listener, too.
  // What cancelling says is of no use any more.
  const cancel = (): void => void read.cancel().catch(() => undefined)
  const timer = setTimeout(() => {
    reject(new NoAnswer(answerMs))
    cancel()
  }, answerMs)
  let isDone = false
  read.on('data', (item) => {
    if (isDone) return
    timer.refresh()
    isDone = take(item) === true
    if (!isDone) return
    resolve()
    cancel()
  })
  read.on('error', reject)
  read.on('end', resolve)
  return promise.finally(() => clearTimeout(timer))
}

const firstPauseMs = 50
const longestPauseMs = 1_000

/**
 * Repeats a call that changes nothing until the server answers or it takes too long.
 * @throws EngineAway; what trying again would not help
 */
export const retrying = async <Result>(
  connection: Connection,
  timeouts: Timeouts,
  call: (client: EventStoreDBClient, answerMs: number) => Promise<Result>,
): Promise<Result> => {
  const ends = performance.now() + timeouts.giveUpMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const client = connection.client()
    const answerMs = Math.min(timeouts.answerMs, ends - performance.now())
    try {
      const result = await call(client, answerMs)
      if (connection.isOpen(client)) return result
      throw new NoAnswer(timeouts.answerMs)
    } catch (thrown) {
      const failure = failureOf(thrown)
      if (failure.kind === 'refused') throw failure.error
      if (failure.kind !== 'away') throw thrown
      // A try that had little time left says nothing of the client, and with it all others would lose their answers.
      const hadItsTime = !(thrown instanceof NoAnswer) || answerMs > timeouts.answerMs / 2
      if (hadItsTime && spoilsClient(failure.error)) connection.renew(client)
      if (performance.now() + pauseMs > ends) throw away(failure.error)
      await pause(jittered(pauseMs))
      // This process stood still.
      if (performance.now() >= ends) throw away(failure.error)
    }
  }
}

export const away = (cause: unknown): EngineAway =>
  new EngineAway('log', 'The event log does not answer just now. Please try again in a moment', { cause })
