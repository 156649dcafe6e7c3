import { encodeEvent } from './codec.ts'
import { derivedId, eventId } from './ids.ts'
import type { Actor, NewEvent } from './ports/event-store.ts'
import type { DomainEvent } from '#domain/events.ts'

/** Who sends a command, when, and what it belongs to. */
export interface CommandContext {
  readonly commandId: string
  /** the id of the request or run that everything caused by it carries */
  readonly correlationId: string
  /** what caused the command: the request's id, or the event a job follows */
  readonly causationId: string
  readonly actor: Actor
  readonly now: Date
  /** ISO 8601: what was carried out under its id up to then was another command, whose id was forgotten since; absent: nothing was */
  readonly forgotten?: string
}

/** The context of a command that the site sends by itself. @param of what it belongs to; only to itself unless told */
export const ownContext = (
  name: string,
  commandId: string,
  now: Date,
  of: Pick<CommandContext, 'correlationId' | 'causationId'> = {
    correlationId: commandId,
    causationId: commandId,
  },
): CommandContext => ({ commandId, ...of, actor: { kind: 'system', name }, now })

/** The context of a command that the site itself sends because of an event: the same event, the same command. */
export const causedBy = (
  cause: { readonly eventId: string; readonly correlationId: string },
  name: string,
  now: Date,
): CommandContext =>
  ownContext(name, derivedId('reaction', name, cause.eventId), now, {
    correlationId: cause.correlationId,
    causationId: cause.eventId,
  })

/**
 * The one builder of stored events. The ids come from the command's id, the stream and the index, so that
 * the same command makes the same events.
 */
export const envelop = (
  events: readonly DomainEvent[],
  stream: string,
  context: CommandContext,
): readonly NewEvent[] =>
  events.map((event, index) => ({
    id: eventId(context.commandId, stream, index),
    ...encodeEvent(event),
    occurredAt: context.now.toISOString(),
    meta: {
      correlationId: context.correlationId,
      causationId: context.causationId,
      commandId: context.commandId,
      actor: context.actor,
    },
  }))
