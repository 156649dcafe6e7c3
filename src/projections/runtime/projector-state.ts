import { asError } from '#application/kernel/reason.ts'
import { retry } from '#application/kernel/retry.ts'
import { CheckpointMoved, type Documents, type ViewPlace } from '#application/kernel/ports/documents.ts'
import {
  EngineAway,
  type EventStore,
  type Position,
  UnknownPosition,
} from '#application/kernel/ports/event-store.ts'
import { ViewsAstray } from './astray.ts'
import type { Audience } from './audience.ts'
import type { FoldGroup } from './fold-group.ts'
import type { Projection } from './projection.ts'
import type { ProjectorLog, ProjectorPhase } from './views.ts'

export interface ProjectorOptions {
  readonly eventStore: EventStore
  readonly documents: Documents
  readonly projections: readonly Projection[]
  readonly log: ProjectorLog
  /** Ends the projector as `stop` does; a lost lease, for example. */
  readonly signal?: AbortSignal
  /** Nobody else writes these views: a checkpoint that has moved was moved by hand, and is gone on from. */
  readonly alone?: boolean
  /** How often it is asked whether the views are ahead of the log, in ms; 5 s unless told. */
  readonly lookEveryMs?: number
  /** Whether an engine that does not answer is waited for, for ever; it is unless told. */
  readonly waits?: boolean
  /** What no command waits for is stored so much later, so that one writing does for many events; at once unless told. */
  readonly delays?: {
    /** events that no view takes in, in ms */
    readonly passedMs: number
    /** events that only such views take in of which no answer is made, in ms */
    readonly unawaitedMs: number
  }
  /** Called when a view was stored, before whoever waits for it is told. */
  readonly onStored?: (view: string, place: ViewPlace) => void
  /** Called while catching up, with the events read so far. */
  readonly onProgress?: (events: number) => void
}

/** From opening the views to the end, or until they turn out to be ahead of the log. */
interface Round {
  readonly ending: AbortController
  /** aborted at the end of the round and when the projector is to stop */
  readonly signal: AbortSignal
  /** stores what nobody waits for; null while there is nothing of the kind */
  later: { readonly timer: NodeJS.Timeout; readonly due: number } | null
}

/** A projector at work: what it was given, and what it knows just now. Each step of it takes this. */
export interface ProjectorState {
  readonly options: ProjectorOptions
  /** aborted when it is to stop */
  readonly signal: AbortSignal
  readonly audience: Audience
  /** One after the other: a batch, or work that needs the views to stand still. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>
  readonly ready: PromiseWithResolvers<void>
  round: Round
  /** the views of this round, or of the last one; null until they were opened */
  group: FoldGroup | null
  /** how often a checkpoint was set back, as in an older copy */
  copies: number
  state: ProjectorPhase
  /** every view shows the log up to here */
  shown: Position | null
  trouble: string | null
  astray: ViewsAstray | null
  isBuilding: boolean
  /** ready once the views show the log up to here, its end when the round began; at once where it was empty */
  readyAt: Position | null
  /** told when views that were ahead of the log were built anew */
  built: PromiseWithResolvers<void>
}

export const newRound = (stop: AbortSignal): Round => {
  const ending = new AbortController()
  return { ending, signal: AbortSignal.any([stop, ending.signal]), later: null }
}

export const pauses = { firstMs: 50, longestMs: 5_000 }

/** Asking again would not help: another projects, or the views come from another log than this one. */
export const isFinal = (thrown: unknown): boolean =>
  thrown instanceof CheckpointMoved || thrown instanceof UnknownPosition || thrown instanceof ViewsAstray

/** Whether a projector ends by what was thrown: also by an engine that is away, where nobody waits for it. */
export const endsBy =
  ({ options }: Pick<ProjectorState, 'options'>) =>
  (thrown: unknown): boolean =>
    isFinal(thrown) || (options.waits === false && thrown instanceof EngineAway)

/**
 * Asks an engine until it answers. Commands that wait meanwhile are told that it takes longer.
 * @throws what is final, and the signal's reason
 */
export const retrying = <Result>(
  at: ProjectorState,
  call: () => Promise<Result>,
  signal = at.round.signal,
): Promise<Result> =>
  retry(
    async () => {
      const result = await call()
      at.trouble = null
      return result
    },
    {
      ...pauses,
      signal,
      isFinal: endsBy(at),
      onFailure: (error, retryInMs) => {
        at.trouble = asError(error).message
        at.options.log.warn({ err: error, retryInMs }, 'Projecting waits for an engine')
        at.audience.sendAway()
      },
    },
  )
