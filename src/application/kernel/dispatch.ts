import type { DomainEvent } from '#domain/events.ts'
import { type CommandContext, ownContext } from './envelope.ts'
import type { Executor, Order, Outcome } from './execute.ts'
import { derivedId } from './ids.ts'
import type { Clock } from './ports/clock.ts'
import type { EventStore, Position } from './ports/event-store.ts'
import type { ReadModels } from './ports/read-models.ts'
import { traced } from './traced.ts'

/** What every use case needs, whatever it is about: it decides on the log and waits for the read models. */
export interface Kernel {
  readonly executor: Executor
  readonly eventStore: EventStore
  readonly readModels: ReadModels
  readonly clock: Clock
}

/** What a command answers: where it left the log and whether the read models show it already. */
export interface Done {
  readonly id: string
  /** null when nothing had to be written */
  readonly position: Position | null
  readonly visible: boolean
  /** types of the events it wrote, now or the first time; absent where nobody asks */
  readonly written?: readonly string[]
  /** how many streams it wrote to; absent: one */
  readonly streams?: number
}

/**
 * Executes one command and waits until the read models show it. Where nothing had to be written they must show
 * why: what came before may be on its way to them still. @throws as {@link Executor.execute}
 */
export const dispatch = async <State, Command, Event extends DomainEvent>(
  app: Pick<Kernel, 'executor' | 'readModels'>,
  id: string,
  order: Order<State, Command, Event>,
): Promise<Done & { readonly outcome: Outcome<State> }> => {
  const outcome = await app.executor.execute(order)
  const upTo = outcome.position ?? outcome.upTo
  const visible =
    upTo === null || (await traced('wait for the views', {}, () => app.readModels.shows(upTo, outcome.types)))
  return { id, position: outcome.position, visible, written: outcome.written, outcome }
}

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

/** Waits until the read models show all that is in the log now, as far as they do within their bound. */
export const settled = async (app: Pick<Kernel, 'eventStore' | 'readModels'>): Promise<void> => {
  const head = await app.eventStore.head()
  if (head !== null) await app.readModels.shows(head)
}
