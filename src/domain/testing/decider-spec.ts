import { type Decider, fold } from '../decider.ts'
import { Refusal, type RefusalKind } from '../refusal.ts'

/** What came of a command: its events, or the refusal with the names of the fields at fault. */
export type Decided<Event> =
  | { readonly events: readonly Event[] }
  | { readonly refused: RefusalKind; readonly message: string; readonly fields: readonly string[] }

/**
 * Given/when/then for a decider, for its tests: `given(decider, ...history).when(command)` is compared with
 * {@link causes} or {@link refuses}.
 * @throws whatever the decider throws that is no {@link Refusal}
 */
export const given = <State, Command, Event>(
  decider: Decider<State, Command, Event>,
  ...history: readonly Event[]
) => {
  const state = fold(decider, decider.initialState, history)
  return {
    state,
    when: (command: Command): Decided<Event> => {
      try {
        return { events: decider.decide(command, state) }
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return { refused: error.kind, message: error.message, fields: Object.keys(error.fields ?? {}) }
      }
    },
    /** The history together with what a command added to it. */
    after: (command: Command): readonly Event[] => [...history, ...decider.decide(command, state)],
    versionFor: (command: Command): number | null => decider.versionOf(state, command),
  }
}

/** The outcome of exactly these events. */
export const causes = <Event>(...events: readonly Event[]): { readonly events: readonly Event[] } => ({
  events,
})

/** The part of a refusal that tests compare (`toMatchObject`): its kind and the fields at fault. */
export const refuses = (
  refused: RefusalKind,
  ...fields: readonly string[]
): { readonly refused: RefusalKind; readonly fields: readonly string[] } => ({ refused, fields })
