import type { JsonObject } from '#application/kernel/ports/event-store.ts'

/**
 * What stands for a part of an event that has rotted: it is handed on in what no schema takes. Whoever decodes the event says
 * so, and the others of its page are read.
 */
export const damaged = (text: string): JsonObject => ({ damaged: text })

/** Whether a part of an event is what JSON has made of an object, as it was written. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
