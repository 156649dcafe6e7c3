import {
  ofAnotherEngine,
  type EventMeta,
  type JsonObject,
  type Position,
  type RecordedEvent,
} from '#application/kernel/ports/event-store.ts'
import { damaged, isObject } from '../rotted.ts'

/**
 * A row of `events` as selected by {@link eventColumns}, as a list: SQLite gives lists in half the time of
 * objects, which a replay feels.
 */
export type EventRow = readonly [
  position: number,
  stream: string,
  revision: number,
  id: string,
  type: string,
  schemaVersion: number,
  occurredAt: string,
  meta: string,
  data: string,
]

export const eventColumns = 'position, stream, revision, id, type, schema_version, occurred_at, meta, data'

/** Digits of a position: every whole number that JavaScript counts exactly. */
const digitsOfPosition = 16

const zeros = '0'.repeat(digitsOfPosition)

/** The log's number as a position: comparing two as strings compares the numbers. */
export const toPosition = (number: number): Position => {
  const digits = String(number)
  // padStart does the same and takes five times as long, which a replay feels
  return (zeros.slice(digits.length) + digits) as Position // the one place that makes them
}

/** The number of a position. @throws {UnknownPosition} when another engine made it */
export const fromPosition = (position: Position): number => {
  if (!/^\d{16}$/.test(position)) throw ofAnotherEngine(position)
  return Number(position)
}

const types = new Map<string, string>()

/**
 * One and the same text for each type: comparing a text with itself is a look at its address, and everybody
 * who reads the log compares types again and again.
 */
const sameType = (type: string): string => {
  const known = types.get(type)
  if (known !== undefined) return known
  // keys of objects are texts that the engine keeps once
  const [kept = type] = Object.keys({ [type]: true })
  types.set(kept, kept)
  return kept
}

/** What a text of the log holds; one that rotted as it is. */
const parsed = (text: string): JsonObject => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : damaged(text)
  } catch {
    return damaged(text)
  }
}

/** An event as read. `meta` is parsed when it is first asked for: most views never do, and it is half of the work. */
class StoredEvent implements RecordedEvent {
  readonly position: Position
  readonly stream: string
  readonly revision: number
  readonly id: string
  readonly type: string
  readonly schemaVersion: number
  readonly occurredAt: string
  readonly data: JsonObject
  #meta: string | EventMeta

  constructor(row: EventRow) {
    this.position = toPosition(row[0])
    this.stream = row[1]
    this.revision = row[2]
    this.id = row[3]
    this.type = sameType(row[4])
    this.schemaVersion = row[5]
    this.occurredAt = row[6]
    this.#meta = row[7]
    this.data = parsed(row[8])
  }

  get meta(): EventMeta {
    if (typeof this.#meta === 'string') this.#meta = parsed(this.#meta) as unknown as EventMeta // written by encodeEvents, or what no meta is any more
    return this.#meta
  }
}

/** The event a row holds. */
export const toRecorded = (row: EventRow): RecordedEvent => new StoredEvent(row)
