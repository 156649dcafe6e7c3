import { asError } from '#application/kernel/reason.ts'
import { beginStep, isTraced } from '#application/kernel/traced.ts'
import { retry } from '#application/kernel/retry.ts'
import { atMost } from '#application/kernel/turns.ts'
import { CheckpointMoved } from '#application/kernel/ports/documents.ts'
import type { RecordedEvent } from '#application/kernel/ports/event-store.ts'
import { astrayInWords, placesAstray, ViewsAstray } from './astray.ts'
import { openAudience } from './audience.ts'
import { catchUp } from './catch-up.ts'
import { type FoldGroup, openFolds } from './fold-group.ts'
import { measureLag } from './lag.ts'
import {
  endsBy,
  newRound,
  retrying,
  pauses,
  type ProjectorState,
  type ProjectorOptions,
} from './projector-state.ts'
import type { Build } from './rebuild.ts'
import { astrayFrom, keepLooking, standAside } from './stand-aside.ts'
import { storeGathered, storeLater, storeNow } from './storing.ts'
import { versionOf } from './view-versions.ts'
import type { Views } from './views.ts'

/** Events handed over at once while the projector is up to date. */
const liveBatch = 1_000

/** A running projector. Also the read models' clock for commands of the same process. */
export interface Projector extends Views {
  readonly version: (views: readonly string[]) => string
  /** Resolves when the loop has ended: with null after `stop`, with the error after a failure. Never rejects. */
  readonly ended: Promise<Error | null>
  /** Builds beside the live views (rebuild.ts); commands and reads go on. @throws {BuildRunning} while another build is at work */
  readonly build: Build
  /** Ends the loop; what was not stored yet is projected at the next start. */
  readonly stop: () => Promise<void>
}

/** The versions of views by their names, as text. */
const versionsIn = ({ group, copies }: ProjectorState, names: readonly string[]): string =>
  names
    .map((name) => {
      const fold = group?.folds().find(({ projection: { view } }) => view.name === name)
      return fold === undefined ? `${name}@` : versionOf(fold.projection.view, fold.changedAt(), copies)
    })
    .join(' ')

/** The last station of what began with a click. Nothing is made where nobody wants to hear of it. */
const tellOfBatch = (
  { options: { log }, group }: ProjectorState,
  batch: readonly RecordedEvent[],
  began: number,
): void => {
  const isLogged = log.isLevelEnabled?.('debug') === true
  if (!isLogged && !isTraced()) return
  const correlationIds = [...new Set(batch.map(({ meta }) => meta.correlationId))]
  const position = batch.at(-1)?.position
  if (isLogged) log.debug?.({ correlationIds, events: batch.length, position }, 'projected')
  const sinceMs = performance.now() - began
  const attributes = {
    'atelier.views': (group?.folds() ?? []).map(({ projection }) => projection.view.name).join(),
    'atelier.events': batch.length,
    'atelier.position': position ?? '',
  }
  for (const correlationId of correlationIds)
    beginStep('project', attributes, { kind: 'caused', correlationId, sinceMs }).end()
}

/** Brings the views to the end of the log as it is now. */
const catchUpWith = async (at: ProjectorState, group: FoldGroup): Promise<void> => {
  const { eventStore, log, onProgress } = at.options
  const began = performance.now()
  let events = 0
  await catchUp({
    eventStore,
    group,
    signal: at.round.signal,
    retrying: (call) => retrying(at, call),
    store: (gathered) => storeGathered(at, gathered),
    onProgress: (count) => {
      events = count
      onProgress?.(count)
    },
  })
  const ms = Math.round(performance.now() - began)
  if (events > 0) log.info({ events, ms }, 'Read models are up to date')
}

/** How long a batch may wait to be stored, in ms: not at all where the answer of a command may be made of it. */
const delayOf = ({ delays }: ProjectorOptions, group: FoldGroup, batch: readonly RecordedEvent[]): number => {
  if (delays === undefined) return 0
  const takers = group.folds().filter((fold) => batch.some(({ type }) => fold.handles(type)))
  if (takers.length === 0) return delays.passedMs
  return takers.every(({ projection }) => projection.unawaited) ? delays.unawaitedMs : 0
}

/** Folds a batch in, and stores it at once or later. */
const foldBatch = async (
  at: ProjectorState,
  group: FoldGroup,
  batch: readonly RecordedEvent[],
): Promise<void> => {
  const began = performance.now()
  await at.inTurn(async () => {
    await retrying(at, () => group.foldIn(batch))
    const delay = delayOf(at.options, group, batch)
    if (delay === 0) await storeNow(at)
    else storeLater(at, delay)
  })
  tellOfBatch(at, batch, began)
}

