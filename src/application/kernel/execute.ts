import { pause } from './retry.ts'
import { traced } from './traced.ts'
import { onePerKey } from './turns.ts'
import type { CommandContext } from './envelope.ts'
import { type Loaded, type LoadedStreams, loadStreams } from './loaded-streams.ts'
import type { Clock } from './ports/clock.ts'
import { EngineAway, type EventStore, type Position, RevisionConflict } from './ports/event-store.ts'
import type { ReadModels } from './ports/read-models.ts'
import type { Aggregate } from '#domain/decider.ts'
import type { DomainEvent } from '#domain/events.ts'
import { Refusal } from '#domain/refusal.ts'

/** What a use case refused, or null when the error is something else. */
export const refusedBy = (error: unknown): Refusal | null => (error instanceof Refusal ? error : null)

/** The caller's `expectedVersion` is not the entity's: somebody changed it meanwhile. */
export class StaleVersion extends Error {
  override readonly name = 'StaleVersion'

  constructor() {
    super('This was changed meanwhile. Look at the newer values, then save again')
  }
}

/** The log knows the command's id from a time that was forgotten: it is another command, and wants another id. */
export class ForgottenCommand extends Error {
  override readonly name = 'ForgottenCommand'
}

/** @param at when something was carried out under the command's id @throws {ForgottenCommand} when that is forgotten */
export const refuseForgotten = ({ forgotten }: CommandContext, at: string): void => {
  if (forgotten !== undefined && at <= forgotten)
    throw new ForgottenCommand('This was carried out before under an id that is forgotten')
}

/** Conflicts went on for longer than the bound; nothing was written. */
export class TooManyConflicts extends Error {
  override readonly name = 'TooManyConflicts'

  constructor(stream: string, options?: ErrorOptions) {
    super('Too many changes at once. Please try again in a moment', options)
    this.stream = stream
  }
  readonly stream: string
}

/** One command to one stream. */
export interface Order<State, Command, Event extends DomainEvent> extends Aggregate<State, Command, Event> {
  readonly command: Command
  readonly context: CommandContext
  /** refuse unless the entity stands at this version; null: whatever it is */
  readonly expectedVersion: number | null
  /** refuse unless the stream ends here: whoever sends it has judged by more of it than its state; absent: wherever it ends */
  readonly judgedAt?: number
  /** asked right before it is written; what it throws keeps it from being */
  readonly fence?: () => void
}

/** What came of it. */
export interface Outcome<State> {
  readonly state: State
  /** of the last event this command wrote (now or, repeated, the first time); null when it wrote none */
  readonly position: Position | null
  /** of the newest event that `state` was made of; null for a stream without any */
  readonly upTo: Position | null
  /** types of the events this command wrote, now or the first time; empty when it changed nothing */
  readonly written: readonly string[]
  /** the same; where it wrote nothing, of all events that `state` was made of */
  readonly types: readonly string[]
  /** nothing was written because this very command was carried out before */
  readonly repeated: boolean
}

export interface Executor {
  /**
   * Load, decide, append. Conflicts with other processes are retried, each time with a fresh decision that
   * checks the caller's `expectedVersion` again, so that nothing is ever overwritten unseen.
   * @throws {Refusal} from the decider
   * @throws {StaleVersion} when `expectedVersion` is not the entity's version, or the stream does not end at `judgedAt`
   * @throws {ForgottenCommand} when its id is known from a time that is forgotten
   * @throws {TooManyConflicts} after 5 s of conflicts
   * @throws {EngineAway} when the log does not answer
   */
  readonly execute: <State, Command, Event extends DomainEvent>(
    order: Order<State, Command, Event>,
  ) => Promise<Outcome<State>>
  /**
   * Why nothing may be written for people at the moment; null: nothing hinders. Who stores anything ahead of its event
   * (a key, a file, the memory of a repeat) asks first.
   */
  readonly hindrance: () => Error | null
  /** An aggregate's state as the log has it now. */
  readonly load: <State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
  ) => Promise<State>
  /** The same, and where the newest event stands that it was made of: for who must wait until that is shown. */
  readonly read: <State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
  ) => Promise<Pick<Outcome<State>, 'state' | 'upTo'>>
}

