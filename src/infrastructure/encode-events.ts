import type { NewEvent } from '#application/kernel/ports/event-store.ts'

/** What of an event is written: everything but its place, already text. */
export interface EventText extends Omit<NewEvent, 'meta' | 'data'> {
  readonly meta: string
  readonly data: string
}

/** An append holds at most this many bytes of data (EventStoreDB's own bound). */
const maxAppendBytes = 1_048_576

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const encode = (event: NewEvent): EventText => {
  if (event.type === '') throw new TypeError('An event needs a type')
  if (!uuid.test(event.id)) throw new TypeError(`The event id "${event.id}" is no UUID`)
  if (!Number.isSafeInteger(event.schemaVersion) || event.schemaVersion < 1)
    throw new TypeError(`The schema version of ${event.type} must be a whole number from 1 on`)
  return {
    id: event.id,
    type: event.type,
    schemaVersion: event.schemaVersion,
    occurredAt: event.occurredAt,
    meta: JSON.stringify(event.meta),
    data: JSON.stringify(event.data),
  }
}

/**
 * Checks an append and turns its events into text, so that what JSON cannot hold fails before anything is
 * queued.
 * @throws TypeError for an empty batch, stream or type, an id that is no UUID, or a bigint
 * @throws RangeError for more than {@link maxAppendBytes} of data
 */
export const encodeEvents = (stream: string, events: readonly NewEvent[]): readonly EventText[] => {
  if (stream === '') throw new TypeError('A stream needs a name')
  if (events.length === 0) throw new TypeError(`An append to ${stream} needs at least one event`)
  const encoded = events.map(encode)
  const bytes = encoded.reduce((sum, event) => sum + Buffer.byteLength(event.data), 0)
  if (bytes > maxAppendBytes)
    throw new RangeError(`An append to ${stream} of ${bytes} bytes is more than ${maxAppendBytes}`)
  return encoded
}
