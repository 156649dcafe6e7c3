import { setTimeout as pause } from 'node:timers/promises'
import { CheckpointMoved, type Documents } from '#application/ports/documents.ts'
import { UnknownPosition } from '#application/ports/event-store.ts'
import type { EventStore, Position, RecordedEvent } from '#application/ports/event-store.ts'
import { openAudience } from '#projections/audience.ts'
import { catchUp, openViews, type Stored, type ViewFolds } from '#projections/catch-up.ts'
import { measureLag } from '#projections/lag.ts'
import type { Projection } from '#projections/projection.ts'
import type { BuildOptions, BuildReport, LiveViews } from '#projections/rebuild.ts'
import { openVersions, type ViewVersions } from '#projections/view-versions.ts'
import type { ProjectorLog, ProjectorState, Views } from '#projections/views.ts'

/** Events handed over at once while the projector is up to date. */
const liveBatch = 1_000
const firstPauseMs = 50
const longestPauseMs = 5_000

export interface ProjectorOptions {
  readonly eventStore: EventStore
  readonly documents: Documents
  readonly projections: readonly Projection[]
  readonly log: ProjectorLog
  /** Ends the projector as `stop` does; a lost lease, for example. */
  readonly signal?: AbortSignal
  /** How long `shows` waits at most; unless given it waits until the projector stops (decisions 21, 53). */
  readonly showsWithinMs?: number
  /** Called while catching up, with the events read so far. */
  readonly onProgress?: (events: number) => void
}

/** A running projector. Also the read models' clock for commands of the same process. */
export interface Projector extends Views {
  readonly version: (views: readonly string[]) => string
  /** Resolves when the loop has ended: with null after `stop`, with the error after a failure. Never rejects. */
  readonly ended: Promise<Error | null>
  /**
   * Builds views anew beside the live ones and lets them take their place (rebuild.ts); commands and reads go on.
   * @throws {BuildRunning} while another build is at work
   */
  readonly rebuild: (options: BuildOptions) => Promise<BuildReport>
  /** Builds views anew in a scratch place and compares them. @throws {BuildRunning} */
  readonly verify: (options: BuildOptions) => Promise<BuildReport>
  /** Ends the loop; what was not stored yet is projected at the next start. */
  readonly stop: () => Promise<void>
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))

/** One build at a time. The message is for people. */
class BuildRunning extends Error {
  constructor() {
    super('The read models are being rebuilt or verified already: wait until that is done')
    this.name = 'BuildRunning'
  }
}

/** Asking again would not help: another projects, or the views come from another log than this one. */
const isFinal = (thrown: unknown): boolean =>
  thrown instanceof CheckpointMoved || thrown instanceof UnknownPosition

/** Thrown out of a repeated call when the projector is to stop. */
class Stopping extends Error {}

/**
 * Starts projecting: first brings every view to the end of the log, each from its own checkpoint, then follows
 * the log. A failing engine is asked again for ever; a view whose checkpoint another runner moved, or
 * that stands where the log has never been, ends the projector (event-sourcing: problem 5).
 */