/** What became of one command, for whoever measures. */
export interface CommandMeasured {
  /** the command's own name */
  readonly type: string
  readonly result: 'done' | 'unchanged' | 'repeated' | 'refused' | 'stale' | 'crowded' | 'failed'
  /** appends that another writer overtook */
  readonly conflicts: number
  readonly ms: number
}

const failureOf = (error: unknown): CommandMeasured['result'] => {
  if (error instanceof Refusal) return 'refused'
  if (error instanceof ForgottenCommand) return 'repeated'
  return error instanceof StaleVersion ? 'stale' : 'failed'
}

/** Every command of the domain is an object with a type. */
const typeOf = (command: unknown): string => (command as { readonly type?: string }).type ?? 'unknown'

const retryFor = 5_000

/** What a command comes to on a state, unless it was carried out before. @throws {StaleVersion}, and the decider's refusal */
const decide = <State, Command, Event extends DomainEvent>(
  { decider, command, expectedVersion, judgedAt }: Order<State, Command, Event>,
  { state, revision }: Loaded<State>,
): readonly Event[] => {
  if (judgedAt !== undefined && revision !== judgedAt) throw new StaleVersion()
  const version = decider.versionOf(state, command)
  if (expectedVersion !== null && version !== null && version !== expectedVersion) {
    throw new StaleVersion()
  }
  return decider.decide(command, state)
}

const append = async <State, Command, Event extends DomainEvent>(
  streams: LoadedStreams,
  order: Order<State, Command, Event>,
  loaded: Loaded<State>,
  events: readonly Event[],
): Promise<Outcome<State>> => {
  order.fence?.()
  const { state, position, types } = await streams.append(order, loaded, events, order.context)
  return { state, upTo: position, position, written: types, types, repeated: false }
}

/** Carries a command out on what the log has now. */
const attempt = async <State, Command, Event extends DomainEvent>(
  streams: LoadedStreams,
  order: Order<State, Command, Event>,
): Promise<Outcome<State>> => {
  const loaded = await streams.read(order)
  const { state, upTo } = loaded
  const before = loaded.commands.get(order.context.commandId)
  if (before !== undefined) {
    refuseForgotten(order.context, before.at)
    const { position, types } = before
    return { state, upTo, position, written: types, types, repeated: true }
  }
  const events = decide(order, loaded)
  if (events.length > 0) return append(streams, order, loaded, events)
  return { state, upTo, position: null, written: [], types: [...loaded.types], repeated: false }
}

/**
 * Carries a command out on the state that is in memory: where it is the newest, as it nearly always is, that saves a
 * reading. Only what is appended counts, for the log compares the revision; what would be answered without that is not
 * known to be true.
 * @returns null when it must be asked for what is there now
 */
const attemptUnread = async <State, Command, Event extends DomainEvent>(
  streams: LoadedStreams,
  order: Order<State, Command, Event>,
): Promise<Outcome<State> | null> => {
  const known = streams.known(order)
  if (known === undefined || known.commands.has(order.context.commandId)) return null
  let events: readonly Event[]
  try {
    events = decide(order, known)
  } catch {
    // Refused on what may be old: what is there now decides, and says the refusal.
    return null
  }
  if (events.length === 0) return null
  try {
    return await append(streams, order, known, events)
  } catch (error) {
    streams.forget(order.stream)
    if (error instanceof RevisionConflict) return null
    throw error
  }
}

