import { setTimeout as pause } from 'node:timers/promises'
import { asError } from '#application/kernel/reason.ts'
import { CheckpointMoved, type Documents } from '#application/kernel/ports/documents.ts'
import { UnknownPosition } from '#application/kernel/ports/event-store.ts'
import type { EventStore, Position, RecordedEvent } from '#application/kernel/ports/event-store.ts'
import { astrayInWords, astrayViews, beyondLog, ViewsAstray } from './astray.ts'
import { openAudience } from './audience.ts'
import { catchUp, openViews, type Stored, type ViewFolds } from './catch-up.ts'
import { parkedView } from './fold.ts'
import { measureLag } from './lag.ts'
import type { Projection } from './projection.ts'
import type { BuildOptions, BuildReport, LiveViews } from './rebuild.ts'
import { lastChanges, openVersions, type ViewVersions } from './view-versions.ts'
import type { ProjectorLog, ProjectorState, Views } from './views.ts'

/** Events handed over at once while the projector is up to date. */
const liveBatch = 1_000
const firstPauseMs = 50
const longestPauseMs = 5_000
/** How often it is asked whether the views are ahead of the log. */
const usualLookMs = 5_000

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
  /** How long `shows` waits at most; unless given it waits until the projector stops. */
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

/** One build at a time. The message is for people. */
class BuildRunning extends Error {
  constructor() {
    super('The read models are being rebuilt or verified already: wait until that is done')
    this.name = 'BuildRunning'
  }
}

/** Asking again would not help: another projects, or the views come from another log than this one. */
const isFinal = (thrown: unknown): boolean =>
  thrown instanceof CheckpointMoved || thrown instanceof UnknownPosition || thrown instanceof ViewsAstray

/** Thrown out of a repeated call when the projector is to stop. */
class Stopping extends Error {}