/** Takes in each batch of the log as it comes. @throws what ends the round, its signal's reason among it */
const follow = (at: ProjectorState, group: FoldGroup): Promise<never> => {
  const { eventStore, log } = at.options
  const { signal } = at.round
  return retry<never>(
    async (gotOn) => {
      for await (const batch of eventStore.subscribe(group.position(), { limit: liveBatch, signal })) {
        await foldBatch(at, group, batch)
        gotOn()
      }
      signal.throwIfAborted()
      throw new Error('The subscription to the log ended')
    },
    {
      ...pauses,
      signal,
      isFinal: endsBy(at),
      onFailure: (error, retryInMs) => {
        at.trouble = asError(error).message
        log.warn({ err: error, retryInMs }, 'The subscription to the log broke off; subscribing again')
      },
    },
  )
}

/** One round: every view is opened where it stands, brought to the end of the log, and kept there. */
const project = async (at: ProjectorState): Promise<never> => {
  const { eventStore, documents, projections } = at.options
  at.readyAt = await retrying(at, eventStore.head)
  const ahead = await retrying(at, () => placesAstray(at.options))
  if (ahead.size > 0) throw new ViewsAstray(ahead)
  const group = await retrying(at, () => openFolds(documents, projections))
  at.group = group
  at.shown = group.position()
  await catchUpWith(at, group)
  at.state = 'live'
  await at.inTurn(() => storeNow(at))
  return follow(at, group)
}

/** Goes from round to round until it is stopped or fails for good. */
const run = async (at: ProjectorState): Promise<Error | null> => {
  const { alone, log } = at.options
  try {
    for (;;) {
      try {
        await project(at)
      } catch (thrown) {
        if (at.signal.aborted) throw thrown
        at.round = newRound(at.signal)
        const why = await astrayFrom(at, thrown)
        if (why !== null) await standAside(at, why)
        else if (thrown instanceof CheckpointMoved && alone === true) {
          at.copies += 1
          at.state = 'catching-up'
          log.warn({ err: thrown }, 'A checkpoint was changed by hand; projecting goes on from there')
        } else throw thrown
      }
    }
  } catch (thrown) {
    // Whatever else broke off by the end of it is of no account, also what names another reason for the same end.
    if (at.signal.aborted && !(thrown instanceof CheckpointMoved)) {
      at.state = 'stopped'
      return null
    }
    const error = asError(thrown)
    at.state = 'failed'
    at.trouble = error.message
    log.error({ err: error }, 'Projecting has ended')
    return error
  }
}

/**
 * Starts projecting: first brings every view to the end of the log, each from its own checkpoint, then follows
 * the log. A failing engine is asked again for ever; a view whose checkpoint another runner moved ends the
 * projector. Where the views turn out to be ahead of the log it stands aside, with
 * commands refused, until they are rebuilt or the log has come back.
 */
export const startProjector = (options: ProjectorOptions): Projector => {
  const stopping = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, stopping.signal]) : stopping.signal
  const audience = openAudience(options.log)
  const names = options.projections.map(({ view }) => view.name)
  const ready = Promise.withResolvers<void>()
  // Who does not wait for `ready` hears of a failure through `ended`.
  ready.promise.catch(() => undefined)
  const at: ProjectorState = {
    options,
    signal,
    audience,
    inTurn: atMost(1),
    ready,
    round: newRound(signal),
    group: null,
    copies: 0,
    state: 'catching-up',
    shown: null,
    trouble: null,
    astray: null,
    isBuilding: false,
    readyAt: null,
    built: Promise.withResolvers(),
  }
  void keepLooking(at)
  const ended = run(at).then((error) => {
    audience.sendAway()
    ready.reject(error ?? new Error('The projector was stopped before it was ready'))
    return error
  })
  return {
    ready: ready.promise,
    ended,
    build: async (...asked) => {
      // Loaded when it is asked for: few servers ever are.
      const { buildBeside } = await import('./rebuild-by-projector.ts')
      return buildBeside(at, ...asked)
    },
    shownTo: () => at.shown,
    astray: () => at.astray,
    shows: (position) => {
      // What they say they show is of another log.
      if (at.state === 'astray') return Promise.resolve(false)
      if (at.shown !== null && at.shown >= position) return Promise.resolve(true)
      if (at.state === 'stopped' || at.state === 'failed') return Promise.resolve(false)
      return audience.waitFor(position, names)
    },
    version: (views) => versionsIn(at, views),
    onChange: audience.onChange,
    lag: async () => {
      const folds = at.group?.folds() ?? []
      const places = folds.map(({ projection: { view }, checkpoint }) => ({ view, position: checkpoint() }))
      const trouble = at.astray === null ? at.trouble : astrayInWords(at.astray.places)
      return { state: at.state, trouble, ...(await measureLag(options, places)) }
    },
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}
