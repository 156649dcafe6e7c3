import { jsonEvent, type EventData, type ResolvedEvent } from '@eventstore/db-client'
import type { EventMeta, JsonObject, NewEvent, RecordedEvent } from '#application/kernel/ports/event-store.ts'
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

const isStoredMeta = (metadata: unknown): metadata is StoredMeta =>
  typeof metadata === 'object' && metadata !== null && 'schemaVersion' in metadata && 'meta' in metadata

/** Where an event or link stands in `$all`; null for what the server sends without a place. */
export const placeOf = (resolved: ResolvedEvent): LogPlace | null =>
  resolved.link?.position ?? resolved.event?.position ?? null

/**
 * What was read as an event of the site; null for what is none of ours: other sites' events, the server's own
 * (a deleted stream's `$streamDeleted` stands in our own stream) and links to events that are gone.
 */
export const toRecorded = (resolved: ResolvedEvent, names: StreamNames): RecordedEvent | null => {
  const { event } = resolved
  if (event === undefined || event.position === undefined || event.type.startsWith('$')) return null
  const stream = names.own(event.streamId)
  if (stream === null || !isStoredMeta(event.metadata)) return null
  const { schemaVersion, occurredAt, meta } = event.metadata
  return {
    stream,
    revision: Number(event.revision),
    position: toPosition(event.position),
    id: event.id,
    type: event.type,
    schemaVersion,
    occurredAt,
    meta,
    data: event.data as JsonObject, // written by toProposed
  }
}
