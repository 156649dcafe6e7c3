/**
 * A place in the log, made by the engine and opaque to everybody else. Every engine makes its positions so
 * that comparing two as strings tells which event came first.
 */
export type Position = string & { readonly __position: unique symbol }

/** The earlier of two places; null is before the first event. */
export const earlier = (a: Position | null, b: Position | null): Position | null =>
  a === null || b === null ? null : a < b ? a : b

/** The further of two places; null is before the first event. */
export const further = (a: Position | null, b: Position | null): Position | null =>
  a === null || (b !== null && b > a) ? b : a

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export interface JsonObject {
  readonly [key: string]: Json
}

/** Who caused an event: the owner's account, a visitor, or the site itself (schedule, worker, first start). */
export type Actor =
  | { readonly kind: 'owner'; readonly accountId: string }
  | { readonly kind: 'visitor' }
  | { readonly kind: 'system'; readonly name: string }

/** What stands beside every event's data. */
export interface EventMeta {
  /** one id from the click to the projection: the request's */
  readonly correlationId: string
  /** what caused it: the id of a command or of an event */
  readonly causationId: string
  readonly commandId: string
  readonly actor: Actor
}

/** An event as it is given to the log. `data` is already encoded by the codec. */
export interface NewEvent {
  /** UUID, derived from the command id and the event's index in it */
  readonly id: string
  readonly type: string
  readonly schemaVersion: number
  /** ISO 8601, UTC, milliseconds */
  readonly occurredAt: string
  readonly meta: EventMeta
  readonly data: JsonObject
}

/**
 * An event as the log answers it: raw, in the schema version it was written in. An engine may make a field
 * only when it is asked for: name the fields you copy, do not spread them.
 */
export interface RecordedEvent extends NewEvent {
  readonly stream: string
  /** 0 for the first event of a stream */
  readonly revision: number
  readonly position: Position
}

/**
 * The type under which an engine gives an event of another program's that stands in a stream of the site's: it has its
 * revision there, says nothing to the site, and is in no archive. The type that it has itself is in its data.
 */
export const foreignType = '$foreign'

export const isForeign = ({ type }: Pick<RecordedEvent, 'type'>): boolean => type === foreignType

/** The revision the writer saw last: of the stream's newest event, or `no-stream`. There is no "any". */
export type ExpectedRevision = 'no-stream' | number

export interface AppendResult {
  /** of the last event of this append */
  readonly revision: number
  readonly position: Position
}

/** Somebody else appended to the stream first. `actual` is its revision now, `no-stream` when it has none. */
export class RevisionConflict extends Error {
  override readonly name = 'RevisionConflict'
  readonly stream: string
  readonly expected: ExpectedRevision
  readonly actual: ExpectedRevision

  constructor(stream: string, expected: ExpectedRevision, actual: ExpectedRevision) {
    super(`Stream ${stream} stands at ${actual}, not at ${expected}`)
    this.stream = stream
    this.expected = expected
    this.actual = actual
  }
}

/**
 * A position that this log never gave: of another engine, or beyond the log's end because the log was replaced
 * by an older copy. Waiting at it would show nothing for ever. The message is for people.
 */
export class UnknownPosition extends Error {
  override readonly name = 'UnknownPosition'
}

/**
 * Builds all views anew from the log as it is. With every process stopped it also goes on with a log that is an older
 * copy of what it was.
 */
export const rebuildAll = '"atelier projections rebuild --all --fresh"'

/** @param end the position of the newest event; null when the log is empty */
export const beyondEnd = (position: Position, end: Position | null): UnknownPosition =>
  new UnknownPosition(
    `The read models stand at ${position}, beyond the end of the event log (${end ?? 'it is empty'}): it is ` +
      'another log than theirs, or an older copy of it. Point EVENTSTORE_URL or DATA_DIR at the right one, ' +
      `or, where it is the right one, build the read models anew: ${rebuildAll}`,
  )

/** The error for a position that another kind of log made. */
export const ofAnotherEngine = (position: Position): UnknownPosition =>
  new UnknownPosition(
    `"${position}" is no position of this log: it was made by another engine. Build the read models anew on this one`,
  )

/** An engine does not answer or cannot write now; trying again later may help. The message is for people. */
export class EngineAway extends Error {
  override readonly name: string = 'EngineAway'
  readonly engine: string

  constructor(engine: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.engine = engine
  }
}

/** A call got no answer, or not the one that it asked for: the engine may answer others all the while. */
export class EngineUnheard extends EngineAway {
  override readonly name = 'EngineUnheard'
}

/** The disk has no room left. */
export class DiskFull extends EngineAway {
  override readonly name = 'DiskFull'
  /** what stands on that disk, where it is known and whoever asks may know it */
  readonly place: string | null

  constructor(options?: ErrorOptions, place: string | null = null) {
    super(
      'disk',
      place === null
        ? 'The disk is full: free some space, then try again'
        : `The disk of ${place} is full: free some space there, then try again`,
      options,
    )
    this.place = place
  }
}

/** The same error, which names the disk when it did not and is a full one. */
export const fullDiskAt = (place: string, error: unknown): unknown =>
  error instanceof DiskFull && error.place === null ? new DiskFull({ cause: error }, place) : error

/** One append of {@link EventStore.appendInOrder}, as `append` takes it. */
export interface StreamAppend {
  readonly stream: string
  readonly expected: ExpectedRevision
  readonly events: readonly NewEvent[]
}

/** The log. Acknowledged means on the disk: an append that resolved survives `kill -9`. */
export interface EventStore {
  /**
   * Appends all events or none, at the end of one stream. At least one event; at most 1 MiB in all.
   * The same ids sent again at the same expected revision answer as the first time and write nothing.
   * @throws {RevisionConflict} when the stream is not at `expected`
   * @throws {EngineAway} when the engine does not answer
   */
  readonly append: (
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
  ) => Promise<AppendResult>
  /**
   * Several appends that must stand in the log in this order, as an import needs it. When one fails, none
   * behind it is written; those before it may be.
   * @throws as `append`
   */
  readonly appendInOrder: (appends: readonly StreamAppend[]) => Promise<void>
  /**
   * The events of a stream from a revision on (0: all), oldest first; empty when there is none.
   * @param limit at most so many; all unless told
   */
  readonly readStream: (
    stream: string,
    fromRevision: number,
    limit?: number,
  ) => Promise<readonly RecordedEvent[]>
  /**
   * Up to `limit` events behind a position (null: from the beginning), in log order: fewer where they are long
   * (`event-page.ts`), none only at the end.
   */
  readonly readAll: (after: Position | null, limit: number) => Promise<readonly RecordedEvent[]>
  /**
   * All events behind a position in log order, first those that are there, then those to come, in batches of
   * at most `limit`. Reconnects by itself for ever; ends when the signal is aborted. Order and completeness
   * hold also under concurrent appends. `limit` is a hint for catching up; live batches are what has come.
   */
  readonly subscribe: (
    after: Position | null,
    options: { readonly limit: number; readonly signal: AbortSignal },
  ) => AsyncIterable<readonly RecordedEvent[]>
  /** The position of the newest event, null when the log is empty. Asked of the engine each time. */
  readonly head: () => Promise<Position | null>
  readonly close: () => Promise<void>
}