export const startProjector = (options: ProjectorOptions): Projector => {
  const { eventStore, documents, projections, log } = options
  const stopping = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, stopping.signal]) : stopping.signal
  const audience = openAudience(log)
  const ready = Promise.withResolvers<void>()
  // Who does not wait for `ready` hears of a failure through `ended`.
  ready.promise.catch(() => undefined)
  let views: ViewFolds | null = null
  let versions: ViewVersions | null = null
  let shown: Position | null = null
  let state: ProjectorState = 'catching-up'
  let trouble: string | null = null
  let lastBatchAt: string | null = null

  /** Asks an engine until it answers. Commands that wait meanwhile are told that it takes longer. */
  const patiently = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    for (let wait = firstPauseMs; ; wait = Math.min(wait * 2, longestPauseMs)) {
      if (signal.aborted) throw new Stopping()
      try {
        const result = await call()
        trouble = null
        return result
      } catch (thrown) {
        if (isFinal(thrown)) throw thrown
        trouble = asError(thrown).message
        log.warn({ err: thrown, retryInMs: wait }, 'Projecting waits for an engine')
        audience.sendAway()
        await pause(wait * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined)
      }
    }
  }

  const announce = (stored: Stored): void => {
    lastBatchAt = new Date().toISOString()
    shown = stored.position
    for (const { view, type, stream, position, reason } of stored.parked)
      log.error({ view, type, stream, position, reason }, 'An event was parked: a view goes on without it')
    versions?.stored(stored.changed, stored.position)
    audience.show(shown)
    audience.tell(stored.changed, stored.position)
  }

  let lastTurn: Promise<unknown> = Promise.resolve()
  /** One after the other: a batch, or work that needs the views to stand still. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const mine = lastTurn.then(work, work)
    lastTurn = mine
    // Whoever asked for the work hears of its failure.
    mine.catch(() => undefined)
    return mine
  }

  /** The last station of what began with a click. Nothing is made for a log that does not want it. */
  const tellOf = (batch: readonly RecordedEvent[]): void => {
    if (log.isLevelEnabled?.('info') !== true) return
    const correlationIds = [...new Set(batch.map(({ meta }) => meta.correlationId))]
    log.info({ correlationIds, events: batch.length, position: batch.at(-1)?.position }, 'projected')
  }

  const follow = async (all: ViewFolds, kept: ViewVersions, untilReady: Position | null): Promise<void> => {
    const beReady = (): void => {
      if (untilReady === null || (shown !== null && shown >= untilReady)) ready.resolve()
    }
    beReady()
    for (let wait = firstPauseMs; !signal.aborted; ) {
      try {
        for await (const batch of eventStore.subscribe(all.position(), { limit: liveBatch, signal })) {
          const stored = await inTurn(async () => {
            await patiently(() => all.take(batch))
            return patiently(() => all.store(kept.writes))
          })
          if (stored) announce(stored)
          tellOf(batch)
          beReady()
          wait = firstPauseMs
        }
        if (signal.aborted) return
        log.warn({}, 'The subscription to the log ended; subscribing again')
      } catch (thrown) {
        if (isFinal(thrown) || thrown instanceof Stopping) throw thrown
        trouble = asError(thrown).message
        log.warn({ err: thrown, retryInMs: wait }, 'The subscription to the log broke off; subscribing again')
      }
      await pause(wait * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined)
      wait = Math.min(wait * 2, longestPauseMs)
    }
  }

  const run = async (): Promise<Error | null> => {
    try {
      const untilReady = await patiently(eventStore.head)
      const all = await patiently(() => openViews(documents, projections))
      views = all
      const kept = await patiently(() => openVersions(documents, projections))
      versions = kept
      shown = all.position()
      const began = performance.now()
      let events = 0
      await catchUp({
        eventStore,
        views: all,
        signal,
        patiently,
        store: () => all.store(kept.writes),
        onStored: announce,
        onProgress: (count) => {
          events = count
          options.onProgress?.(count)
        },
      })
      const ms = Math.round(performance.now() - began)
      if (events > 0) log.info({ events, ms }, 'Read models are up to date')
      state = 'live'
      await follow(all, kept, untilReady)
    } catch (thrown) {
      if (!(thrown instanceof Stopping)) {
        const error = asError(thrown)
        state = 'failed'
        trouble = error.message
        log.error({ err: error }, 'Projecting has ended')
        return error
      }
    }
    state = 'stopped'
    return null
  }

  const ended = run().then((error) => {
    audience.sendAway()
    ready.reject(error ?? new Error('The projector was stopped before it was ready'))
    return error
  })

  const liveViews: LiveViews = {
    eventStore,
    documents,
    projections,
    stopping: signal,
    between: (work) =>
      inTurn(async () => {
        if (views === null || versions === null || state !== 'live')
          throw new Stopping('The projector has stopped')
        return work(views, versions)
      }),
    announce: (changed) => {
      if (shown !== null) audience.tell(changed, shown)
    },
  }
  let isBuilding = false
  const alone = async (work: () => Promise<BuildReport>): Promise<BuildReport> => {
    if (isBuilding) throw new BuildRunning()
    isBuilding = true
    try {
      await ready.promise
      return await work()
    } finally {
      isBuilding = false
    }
  }

  return {
    ready: ready.promise,
    ended,
    // Loaded when they are asked for: few servers ever are.
    rebuild: (build) => alone(async () => (await import('./rebuild.ts')).rebuildViews(liveViews, build)),
    verify: (build) => alone(async () => (await import('./rebuild.ts')).verifyViews(liveViews, build)),
    shows: (position) => {
      if (shown !== null && shown >= position) return Promise.resolve(true)
      if (state === 'stopped' || state === 'failed') return Promise.resolve(false)
      return audience.waitFor(position, options.showsWithinMs)
    },
    version: (names) => versions?.of(names) ?? '',
    onChange: audience.onChange,
    lag: async () => {
      const folds = views?.folds() ?? []
      const places = folds.map(({ projection: { view }, writtenTo }) => ({ view, position: writtenTo() }))
      return { state, trouble, lastBatchAt, ...(await measureLag({ eventStore, documents }, places)) }
    },
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}
