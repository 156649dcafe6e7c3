import type { z } from 'zod'

/** An earlier stored form of an event and the pure step to the next version. */
export interface PastVersion {
  readonly schema: z.ZodType
  /** Takes data in this version, gives data in the next one. */
  readonly upcast: (data: never) => unknown
}

/**
 * One event type: the version it is written in now, the schema of that version, and every earlier version
 * that may stand in a log (index 0 is version 1).
 */
export interface EventDefinition<Schema extends z.ZodType = z.ZodType> {
  readonly version: number
  readonly schema: Schema
  readonly past: readonly PastVersion[]
}

/** Declares an event type that is in its first stored version. */
export const event = <Schema extends z.ZodType>(schema: Schema): EventDefinition<Schema> => ({
  version: 1,
  schema,
  past: [],
})

/** Declares an event type that had earlier stored versions, oldest first. */
export const eventWithPast = <Schema extends z.ZodType>(
  schema: Schema,
  past: readonly PastVersion[],
): EventDefinition<Schema> => ({ version: past.length + 1, schema, past })

/** A table of event types: stored type name → definition. Names are promises to every log ever written. */
type EventTable = Readonly<Record<string, EventDefinition>>

/** The union of events a table defines: `{ type, data }`, data in the current version. */
export type EventOf<Table extends EventTable> = {
  readonly [Type in keyof Table & string]: {
    readonly type: Type
    readonly data: z.output<Table[Type]['schema']>
  }
}[keyof Table & string]

/** The id in a stream's name: `artwork-<id>` gives `<id>`. */
export const idOfStream = (stream: string): string => stream.slice(stream.indexOf('-') + 1)
