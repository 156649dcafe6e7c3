import type { EventDefinition } from '#domain/event.ts'
import { type DomainEvent, domainEvents, type DomainEventType } from '#domain/events.ts'
import {
  type EventMeta,
  foreignType,
  type JsonObject,
  type NewEvent,
  type Position,
  type RecordedEvent,
} from './ports/event-store.ts'

/** An event that cannot be written or read as what it says it is. Names type and version, never the data. */
export class CodecError extends Error {
  override readonly name = 'CodecError'
}

/** One that stands in the log and of which nobody can read what it says. */
export class UnreadableEvent extends CodecError {}

/** What is told of it to a person who knows of no events. It may be read elsewhere, where two versions run beside each other. */
export const unreadableToPeople =
  'What was written about this before cannot be read here, so it cannot be changed: it is damaged, or a newer Atelier wrote it. ' +
  'Should it stay so, whoever runs the site is told by "atelier doctor" what to do'

/** A domain event with what the log knows about it; with `Type` given, one of those types. */
export type LoggedEvent<Type extends DomainEventType = DomainEventType> = {
  readonly [T in Type]: Extract<DomainEvent, { readonly type: T }> &
    Omit<RecordedEvent, 'data' | 'type' | 'schemaVersion'>
}[Type]

const definitions: ReadonlyMap<string, EventDefinition> = new Map(Object.entries(domainEvents))

const encoder = new TextEncoder()
const noSteps: EventDefinition['past'] = []

/** No event is larger, in bytes of its JSON. */
export const maxEventBytes = 512 * 1024

/**
 * Validates an event and gives it in the form and version it is stored in.
 * @throws {CodecError} when its data does not fit its own schema or is too large
 */
export const encodeEvent = (event: DomainEvent): Pick<NewEvent, 'type' | 'schemaVersion' | 'data'> => {
  const definition = definitions.get(event.type)
  if (definition === undefined) throw new CodecError(`No event type is called ${event.type}`)
  const parsed = definition.schema.safeParse(event.data)
  if (!parsed.success) {
    throw new CodecError(`${event.type} does not fit its schema: ${faults(parsed.error.issues)}`)
  }
  // Schemas of events admit JSON only (strict objects of text, whole numbers, booleans and null).
  const data = parsed.data as JsonObject
  if (encoder.encode(JSON.stringify(data)).length > maxEventBytes) {
    throw new CodecError(`${event.type} is larger than ${maxEventBytes} bytes`)
  }
  return { type: event.type, schemaVersion: definition.version, data }
}

/** What of an event says in which form its data is. */
type StoredForm = Pick<RecordedEvent, 'type' | 'schemaVersion' | 'data'>

/** Data as a schema has it. @throws {UnreadableEvent} */
const checked = (
  schema: EventDefinition['schema'],
  data: unknown,
  { type, schemaVersion }: StoredForm,
): unknown => {
  const parsed = schema.safeParse(data)
  if (parsed.success) return parsed.data
  throw new UnreadableEvent(`${type} version ${schemaVersion}: ${faults(parsed.error.issues)}`)
}

/** The data of an event in today's form: upcast step by step from the version it was stored in, then validated. */
const todaysData = (definition: EventDefinition, recorded: StoredForm): unknown => {
  const { type, schemaVersion } = recorded
  if (schemaVersion > definition.version || schemaVersion < 1) {
    throw new UnreadableEvent(
      `${type} is stored in version ${schemaVersion}; this Atelier knows versions 1 to ${definition.version}`,
    )
  }
  let data: unknown = recorded.data
  // Nearly every event is of today's version; the slice alone would be felt by a replay.
  const steps = schemaVersion === definition.version ? noSteps : definition.past.slice(schemaVersion - 1)
  // Each step takes what its own schema has just given.
  for (const { schema, upcast } of steps) data = upcast(checked(schema, data, recorded) as never)
  return checked(definition.schema, data, recorded)
}

/**
 * `meta` is read only when asked: engines parse it then, and a replay asks for few. A class, for a replay would feel a getter
 * that is made for each event.
 */
class DecodedEvent implements Omit<RecordedEvent, 'data' | 'schemaVersion'> {
  readonly type: string
  readonly data: unknown
  readonly id: string
  readonly stream: string
  readonly revision: number
  readonly position: Position
  readonly occurredAt: string
  readonly #recorded: RecordedEvent

  constructor(recorded: RecordedEvent, data: unknown) {
    this.type = recorded.type
    this.data = data
    this.id = recorded.id
    this.stream = recorded.stream
    this.revision = recorded.revision
    this.position = recorded.position
    this.occurredAt = recorded.occurredAt
    this.#recorded = recorded
  }

  get meta(): EventMeta {
    return this.#recorded.meta
  }
}

/**
 * An event from the log in today's form. Null when no such type is known: projections and states pass over it.
 * @throws {UnreadableEvent} when it was written by a newer version, or its data is damaged
 */
export const decodeEvent = (recorded: RecordedEvent): LoggedEvent | null => {
  const definition = definitions.get(recorded.type)
  if (definition === undefined) return null
  // The table pairs each type name with its schema; TypeScript cannot follow that through the map.
  return new DecodedEvent(recorded, todaysData(definition, recorded)) as unknown as LoggedEvent
}

/** Whether events of this type and version are known here: else a newer Atelier wrote them. */
export const isKnownForm = ({
  type,
  schemaVersion,
}: Pick<RecordedEvent, 'type' | 'schemaVersion'>): boolean =>
  type === foreignType || schemaVersion <= (definitions.get(type)?.version ?? 0)

/** Why nobody can read what an event says; null when everybody can. */
export const whyUnreadable = (recorded: StoredForm): string | null => {
  const definition = definitions.get(recorded.type)
  if (definition === undefined) return 'this Atelier knows no such type'
  try {
    todaysData(definition, recorded)
    return null
  } catch (error) {
    if (error instanceof UnreadableEvent) return error.message
    throw error
  }
}

/** Paths and rules at fault; never values, which may be private. */
const faults = (
  issues: readonly { readonly path: readonly PropertyKey[]; readonly code?: string }[],
): string =>
  issues
    .map((issue) => `${issue.path.map(String).join('.') || 'data'} (${issue.code ?? 'invalid'})`)
    .join(', ')
