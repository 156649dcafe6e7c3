import { jsonEvent, type EventData, type ResolvedEvent } from '@eventstore/db-client'
import {
  type EventMeta,
  foreignType,
  type NewEvent,
  type RecordedEvent,
} from '#application/kernel/ports/event-store.ts'
import { domainEvents, isStreamName } from '#domain/events.ts'
import { damaged, isObject } from '../../rotted.ts'
import { type LogPlace, toPosition } from './positions.ts'

/** Beside the data of each event on the server. */
interface StoredMeta {
  readonly schemaVersion: number
  readonly occurredAt: string
  readonly meta: EventMeta
}

/** Between the namespace and a stream's own name; neither holds it. */
const separator = ':'

/** How a site's streams are named on a server that it may share. */
export interface StreamNames {
  readonly stored: (stream: string) => string
  /** the site's own name of a stream; null for those of others and of the server itself */
  readonly own: (stored: string) => string | null
  /** lets the server send the site's own streams only; a little more may come */
  readonly filter: { readonly prefixes: string[] } | { readonly regex: string }
}

/** A namespace that no setting can name and that no site takes for its own, for what stands beside the site of this one. */
export const beside = (namespace: string): string => namespace + separator

/** @param namespace the setting; empty when the server is the site's alone */
export const streamNames = (namespace: string): StreamNames => {
  const prefix = namespace === '' ? '' : namespace + separator
  return {
    stored: (stream) => prefix + stream,
    own: (stored) => {
      if (!stored.startsWith(prefix) || stored.startsWith('$')) return null
      const own = stored.slice(prefix.length)
      return own.includes(separator) ? null : own
    },
    filter: prefix === '' ? { regex: `^[^$${separator}][^${separator}]*$` } : { prefixes: [prefix] },
  }
}

/** @throws TypeError for a name that could be mistaken for another site's or the server's own */
export const checkStreamName = (stream: string): void => {
  if (stream.startsWith('$') || stream.includes(separator)) {
    throw new TypeError(`A stream cannot be called ${stream}: $ in front and ${separator} have a meaning`)
  }
}

/** An event as the library sends it. Its data and metadata must be JSON already checked. */
export const toProposed = (event: NewEvent): EventData => {
  const { id, type, schemaVersion, occurredAt, meta, data } = event
  const beside: StoredMeta = { schemaVersion, occurredAt, meta }
  // the library's type knows no interfaces; both are plain JSON
  return jsonEvent({ id, type, data, metadata: beside as unknown as Record<string, unknown> })
}

/** What the library has read of a part of an event, which is text or bytes where it is no JSON. */
const textOf = (value: unknown): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString() : JSON.stringify(value ?? null)

/** Whether it is what stands beside an event of the site's; its parts are looked at by who reads them. */
const isWhole = (metadata: unknown): boolean =>
  isObject(metadata) &&
  Number.isInteger(metadata['schemaVersion']) &&
  typeof metadata['occurredAt'] === 'string' &&
  isObject(metadata['meta'])

/** The words beside the data of each event of the site's. Others use some of them as well. */
const metaWords = [
  'schemaVersion',
  'occurredAt',
  'meta',
  'correlationId',
  'causationId',
  'commandId',
  'actor',
] satisfies readonly (keyof StoredMeta | keyof EventMeta)[]
/** Where something has rotted in one place no more of them are gone. */
const mostLacking = 2

/**
 * Whether an event without the site's form may be one of the site's that has rotted: it has a type of the site's, or nearly all
 * words of what stands beside the data. Were such a one passed over, what it says would be gone without a word; were another
 * program's taken for one, no backup could be made.
 */
const mayBeOurs = (type: string, metadata: unknown): boolean => {
  if (Object.hasOwn(domainEvents, type)) return true
  const text = textOf(metadata)
  return metaWords.filter((word) => !text.includes(`"${word}"`)).length <= mostLacking
}

/** What stands beside the data of an event of the site's that has rotted: no version is known, so that nobody can read it. */
const rottedMeta = (metadata: unknown): StoredMeta => ({
  schemaVersion: 0,
  occurredAt: '',
  meta: damaged(textOf(metadata)) as unknown as EventMeta, // who reads it sees that it is none
})

/** Where an event or link stands in `$all`; null for what the server sends without a place. */
export const placeOf = (resolved: ResolvedEvent): LogPlace | null =>
  resolved.link?.position ?? resolved.event?.position ?? null

/**
 * What was read as an event of the site; null for what is none of ours: other sites' events, the server's own
 * (a deleted stream's `$streamDeleted` stands in our own stream) and links to events that are gone. What another program
 * has written into a stream of the site's is there as {@link foreignType}.
 */
export const toRecorded = (resolved: ResolvedEvent, names: StreamNames): RecordedEvent | null => {
  const { event } = resolved
  if (event === undefined || event.position === undefined || event.type === '$streamDeleted') return null
  const { id, type, metadata } = event
  const stream = names.own(event.streamId)
  const isSiteForm = isWhole(metadata)
  if (stream === null || !(isSiteForm || isStreamName(stream))) return null
  const isOurs = !type.startsWith('$') && (isSiteForm || mayBeOurs(type, metadata))
  const { schemaVersion, occurredAt, meta } = isSiteForm
    ? (metadata as unknown as StoredMeta) // looked at above
    : rottedMeta(metadata)
  const data = isObject(event.data) ? event.data : damaged(textOf(event.data))
  return {
    stream,
    revision: Number(event.revision),
    position: toPosition(event.position),
    id,
    type: isOurs ? type : foreignType,
    schemaVersion,
    occurredAt,
    meta,
    data: isOurs ? data : { type },
  }
}