/**
 * Starts projecting: first brings every view to the end of the log, each from its own checkpoint, then follows
 * the log. A failing engine is asked again for ever; a view whose checkpoint another runner moved ends the
 * projector. Where the views turn out to be ahead of the log it stands aside, with
 * commands refused, until they are rebuilt or the log has come back.
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
  let astray: ViewsAstray | null = null
  /** From opening the views to the end, or until they turn out to be ahead of the log. */
  let round = new AbortController()
  const going = (): AbortSignal => AbortSignal.any([signal, round.signal])

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
        await pause(wait * (0.5 + Math.random() / 2), undefined, { signal: going() }).catch(() => undefined)
        round.signal.throwIfAborted()
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
    if (log.isLevelEnabled?.('debug') !== true) return
    const correlationIds = [...new Set(batch.map(({ meta }) => meta.correlationId))]
    log.debug?.({ correlationIds, events: batch.length, position: batch.at(-1)?.position }, 'projected')
  }

  /** @throws {ViewsAstray} when a document that the batch is about is ahead of the log */
  const storeSound = async (all: ViewFolds, kept: ViewVersions): Promise<Stored | null> => {
    const reached = all.position() ?? ''
    const refuseBeyond = async (places: ReadonlyMap<string, Position>): Promise<void> => {
      const beyond = await beyondLog(eventStore, places)
      if (beyond.size > 0) throw new ViewsAstray(beyond, 'documents')
    }
    const ahead = all.folds().flatMap(({ projection: { view }, furthest }) => {
      const at = furthest()
      return at !== null && at > reached ? [[view.name, at] as const] : []
    })
    await refuseBeyond(new Map(ahead))
    return all.store(kept.writes, (furthest) => refuseBeyond(new Map([['a document', furthest]])))
  }

  const follow = async (all: ViewFolds, kept: ViewVersions, untilReady: Position | null): Promise<void> => {
    const beReady = (): void => {
      if (untilReady === null || (shown !== null && shown >= untilReady)) ready.resolve()
    }
    beReady()
    const live = going()
    for (let wait = firstPauseMs; !live.aborted; ) {
      try {
        for await (const batch of eventStore.subscribe(all.position(), { limit: liveBatch, signal: live })) {
          const stored = await inTurn(async () => {
            await patiently(() => all.take(batch))
            return patiently(() => storeSound(all, kept))
          })
          if (stored) announce(stored)
          tellOf(batch)
          beReady()
          wait = firstPauseMs
        }
        if (live.aborted) return
        log.warn({}, 'The subscription to the log ended; subscribing again')
      } catch (thrown) {
        if (isFinal(thrown) || thrown instanceof Stopping) throw thrown
        trouble = asError(thrown).message
        log.warn({ err: thrown, retryInMs: wait }, 'The subscription to the log broke off; subscribing again')
      }
      await pause(wait * (0.5 + Math.random() / 2), undefined, { signal: live }).catch(() => undefined)
      wait = Math.min(wait * 2, longestPauseMs)
    }
  }

  const everyView = [...projections.flatMap(({ view }) => [view, parkedView(view)]), lastChanges]
  const placesAstray = (): Promise<ReadonlyMap<string, Position>> =>
    astrayViews(eventStore, documents, everyView)

  const project = async (): Promise<void> => {
    const untilReady = await patiently(eventStore.head)
    const ahead = await patiently(placesAstray)
    if (ahead.size > 0) throw new ViewsAstray(ahead)
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
      signal: going(),
      patiently,
      store: () => storeSound(all, kept),
      onStored: announce,
      onProgress: (count) => {
        events = count
        options.onProgress?.(count)
      },
    })
    const reached = all.position()
    const late = reached === null ? [] : kept.writes([], reached)
    if (reached !== null && late.length > 0) {
      // Views that need nothing may still stand behind no memory of it: who only follows would wait for ever.
      await patiently(() => documents.write(late))
      kept.stored([], reached)
    }
    const ms = Math.round(performance.now() - began)
    if (events > 0) log.info({ events, ms }, 'Read models are up to date')
    state = 'live'
    await follow(all, kept, untilReady)
    if (!signal.aborted) round.signal.throwIfAborted()
  }

  /** Ends the round when the stored checkpoints are ahead of the log, which nobody may notice for long. */
  const look = async (): Promise<void> => {
    const places = await placesAstray()
    if (places.size > 0 && state !== 'astray') round.abort(new ViewsAstray(places))
  }
  const keepLooking = async (): Promise<void> => {
    while (!signal.aborted) {
      await pause(options.lookEveryMs ?? usualLookMs, undefined, { signal, ref: false }).catch(
        () => undefined,
      )
      // An engine that is away is told of by who projects.
      if (state === 'live') await look().catch(() => undefined)
    }
  }

  /** Why a round ended, when that is because the views are ahead of the log. */
  const astrayFrom = async (thrown: unknown): Promise<ViewsAstray | null> => {
    if (thrown instanceof ViewsAstray) return thrown
    if (!isFinal(thrown)) return null
    const places = await patiently(placesAstray)
    return places.size === 0 ? null : new ViewsAstray(places)
  }

  let built = Promise.withResolvers<void>()
  /** Waits until the views were built anew, or the log is there again. */
  const standAside = async (why: ViewsAstray): Promise<void> => {
    built = Promise.withResolvers()
    astray = why
    state = 'astray'
    const words = `${astrayInWords(why.places)}. Until then nothing is saved`
    log.error({ places: Object.fromEntries(why.places) }, words)
    audience.sendAway()
    ready.reject(why)
    let isBuilt = false
    const mended = built.promise.then(() => {
      isBuilt = true
    })
    for (;;) {
      await Promise.race([
        mended,
        pause(options.lookEveryMs ?? usualLookMs, undefined, { signal }).catch(() => undefined),
      ])
      if (signal.aborted) throw new Stopping()
      if (isBuilt) break
      const [stored, found] = await patiently(() =>
        Promise.all([placesAstray(), why.of === 'documents' ? beyondLog(eventStore, why.places) : new Map()]),
      )
      if (!isBuilding && stored.size + found.size === 0) break
    }
    log.info({}, 'What is served is no longer ahead of the log; projecting goes on')
    astray = null
    state = 'catching-up'
  }

  const run = async (): Promise<Error | null> => {
    try {
      for (;;) {
        try {
          await project()
          break
        } catch (thrown) {
          if (signal.aborted) throw thrown
          round = new AbortController()
          const why = await astrayFrom(thrown)
          if (why !== null) await standAside(why)
          else if (thrown instanceof CheckpointMoved && options.alone === true)
            log.warn({ err: thrown }, 'A checkpoint was changed by hand; projecting goes on from there')
          else throw thrown
        }
      }
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

  let isBuilding = false
  void keepLooking()
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
  type Build = typeof import('./rebuild.ts').rebuildViews
  const build = async (what: 'rebuild' | 'verify', asked: BuildOptions): Promise<BuildReport> => {
    if (isBuilding) throw new BuildRunning()
    isBuilding = true
    try {
      await ready.promise.catch((error: unknown) => {
        if (!(error instanceof ViewsAstray)) throw error
      })
      await look()
      while (state === 'catching-up' || (state === 'live' && round.signal.aborted)) await pause(firstPauseMs)
      // Loaded when they are asked for: few servers ever are.
      const { buildAstray, rebuildViews, verifyViews } = await import('./rebuild.ts')
      if (state !== 'astray') {
        const each: Readonly<Record<typeof what, Build>> = { rebuild: rebuildViews, verify: verifyViews }
        return await each[what](liveViews, asked)
      }
      const some = projections.filter(
        ({ view }) => asked.views.length === 0 || asked.views.includes(view.name),
      )
      const { announce: tell } = liveViews
      const report = await buildAstray(
        { eventStore, documents, announce: tell, stopping: signal },
        some,
        what,
        asked,
      )
      if (report.switched) built.resolve()
      return report
    } finally {
      isBuilding = false
    }
  }

  return {
    ready: ready.promise,
    ended,
    rebuild: (asked) => build('rebuild', asked),
    verify: (asked) => build('verify', asked),
    astray: () => astray,
    shows: (position) => {
      // What they say they show is of another log.
      if (state === 'astray') return Promise.resolve(false)
      if (shown !== null && shown >= position) return Promise.resolve(true)
      if (state === 'stopped' || state === 'failed') return Promise.resolve(false)
      return audience.waitFor(position, options.showsWithinMs)
    },
    version: (names) => versions?.of(names) ?? '',
    onChange: audience.onChange,
    lag: async () => {
      const folds = views?.folds() ?? []
      const places = folds.map(({ projection: { view }, writtenTo }) => ({ view, position: writtenTo() }))
      const words = astray === null ? trouble : astrayInWords(astray.places)
      return { state, trouble: words, lastBatchAt, ...(await measureLag({ eventStore, documents }, places)) }
    },
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}
