import { setTimeout as pause } from 'node:timers/promises'
import type { AppendResult as StoredResult, EventStoreDBClient } from '@eventstore/db-client'
import { RevisionConflict } from '#application/ports/event-store.ts'
import type { AppendResult, ExpectedRevision, NewEvent } from '#application/ports/event-store.ts'
import { type Connection, openConnection } from './connection.ts'
import { failureOf, NoAnswer, spoilsClient } from './failures.ts'
import { toPosition } from './positions.ts'
import { away, jittered, type Patience } from './reading.ts'
import { toProposed } from './stored-events.ts'

/** Appends on their way to the server at once. The library ends the process when a stream with 16 breaks. */
const mostUnderWay = 12
const firstWaitMs = 50
const longestWaitMs = 1_000

/** The one client of this process that appends: see {@link openAppender}. */
interface Shared {
  readonly address: string
  readonly connection: Connection
  readonly turns: Turns
  users: number
  /** when the server last answered an append, whatever it said */
  answeredAt: number
}

/** Lets so many in at once; the others wait in line. */
interface Turns {
  readonly enter: () => Promise<void>
  readonly leave: () => void
}

const takeTurns = (most: number): Turns => {
  const waiting: (() => void)[] = []
  let inside = 0
  return {
    enter: async () => {
      if (inside >= most) await new Promise<void>((resolve) => waiting.push(resolve))
      else inside += 1
    },
    leave: () => {
      const next = waiting.shift()
      if (next) next()
      else inside -= 1
    },
  }
}

const shared = new Map<string, Shared>()

const join = (address: string, onError: (error: unknown) => void): Shared => {
  const known = shared.get(address) ?? {
    address,
    connection: openConnection(address, onError),
    turns: takeTurns(mostUnderWay),
    users: 0,
    answeredAt: 0,
  }
  shared.set(address, known)
  known.users += 1
  return known
}

/** What an append asks for; the stream by its name on the server. */
export interface Append {
  readonly stream: string
  readonly storedAs: string
  readonly expected: ExpectedRevision
  readonly events: readonly NewEvent[]
}

export interface Appender {
  /** @throws RevisionConflict, EngineAway */
  readonly append: (append: Append) => Promise<AppendResult>
  readonly close: () => Promise<void>
}

/**
 * Appends through one client that all stores of the process on one server share: the library keeps the appends
 * of all its clients in one list, and an error in one throws out those of the others.
 *
 * Whether an append without an answer was written is found out: by looking for its ids where it would stand,
 * then by sending the same ids at the same revision again, which the server answers as the first time.
 * @param options.find looks for an append in the log; null when it is not there
 */
export const openAppender = (options: {
  readonly address: string
  readonly patience: Patience
  readonly find: (append: Append) => Promise<AppendResult | null>
  readonly onError: (error: unknown) => void
}): Appender => {
  const { patience, find } = options
  const own = join(options.address, options.onError)
  let closed = false

  /** One try. @throws NoAnswer, what the library throws */
  const send = async (client: EventStoreDBClient, append: Append): Promise<StoredResult> => {
    const sentAt = performance.now()
    const answer = client.appendToStream(append.storedAs, append.events.map(toProposed), {
      expectedRevision: append.expected === 'no-stream' ? 'no_stream' : BigInt(append.expected),
      requiresLeader: true,
    })
    const { promise: silence, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      // Only this answer may be lost; the client is replaced when nobody gets any.
      if (own.answeredAt < sentAt) own.connection.renew(client)
      reject(new NoAnswer(patience.answerMs))
    }, patience.answerMs)
    try {
      const result = await Promise.race([answer, silence])
      own.answeredAt = performance.now()
      return result
    } finally {
      clearTimeout(timer)
      // It may still come, and nobody waits for it then.
      answer.catch(() => undefined)
    }
  }

  const sendInTurn = async (append: Append): Promise<StoredResult> => {
    await own.turns.enter()
    try {
      const client = await own.connection.client()
      try {
        return await send(client, append)
      } catch (thrown) {
        const failure = failureOf(thrown)
        if (failure.kind !== 'away') own.answeredAt = performance.now()
        else if (!(thrown instanceof NoAnswer) && spoilsClient(failure.error)) own.connection.renew(client)
        throw thrown
      }
    } finally {
      own.turns.leave()
    }
  }

  return {
    append: async (append) => {
      const ends = performance.now() + patience.giveUpMs
      let inDoubt = false
      for (let wait = firstWaitMs; ; wait = Math.min(2 * wait, longestWaitMs)) {
        if (closed) throw away(new Error('The log is closed: the server is stopping'))
        try {
          const { nextExpectedRevision, position } = await sendInTurn(append)
          if (position) return { revision: Number(nextExpectedRevision), position: toPosition(position) }
          // an answer to known ids may come without their place
          const found = await find(append)
          if (found) return found
          throw new Error(`An append to ${append.stream} was acknowledged, yet is not there`)
        } catch (thrown) {
          const failure = failureOf(thrown)
          if (failure.kind === 'refused') throw failure.error
          if (failure.kind === 'absent') throw thrown
          if (failure.kind === 'away') inDoubt = true
          const found = inDoubt ? await find(append).catch(() => null) : null
          if (found) return found
          if (failure.kind === 'conflict') {
            throw new RevisionConflict(append.stream, append.expected, failure.actual)
          }
          if (performance.now() + wait > ends) throw away(failure.error)
          await pause(jittered(wait))
        }
      }
    },
    close: async () => {
      if (closed) return
      closed = true
      own.users -= 1
      if (own.users > 0) return
      shared.delete(own.address)
      await own.connection.close()
    },
  }
}