/** Makes an executor over one log. A state in memory that is old costs one conflict, never a wrong write. */
export const createExecutor = (
  eventStore: EventStore,
  options: {
    readonly betweenTries?: (ms: number) => Promise<void>
    readonly measured?: (command: CommandMeasured) => void
    /** why nothing may be written for people at the moment; what the site does by itself is not asked */
    readonly hindrance?: () => Error | null
  } = {},
): Executor => {
  const { betweenTries = pause, hindrance = () => null } = options
  const streams = loadStreams(eventStore)
  /** One command after the other on a stream: inside a process they never conflict. */
  const inTurn = onePerKey()
  /** The last time that a server's log did not answer. */
  let away: { readonly error: EngineAway; readonly at: number } | null = null

  const carryOut = async <State, Command, Event extends DomainEvent>(
    order: Order<State, Command, Event>,
    asked: number,
  ): Promise<Outcome<State>> => {
    const started = performance.now()
    const hindered = order.context.actor.kind === 'system' ? null : hindrance()
    if (hindered !== null) throw hindered
    // Whoever stood in line while the log did not answer has waited as long as one may.
    if (away !== null && away.at > asked) throw away.error
    const measure = (result: CommandMeasured['result'], conflicts: number): void => {
      options.measured?.({ type: typeOf(order.command), result, conflicts, ms: performance.now() - started })
    }
    for (let tries = 1; ; tries += 1) {
      try {
        const outcome =
          (tries === 1 ? await attemptUnread(streams, order) : null) ?? (await attempt(streams, order))
        const wrote = outcome.position === null ? 'unchanged' : 'done'
        measure(outcome.repeated ? 'repeated' : wrote, tries - 1)
        return outcome
      } catch (error) {
        // An unknown outcome leaves no state behind that the log may not have.
        streams.forget(order.stream)
        if (error instanceof EngineAway && error.engine === 'log') away = { error, at: performance.now() }
        if (!(error instanceof RevisionConflict)) {
          measure(failureOf(error), tries - 1)
          throw error
        }
        if (performance.now() - started > retryFor) {
          measure('crowded', tries)
          throw new TooManyConflicts(order.stream, { cause: error })
        }
        await betweenTries(Math.random() * Math.min(200, 5 * 2 ** tries))
      }
    }
  }

  return {
    hindrance,
    execute: (order) => {
      const asked = performance.now()
      return traced(
        `command ${typeOf(order.command)}`,
        { 'atelier.stream': order.stream },
        () => inTurn(order.stream, () => carryOut(order, asked)),
        { kind: 'caused', correlationId: order.context.correlationId },
      )
    },
    load: async (aggregate) => (await streams.read(aggregate)).state,
    read: streams.read,
  }
}

/** What every use case needs, whatever it is about: it decides on the log and waits for the read models. */
export interface Kernel {
  readonly executor: Executor
  readonly eventStore: EventStore
  readonly readModels: ReadModels
  readonly clock: Clock
}

/** What writes nothing more once a look says that it may not: whatever was read before that, at whatever moment. */
export const fencedBy = <App extends Pick<Kernel, 'executor'>>(check: () => void, app: App): App => ({
  ...app,
  executor: {
    ...app.executor,
    execute: (order) =>
      app.executor.execute({
        ...order,
        fence: () => {
          order.fence?.()
          check()
        },
      }),
  },
})

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
  /** false: all of it was there before; absent where nobody asks */
  readonly isNew?: boolean
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

/** Executes one command at whatever version the entity stands, and waits for no read model. @throws as {@link Executor.execute} */
export const send = <State, Command, Event extends DomainEvent>(
  { executor }: Pick<Kernel, 'executor'>,
  aggregate: Aggregate<State, Command, Event>,
  command: NoInfer<Command>,
  context: CommandContext,
): Promise<Outcome<State>> => executor.execute({ ...aggregate, command, context, expectedVersion: null })

/**
 * Waits until the read models show all that is in the log now, as far as they do within their bound.
 * @param types of events: only the views that take them in
 * @returns whether they show it
 */
export const settled = async (
  app: Pick<Kernel, 'eventStore' | 'readModels'>,
  types?: readonly string[],
): Promise<boolean> => {
  const head = await app.eventStore.head()
  return head === null || (await app.readModels.shows(head, types))
}

/** The same, for who decides by what they show. @throws {EngineAway} while they are behind the log */
export const untilSettled = async (
  app: Pick<Kernel, 'eventStore' | 'readModels'>,
  types: readonly string[],
): Promise<void> => {
  if (await settled(app, types)) return
  throw new EngineAway(
    'read models',
    'The site has not taken in the latest changes yet. Please try again in a moment',
  )
}
