import { setImmediate as nextTurn } from 'node:timers/promises'
import { asError } from '#application/kernel/reason.ts'
import { rarely } from '#application/kernel/rarely.ts'
import { pause } from '#application/kernel/retry.ts'
import { anyLease } from '#application/kernel/turns.ts'
import { untilStopped } from '#application/kernel/until-stopped.ts'
import { CheckpointMoved, type ViewPlace } from '#application/kernel/ports/documents.ts'
import { isOutage } from '#application/kernel/outage.ts'
import type { Lease } from '#application/kernel/ports/leases.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'
import type { Log } from '#infrastructure/log/log.ts'
import { allProjections } from '#projections/all-projections.ts'
import { ViewsAstray } from '#projections/runtime/astray.ts'
import { leadersSeenBy, shareOf } from '#projections/runtime/division.ts'
import type { Projection } from '#projections/runtime/projection.ts'
import { type Projector, startProjector } from '#projections/runtime/projector.ts'
import type { Build, BuildReport } from '#projections/runtime/rebuild.ts'
import { shareLog } from '#projections/runtime/shared-log.ts'
import { leadersOf, projectorsIn, seatHolder, seats, viewLease } from '#projections/view-leases.ts'
import { processName } from '../process-name.ts'

/** Whoever has moved a checkpoint is given a moment to take the lease, in ms. */
const yieldMs = 1_000
/** Between two looks at who leads what, in ms. */
const lookMs = 500
/** Nobody who presses Undo or looks at the activity notices the tenth of a second. */
const delays = { passedMs: 1_000, unawaitedMs: 100 }

export interface ProjectorRole {
  /** the views that this process leads, by their names */
  readonly leads: () => readonly string[]
  /** builds the views that this process leads; null while it leads none */
  readonly builder: () => Build | null
  /** that views led by this process are ahead of the log; null while they are not */
  readonly astray: () => ViewsAstray | null
  /** Resolves with the error when projecting cannot go on, with null after `stop`. Never rejects. */
  readonly ended: Promise<Error | null>
  readonly stop: () => Promise<void>
}

const allNames = allProjections.map(({ view }) => view.name)

/** Starts writing the read models in the one process that holds the log. */
export const projectAlone = (
  engines: Engines,
  log: Log,
): ProjectorRole & { readonly projector: Projector } => {
  const { eventStore, documents } = engines
  const projector = startProjector({ eventStore, documents, projections: allProjections, log, alone: true })
  return {
    projector,
    leads: () => allNames,
    builder: () => projector.build,
    astray: projector.astray,
    ended: projector.ended,
    stop: projector.stop,
  }
}

/** A view that this process leads. */
interface Led {
  readonly projector: Projector
  /** aborted when it is given back, lost, or projected no more */
  readonly over: AbortSignal
  /** Gives it back, once what is under way is stored. Never rejects. */
  readonly stop: () => Promise<void>
}

/**
 * One view after the other: each is replayed, compared and switched by itself. One that passes to another process
 * meanwhile has no report: whoever leads it next is asked for it.
 */
const buildingIn =
  (led: ReadonlyMap<string, Led>): Build =>
  async (what, options) => {
    const reports: BuildReport[] = []
    for (const [name, { projector, over }] of led) {
      if (options.views.length > 0 && !options.views.includes(name)) continue
      try {
        reports.push(await projector.build(what, { ...options, views: [name] }))
      } catch (error) {
        // What ends a view may break its build a moment before it is heard of.
        await nextTurn()
        if (!over.aborted) throw error
      }
    }
    return togetherOf(reports)
  }

/** Reports of some views each, as one. */
export const togetherOf = (reports: readonly BuildReport[]): BuildReport => ({
  events: Math.max(0, ...reports.map(({ events }) => events)),
  views: reports.flatMap(({ views }) => views),
  switched: reports.length > 0 && reports.every(({ switched }) => switched),
})

/** A process that leads views beside others. Each step below takes this. */
interface Leading extends Pick<Engines, 'eventStore' | 'documents' | 'leases'> {
  readonly log: Log
  readonly heard: (view: string, place: ViewPlace) => void
  /** aborted when the process stops */
  readonly signal: AbortSignal
  readonly led: Map<string, Led>
  /** views that are left to others until then, as `performance.now` has it */
  readonly leftUntil: Map<string, number>
  /** Says that projecting cannot go on. */
  readonly fail: (error: Error) => void
}

