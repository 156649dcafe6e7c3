import { parse, v5 } from 'uuid'

/** Root of every derived id of Atelier. Never change it: stored ids were made from it. */
const atelier = parse('9a1f6a52-1d1a-5f0e-8a55-6b8f0a5d7c11')
const utf8 = new TextEncoder()

/** An id that is always the same for the same name (UUIDv5, RFC 9562 §5.5). */
export const derivedId = (...parts: readonly string[]): string => v5(utf8.encode(parts.join('\n')), atelier)

/** The id of the event at `index` of a command: the same when the command is sent again. */
export const eventId = (commandId: string, stream: string, index: number): string =>
  derivedId('event', commandId, stream, String(index))

/** An id from who sent a command, where and with which key, so that a repeat is known. */
export const commandIdOf = (request: {
  readonly sender: string
  readonly method: string
  readonly path: string
  readonly key: string
}): string => derivedId('command', request.sender, request.method, request.path, request.key)

/** The id of what a command creates. */
export const createdId = (commandId: string, kind: string): string => derivedId('entity', kind, commandId)
