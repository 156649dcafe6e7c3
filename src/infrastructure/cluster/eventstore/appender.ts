import { atMost } from '#application/kernel/turns.ts'
import { within } from '#application/kernel/within.ts'
import { jittered, pause } from '#application/kernel/retry.ts'
import type { AppendResult as StoredResult, EventStoreDBClient } from '@eventstore/db-client'
import {
  EngineAway,
  RevisionConflict,
  type AppendResult,
  type ExpectedRevision,
  type NewEvent,
} from '#application/kernel/ports/event-store.ts'
import type { Connection } from './connection.ts'
import { failureOf, NoAnswer, spoilsClient } from './failures.ts'
import type { LogOnServer } from './log-on-server.ts'
import { toPosition } from './positions.ts'
import { away, type Timeouts } from './reading.ts'
import { toProposed } from './stored-events.ts'

const firstPauseMs = 50
const longestPauseMs = 1_000
/**
 * Appends on their way at once. One stream takes them all, and when it breaks with more than it buffers (16)
 * the library ends the process.
 */
const mostUnderWay = 12
/**
 * The library tells the server a time of day by which an append is to be written, by this process's clock: one that is behind
 * would come too late with every append. As late as it takes: the server has a limit of its own, and so has this process.
 */
const deadlineMs = 365 * 24 * 3_600_000

/** What an append asks for. */
export interface Append {
  /** whose names the stream has on the server */
  readonly log: LogOnServer
  readonly stream: string
  readonly expected: ExpectedRevision
  readonly events: readonly NewEvent[]
}

/** So much of the time for an append is kept for looking whether it is there: a quarter, at most this, in ms. */
const longestLookMs = 1_000

/** It was not even its turn: nothing was written. */
class NotSent extends NoAnswer {}

interface AppenderOptions {
  readonly connection: Connection
  readonly timeouts: Timeouts
  /** looks for an append in the log; null when it is not there */
  readonly find: (append: Append) => Promise<AppendResult | null>
  readonly signal: AbortSignal
}

/**
 * Appends. Whether one without an answer was written is found out: by looking for its ids where they would
 * stand, then by sending the same ids at the same revision again, which the server answers as the first time.
 */
export const createAppender = (options: AppenderOptions): ((append: Append) => Promise<AppendResult>) => {
  const { connection, timeouts, find, signal } = options
  const inTurn = atMost(mostUnderWay)
  /** when the server last answered, whatever it said */
  let answeredAt = 0

  /** One try. @throws NoAnswer, what the library throws */
  const ask = async (client: EventStoreDBClient, append: Append, ms: number): Promise<StoredResult> => {
    const { log, stream, expected, events } = append
    const answer = client.appendToStream(log.names.stored(stream), events.map(toProposed), {
      expectedRevision: expected === 'no-stream' ? 'no_stream' : BigInt(expected),
      requiresLeader: true,
      deadline: deadlineMs,
    })
    // No deadline of the library acts here.
    return within(answer, ms, () => {
      throw new NoAnswer(ms)
    })
  }

  /** @param left how long it may take still, in ms */
  const send = async (append: Append, left: () => number): Promise<StoredResult> => {
    const client = connection.client()
    const sentAt = performance.now()
    const ms = left()
    // This process stood still: whoever asked for it is told that it was not written, and others may rely on that.
    if (ms === 0) throw new NotSent(ms)
    try {
      const result = await ask(client, append, ms)
      answeredAt = performance.now()
      return result
    } catch (thrown) {
      const failure = failureOf(thrown)
      if (failure.kind !== 'away') answeredAt = performance.now()
      // Where others are answered only this one answer is lost, and the client is sound.
      else if (spoilsClient(failure.error) && answeredAt < sentAt) connection.renew(client)
      throw thrown
    }
  }

  /** @param ends when it is given up, on the clock of `performance` */
  const sendInTurn = async (append: Append, ends: number): Promise<StoredResult> => {
    const left = () => Math.max(0, Math.min(timeouts.answerMs, ends - performance.now()))
    const ms = left()
    return inTurn(() => send(append, left), { ms, late: () => new NotSent(ms) })
  }

  return async (append) => {
    const ends = performance.now() + timeouts.giveUpMs
    const triesEnd = ends - Math.min(longestLookMs, timeouts.giveUpMs / 4)
    let inDoubt = false
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      if (signal.aborted) throw new EngineAway('log', 'The log is closed: the server is stopping')
      try {
        const { nextExpectedRevision, position } = await sendInTurn(append, triesEnd)
        if (position) return { revision: Number(nextExpectedRevision), position: toPosition(position) }
        // an answer to known ids may come without their place
        const found = await find(append)
        if (found) return found
        throw new Error(`An append to ${append.stream} was acknowledged, yet is not there`)
      } catch (thrown) {
        const failure = failureOf(thrown)
        if (failure.kind === 'refused') throw failure.error
        if (failure.kind === 'absent') throw thrown
        if (failure.kind === 'away' && !(thrown instanceof NotSent)) inDoubt = true
        // a log that does not answer the look either is asked again after the next try
        const found = inDoubt
          ? await within(
              find(append).catch(() => null),
              Math.max(0, ends - performance.now()),
              () => null,
            )
          : null
        if (found) return found
        if (failure.kind === 'conflict') {
          throw new RevisionConflict(append.stream, append.expected, failure.actual)
        }
        if (performance.now() + pauseMs > triesEnd) throw away(failure.error)
        await pause(jittered(pauseMs))
      }
    }
  }
}