/** Leads a view until it is stopped, the lease is lost, or somebody else has written. */
const lead = (at: Leading, projection: Projection, lease: Lease): void => {
  const { eventStore, documents, log, led } = at
  const { name } = projection.view
  const projector = startProjector({
    eventStore,
    documents,
    projections: [projection],
    log,
    signal: lease.lost,
    delays,
    onStored: at.heard,
  })
  const ending = new AbortController()
  const over = projector.ended.then(async (error) => {
    ending.abort()
    led.delete(name)
    // What the end of the lease or of the process broke is no failure of projecting.
    const isOver = lease.lost.aborted || at.signal.aborted
    await lease.release()
    if (error instanceof CheckpointMoved) at.leftUntil.set(name, performance.now() + yieldMs)
    else if (error !== null && !isOver) at.fail(error)
    log.info({ view: name, err: error }, 'This process leads a view no more')
  })
  led.set(name, {
    projector,
    over: AbortSignal.any([lease.lost, ending.signal]),
    stop: async () => {
      ending.abort()
      await projector.stop()
      await over
    },
  })
  log.info({ view: name }, 'This process leads a view')
}

/** Looks once at who is there, and gives back and takes what is due. */
const divide = async (at: Leading): Promise<void> => {
  const { leases, led, leftUntil, signal } = at
  const [places, found] = await Promise.all([leases.holders(seats), leadersOf(leases)])
  // A process of a version that projects all views at once: it ends soon.
  if (places.get(seats[0] ?? '')?.holder === '') return
  const leaders = leadersSeenBy(processName, led.keys(), found)
  const division = { views: allNames, leaders, me: processName, projectors: projectorsIn(places) }
  const { giveBack, take, most } = shareOf(division)
  await Promise.all(giveBack.map(async (view) => led.get(view)?.stop()))
  for (const projection of allProjections) {
    const { name } = projection.view
    if (led.size >= most || signal.aborted) return
    if (!take.includes(name) || (leftUntil.get(name) ?? 0) > performance.now()) continue
    const lease = await leases.tryAcquire(viewLease(projection), processName)
    if (lease !== null) lead(at, projection, lease)
  }
}

/** From taking a seat to losing it. What is led meanwhile is lost by itself, for it hangs on the same server. */
const sit = async (at: Leading, divided: () => void): Promise<void> => {
  const seat = await anyLease(at.leases, seats, seatHolder(processName), at.signal, lookMs)
  try {
    while (!at.signal.aborted && !seat.lost.aborted) {
      await divide(at)
      divided()
      await pause(lookMs, AbortSignal.any([at.signal, seat.lost]))
    }
  } finally {
    await Promise.all([...at.led.values()].map(({ stop }) => stop()))
    await seat.release()
  }
}

/** Takes one seat after the other. @returns why that cannot go on; null once the process stops */
const keepDividing = async (at: Leading): Promise<Error | null> => {
  const troubles = rarely(at.log)
  while (!at.signal.aborted) {
    try {
      await sit(at, () => troubles.right('The views are divided again'))
    } catch (error) {
      if (at.signal.aborted) break
      if (!isOutage(error)) return asError(error)
      troubles.wrong('away', { err: error }, 'The views cannot be divided just now; trying again')
      await pause(lookMs, at.signal)
    }
  }
  return null
}

const astrayOf = (led: ReadonlyMap<string, Led>): ViewsAstray | null => {
  const places = [...led.values()].flatMap(({ projector }) => [...(projector.astray()?.places ?? [])])
  return places.length === 0 ? null : new ViewsAstray(new Map(places))
}

/**
 * Divides the views with the other processes that project (projections/runtime/division.ts): each is written by whoever
 * holds its lease. Those of this process share one reading of the log, and none waits for another.
 * @param heard told of each view that was stored
 */
export const projectByViews = (
  { eventStore, documents, leases }: Pick<Engines, 'eventStore' | 'documents' | 'leases'>,
  log: Log,
  heard: (view: string, place: ViewPlace) => void,
): ProjectorRole => {
  const failed = Promise.withResolvers<Error>()
  const led = new Map<string, Led>()
  const { ended: dividing, stop } = untilStopped((signal) =>
    keepDividing({
      eventStore: shareLog(eventStore),
      documents,
      leases,
      log,
      heard,
      signal,
      led,
      leftUntil: new Map(),
      fail: failed.resolve,
    }),
  )
  return {
    leads: () => [...led.keys()],
    // Those of now: what is led later was not asked for.
    builder: () => (led.size === 0 ? null : buildingIn(new Map(led))),
    astray: () => astrayOf(led),
    ended: Promise.race([dividing, failed.promise]),
    stop,
  }
}
