import { z } from 'zod'
import { canonicalJson } from './canonical-json.ts'
import type { EventMeta, JsonObject, NewEvent, RecordedEvent } from '../ports/event-store.ts'
import { domainEvents } from '#domain/events.ts'
import { Refusal } from '#domain/refusal.ts'

/** An event as a line of an export holds it: as stored, without its position in any one log. */
export interface ExportedEvent extends NewEvent {
  readonly stream: string
  readonly revision: number
}

/**
 * By what a site is known: its first event, and when that was. The id alone tells none: where a first start adds the samples, it
 * makes events of the same ids everywhere.
 */
export const siteKnownBy = ({ id, occurredAt }: Pick<ExportedEvent, 'id' | 'occurredAt'>): string =>
  `${id} ${occurredAt}`

/** The last line: how many lines stand before it, and the SHA-256 over them, line ends included. */
export interface ExportEnd {
  readonly events: number
  readonly sha256: string
}

/** As deep as MongoDB keeps a document; an event of ours is four. Whatever walks through one calls itself for each level. */
const deepest = 100

const isShallow = (value: unknown, left = deepest): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (left > 0 && Object.values(value).every((each) => isShallow(each, left - 1)))

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && isShallow(value)

const metaForm = z.looseObject({
  correlationId: z.string(),
  causationId: z.string(),
  commandId: z.string(),
  actor: z.looseObject({ kind: z.string() }),
})

const isMeta = (value: unknown): boolean => metaForm.safeParse(value).success && isShallow(value)

const line = z.strictObject({
  stream: z.string().min(1),
  revision: z.int().min(0),
  id: z.guid(),
  type: z.string().min(1),
  schemaVersion: z.int().min(1),
  occurredAt: z.string().min(1),
  // As stored: a field that a later version adds is carried along.
  meta: z.custom<EventMeta>(isMeta),
  // Whatever JSON.parse made of an object is one of JSON.
  data: z.custom<JsonObject>(isObject),
})

const end = z.strictObject({ events: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) })

/** What of an event its line has. */
export const lined = ({
  stream,
  revision,
  id,
  type,
  schemaVersion,
  occurredAt,
  meta,
  data,
}: ExportedEvent): ExportedEvent => ({ stream, revision, id, type, schemaVersion, occurredAt, meta, data })

/** The line of an event, without the line end: keys sorted, no position, no namespace. */
export const eventLine = (event: RecordedEvent | ExportedEvent): string => canonicalJson(lined(event))

export const endLine = (last: ExportEnd): string => canonicalJson(last)

const parse = (text: string, number: number): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // What the parser says names a character of the line, which may be private.
    throw new Refusal(
      'invalid',
      `Line ${number} is no JSON: the file is no export of events, or it is damaged`,
    )
  }
}

const versions: ReadonlyMap<string, number> = new Map(
  Object.entries(domainEvents).map(([type, { version }]) => [type, version]),
)

/** The fields of what should be an event that have another form. */
const faultsOf = ({ issues }: z.ZodError): string =>
  [...new Set(issues.map(({ path }) => String(path[0] ?? 'the line')))].join(', ')

// Types are never given up, so one that is not known comes from a later version.
const isNewer = ({ type, schemaVersion }: ExportedEvent): boolean => schemaVersion > (versions.get(type) ?? 0)

/** Why the line of an event would not be taken for one again; null when it would. */
export const whyNoLine = (event: ExportedEvent): string | null => {
  const parsed = line.safeParse(lined(event))
  if (!parsed.success) return `${faultsOf(parsed.error)} not in the form of an event`
  return isNewer(parsed.data) ? 'of a newer Atelier' : null
}

/**
 * Reads one line.
 * @param number its number in the file, from 1 on, for the refusal
 * @throws {Refusal} when it is neither an event nor the last line, or is from a newer Atelier
 */
export const parseLine = (
  text: string,
  number: number,
): { readonly event: ExportedEvent } | { readonly end: ExportEnd } => {
  const value = parse(text, number)
  // Only the last line has it; a check that fails costs many times one that does not.
  const last = typeof value === 'object' && value !== null && 'sha256' in value ? end.safeParse(value) : null
  if (last?.success === true) return { end: last.data }
  const parsed = line.safeParse(value)
  if (!parsed.success) {
    throw new Refusal(
      'invalid',
      `Line ${number} is no event (${faultsOf(parsed.error)}): the file is no export of events, or it is damaged`,
    )
  }
  const { type, schemaVersion } = parsed.data
  if (isNewer(parsed.data)) {
    throw new Refusal(
      'invalid',
      `Line ${number} was written by a newer Atelier (${type}, version ${schemaVersion}): use that version here. ` +
        'Where there is none, the file is damaged',
    )
  }
  return { event: parsed.data }
}
