/**
 * An aggregate as three pure parts. No clock, no ids and no I/O: what a decision needs of these comes in
 * with the command.
 *
 * - `decide` answers the events a command causes; none when it changes nothing. Throws {@link Refusal}.
 * - `evolve` folds one event into the state; never throws, and leaves the state alone for types it does
 *   not know.
 * - `versionOf` is the entity's version as its owner sees it: the number of changes made to
 *   it, null while it does not exist. `command` says which entity is meant where one stream holds several.
 */
export interface Decider<State, Command, Event> {
  readonly initialState: State
  readonly decide: (command: Command, state: State) => readonly Event[]
  readonly evolve: (state: State, event: Event) => State
  /** The same with many events in a row, for a state that each event by itself would have copied. */
  readonly evolveAll?: (state: State, events: readonly Event[]) => State
  readonly versionOf: (state: State, command: Command) => number | null
}

/** The state after these events. */
export const fold = <State, Command, Event>(
  { evolve, evolveAll }: Decider<State, Command, Event>,
  state: State,
  events: readonly Event[],
): State => (evolveAll === undefined ? events.reduce(evolve, state) : evolveAll(state, events))

/** One aggregate: the stream of its events, and who decides on them. */
export interface Aggregate<State, Command, Event> {
  readonly stream: string
  readonly decider: Decider<State, Command, Event>
}
