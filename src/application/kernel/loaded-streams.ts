import { LRUCache } from 'lru-cache'
import { type Aggregate, fold } from '#domain/decider.ts'
import type { DomainEvent } from '#domain/events.ts'
import { decodeEvent } from './codec.ts'
import { type CommandContext, envelop } from './envelope.ts'
import { charactersIn } from './event-page.ts'
import {
  type EventStore,
  type ExpectedRevision,
  isForeign,
  type Position,
  type RecordedEvent,
} from './ports/event-store.ts'
import { traced } from './traced.ts'

/** Events of a stream in memory at once: each may be as long as a blog's post, and a stream has any number of them. */
const eventsAtOnce = 16

/** What stands in a stream from a revision on, a few events at once. */
export async function* streamInParts(
  eventStore: Pick<EventStore, 'readStream'>,
  stream: string,
  from = 0,
): AsyncGenerator<readonly RecordedEvent[]> {
  for (let next = from; ; ) {
    const events = await eventStore.readStream(stream, next, eventsAtOnce)
    const last = events.at(-1)
    if (last !== undefined) yield events
    if (last === undefined || events.length < eventsAtOnce) return
    next = last.revision + 1
  }
}

/** What one command wrote to a stream, and where its last event stands. */
interface Written {
  readonly position: Position
  /** ISO 8601 */
  readonly at: string
  readonly types: readonly string[]
}

/** A stream as it stood when it was read or written last. */
export interface Loaded<State> {
  readonly state: State
  readonly revision: ExpectedRevision
  /** of the event with that revision */
  readonly upTo: Position | null
  /** every command that wrote to the stream */
  readonly commands: ReadonlyMap<string, Written>
  /** of all its events */
  readonly types: ReadonlySet<string>
}

const cachedStreams = 1_000
/** All of them together, in characters: a mirrored post may be as long as hundreds of artworks. */
const cachedCharacters = 30_000_000
const charactersOfCommand = 200

/** What is known of a stream, with the events that came behind it. */
const foldIn = async <State, Command, Event extends DomainEvent>(
  known: Loaded<State>,
  parts: AsyncIterable<readonly RecordedEvent[]>,
  decider: Aggregate<State, Command, Event>['decider'],
): Promise<Loaded<State>> => {
  let { state, revision, upTo } = known
  // Copied once for all parts, and only where there is anything new: a stream may have thousands of commands.
  let fresh: { readonly commands: Map<string, Written>; readonly types: Set<string> } | null = null
  for await (const events of parts) {
    fresh ??= { commands: new Map(known.commands), types: new Set(known.types) }
    const { commands, types } = fresh
    // Types a decider does not know leave its state alone, so it may be given every event of its stream.
    const decoded = events.flatMap((recorded) => decodeEvent(recorded) ?? []) as unknown as readonly Event[]
    state = fold(decider, state, decoded)
    for (const recorded of events) {
      ;({ revision, position: upTo } = recorded)
      if (isForeign(recorded)) continue
      const { commandId } = recorded.meta
      types.add(recorded.type)
      const written = [...(commands.get(commandId)?.types ?? []), recorded.type]
      commands.set(commandId, { position: recorded.position, at: recorded.occurredAt, types: written })
    }
  }
  return fresh === null ? known : { state, revision, upTo, ...fresh }
}

export type LoadedStreams = ReturnType<typeof loadStreams>

/** The streams of one log. Keeps the newest states in memory and asks the log only for what came after them. */
export const loadStreams = (eventStore: EventStore) => {
  const cache = new LRUCache<string, Loaded<unknown>>({
    max: cachedStreams,
    maxSize: cachedCharacters,
    sizeCalculation: ({ state, commands }) => 1 + charactersIn(state) + charactersOfCommand * commands.size,
  })

  /** A stream as it was seen last, which may be old. */
  const known = <State, Command, Event extends DomainEvent>({ stream }: Aggregate<State, Command, Event>) =>
    // A stream belongs to one decider, so what the cache holds for it is that decider's state.
    cache.get(stream) as Loaded<State> | undefined

  /** The same as the log has it now. */
  const read = async <State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
  ): Promise<Loaded<State>> => {
    const { stream, decider } = aggregate
    const before: Loaded<State> = known(aggregate) ?? {
      state: decider.initialState,
      revision: 'no-stream',
      upTo: null,
      commands: new Map(),
      types: new Set(),
    }
    const from = before.revision === 'no-stream' ? 0 : before.revision + 1
    const loaded = await foldIn(before, streamInParts(eventStore, stream, from), decider)
    if (loaded !== before) cache.set(stream, loaded)
    return loaded
  }

  /** Writes events behind what was loaded. @throws {RevisionConflict} when that was old */
  const append = async <State, Command, Event extends DomainEvent>(
    { stream, decider }: Aggregate<State, Command, Event>,
    loaded: Loaded<State>,
    events: readonly Event[],
    context: CommandContext,
  ): Promise<Written & { readonly state: State }> => {
    const { position, revision } = await traced(
      'append',
      { 'atelier.stream': stream, 'atelier.events': events.length },
      () => eventStore.append(stream, loaded.revision, envelop(events, stream, context)),
    )
    const types = events.map((event) => event.type)
    const written = { position, at: context.now.toISOString(), types }
    const state = fold(decider, loaded.state, events)
    cache.set(stream, {
      state,
      revision,
      upTo: position,
      commands: new Map(loaded.commands).set(context.commandId, written),
      types: new Set([...loaded.types, ...types]),
    })
    return { state, ...written }
  }

  const forget = (stream: string): void => {
    cache.delete(stream)
  }

  return { known, read, append, forget }
}
