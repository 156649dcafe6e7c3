import { type Done, type Kernel, type Order, type Outcome } from './execute.ts'
import type { CommandContext } from './envelope.ts'
import type { Position } from './ports/event-store.ts'
import type { DomainEvent } from '#domain/events.ts'

/** One command that appends to many streams, each at most once: under its id they are one activity entry. */
export interface ManyStreams {
  /** Executes it on one stream without waiting for the read models. @throws as {@link Executor.execute} */
  readonly send: <State, Command, Event extends DomainEvent>(
    order: Omit<Order<State, Command, Event>, 'context' | 'expectedVersion'>,
  ) => Promise<Outcome<State>>
  /** Counts in what was written on another way under the same id. */
  readonly count: (stream: string, done: Pick<Done, 'position' | 'written'>) => void
  /** Waits until the read models show all that was written. */
  readonly done: (id: string) => Promise<Done>
}

/**
 * Begins a command over many streams. Each stream takes it once, so that a command which was cut off and is sent
 * again under the same id goes on where it stopped.
 */
export const manyStreams = (
  app: Pick<Kernel, 'executor' | 'readModels'>,
  context: CommandContext,
): ManyStreams => {
  const written: string[] = []
  const streams = new Set<string>()
  let last: Position | null = null
  const count: ManyStreams['count'] = (stream, { position, written: types = [] }) => {
    written.push(...types)
    if (types.length > 0) streams.add(stream)
    if (position !== null && (last === null || position > last)) last = position
  }
  return {
    send: async (order) => {
      const outcome = await app.executor.execute({ ...order, context, expectedVersion: null })
      count(order.stream, outcome)
      return outcome
    },
    count,
    done: async (id) => {
      const visible = last === null || (await app.readModels.shows(last, written))
      return { id, position: last, visible, written, streams: streams.size }
    },
  }
}
