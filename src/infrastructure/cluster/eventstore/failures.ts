import { asError } from '#application/kernel/reason.ts'
import { EngineAway, type ExpectedRevision } from '#application/kernel/ports/event-store.ts'

/** Our own timer ran out before the server said anything. What was sent may have been carried out. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'

  constructor(ms: number) {
    super(`The event log gave no answer within ${Math.round(ms)} ms`)
  }
}

/** The server has ended what goes on for ever. */
export class Ended extends Error {
  override readonly name = 'Ended'

  constructor() {
    super('The event log ended the subscription')
  }
}

/** What a failed call means for its caller. */
export type Failure =
  /** the stream stands elsewhere */
  | { readonly kind: 'conflict'; readonly actual: ExpectedRevision }
  /** there is no such stream */
  | { readonly kind: 'absent' }
  /** the server is away, starting or overloaded; what was sent may have been carried out: try again */
  | { readonly kind: 'away'; readonly error: Error }
  /** trying again would not help */
  | { readonly kind: 'refused'; readonly error: Error }

const field = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null && name in error
    ? (error as Readonly<Record<string, unknown>>)[name] // looked for the line before
    : undefined

const revision = (actual: unknown): ExpectedRevision => {
  const number = typeof actual === 'bigint' || typeof actual === 'number' ? Number(actual) : -1
  return number < 0 ? 'no-stream' : number
}

// By type where the library gives one. A connection that breaks under an append has none, only its gRPC code;
// a server that is starting or ends gracefully is "unknown", with its words in the message.
const awayTypes = new Set(['unavailable', 'cancelled', 'timeout', 'deadline-exceeded', 'not-leader'])
/** cancelled, unknown, deadline exceeded, aborted, internal, unavailable */
const awayCodes = new Set([1, 2, 4, 10, 13, 14])
// A call that finds the channel closed under it by the failure of another has nothing but its words.
const awayWords =
  /Server Is Not Ready|UNAVAILABLE|RST_STREAM|ECONN|timed out|Failed to discover|Channel has been shut down/i

/** Sorts what a call to the server threw, by its type, code and message together. */
export const failureOf = (thrown: unknown): Failure => {
  const error = asError(thrown)
  const type = field(thrown, 'type')
  const code = field(thrown, 'code')
  // our own words for it, said by a call that has given up
  if (thrown instanceof NoAnswer || thrown instanceof Ended || thrown instanceof EngineAway)
    return { kind: 'away', error }
  if (type === 'wrong-expected-version') {
    // its message is empty; the truth stands in its fields
    return { kind: 'conflict', actual: revision(field(thrown, 'actualVersion')) }
  }
  if (type === 'stream-not-found') return { kind: 'absent' }
  if (type === 'access-denied' || code === 7 || code === 16) {
    const words =
      'The event log refuses the account in EVENTSTORE_URL: check its name, its password and that it may read $all'
    return { kind: 'refused', error: new EngineAway('log', words, { cause: error }) }
  }
  if (type === 'stream-deleted') {
    return {
      kind: 'refused',
      error: new Error('The stream was deleted on the server: Atelier never does', { cause: error }),
    }
  }
  if (type === 'maximum-append-size-exceeded' || code === 3 || code === 8) return { kind: 'refused', error }
  if (awayWords.test(error.message)) return { kind: 'away', error }
  if (typeof type === 'string' && awayTypes.has(type)) return { kind: 'away', error }
  if (/BadRequest/.test(error.message)) return { kind: 'refused', error }
  if (type === 'unknown' || (typeof code === 'number' && awayCodes.has(code))) return { kind: 'away', error }
  return { kind: 'refused', error }
}

/** Whether a failure leaves doubt about the client itself: the library keeps such an answer for ever. */
export const spoilsClient = (error: Error): boolean => field(error, 'type') !== 'unavailable'
