import { hash } from 'node:crypto'
import { type Done, fencedBy, type Kernel, type Order, type Outcome } from './execute.ts'
import type { CommandContext } from './envelope.ts'
import type { Position } from './ports/event-store.ts'
import type { Leases } from './ports/leases.ts'
import { leasesUntil, underLease } from './turns.ts'
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

/** Names of turns: not many, because each leaves a trace on a server. Two acts that share one wait for each other. */
const turnNames = 128
const turnWithinMs = 20_000

const turnOf = (commandId: string): string => {
  const [first = 0] = hash('sha256', commandId, 'buffer')
  return `act-${first % turnNames}`
}

type ActTurns = Pick<Kernel, 'executor'> & { readonly leases: Pick<Leases, 'acquire'> }

/**
 * One at a time, also across processes: carrying an act over many streams out, and taking it back. Else one that is
 * still under way would go on behind its undo.
 * @param commandIds of the act, and of an undo also its own
 * @param work with what writes only as long as it is known that nobody else is at it
 * @throws {EngineAway} when the turn does not come within 20 s
 */
export const inActTurn = async <App extends ActTurns, T>(
  app: App,
  commandIds: readonly string[],
  work: (app: App) => Promise<T>,
): Promise<T> => {
  const late = AbortSignal.timeout(turnWithinMs)
  const inTime = leasesUntil(app.leases, late)
  const take = async ([name, ...others]: readonly string[], mine: App): Promise<T> =>
    name === undefined
      ? work(mine)
      : underLease(inTime, name, late, (_, check) => take(others, fencedBy(check, mine)))
  // In one order everywhere, so that no two wait for each other.
  return take([...new Set(commandIds.map(turnOf))].toSorted(), app)
}
