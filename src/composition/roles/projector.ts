import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { asError } from '#application/kernel/reason.ts'
import { rarely } from '#application/kernel/rarely.ts'
import { rest } from '#application/kernel/retry.ts'
import { CheckpointMoved, type ViewPlace } from '#application/kernel/ports/documents.ts'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import type { Lease } from '#application/kernel/ports/leases.ts'
import type { Engines } from '#infrastructure/engines.ts'
import type { Log } from '#infrastructure/log/log.ts'
import { allProjections } from '#projections/all-projections.ts'
import { ViewsAstray } from '#projections/runtime/astray.ts'
import { shareOf } from '#projections/runtime/division.ts'
import type { Projection } from '#projections/runtime/projection.ts'
import { type Projector, startProjector } from '#projections/runtime/projector.ts'
import type { BuildOptions, BuildReport } from '#projections/runtime/rebuild.ts'
import { shareReading } from '#projections/runtime/shared-reading.ts'
import { leadersOf, projectorsIn, seatHolder, seats, viewLease } from '#projections/view-leases.ts'
import { processName } from '../process-name.ts'

/** Whoever has moved a checkpoint is given a moment to take the lease, in ms. */
const yieldMs = 1_000
/** Between two looks at who leads what, in ms. */
const lookMs = 500
/** Nobody who presses Undo or looks at the activity notices the tenth of a second. */
const delays = { passedMs: 1_000, unawaitedMs: 100 }

/** What builds views anew. */
export type Builder = Pick<Projector, 'rebuild' | 'verify'>

export interface ProjectorRole {
  /** the views that this process leads, by their names */
  readonly leads: () => readonly string[]
  /** builds the views that this process leads; null while it leads none */
  readonly builder: () => Builder | null
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
    builder: () => projector,
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
const buildEach = async (
  led: ReadonlyMap<string, Led>,
  what: 'rebuild' | 'verify',
  options: BuildOptions,
): Promise<BuildReport> => {
  const reports: BuildReport[] = []
  for (const [name, { projector, over }] of led) {
    if (options.views.length > 0 && !options.views.includes(name)) continue
    try {
      reports.push(await projector[what]({ ...options, views: [name] }))
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

/**
 * Divides the views with the other processes that project (projections/runtime/division.ts): each is written by whoever
 * holds its lease. Those of this process share one reading of the log, and none waits for another.
 * @param heard told of each view that was stored
 */
export const projectByViews = (
  engines: Pick<Engines, 'eventStore' | 'documents' | 'leases'>,
  log: Log,
  heard: (view: string, place: ViewPlace) => void,
): ProjectorRole => {
  const { documents, leases } = engines
  const eventStore = shareReading(engines.eventStore)
  const stopping = new AbortController()
  const { signal } = stopping
  const led = new Map<string, Led>()
  /** views that are left to others until then, as `performance.now` has it */
  const leftUntil = new Map<string, number>()
  const failed = Promise.withResolvers<Error>()
  const troubles = rarely(log)

  /** Leads a view until it is stopped, the lease is lost, or somebody else has written. */
  const lead = (projection: Projection, lease: Lease): void => {
    const { name } = projection.view
    const projector = startProjector({
      eventStore,
      documents,
      projections: [projection],
      log,
      signal: lease.lost,
      delays,
      onStored: heard,
    })
    const ending = new AbortController()
    const over = projector.ended.then(async (error) => {
      ending.abort()
      led.delete(name)
      // What the end of the lease or of the process broke is no failure of projecting.
      const isOver = lease.lost.aborted || signal.aborted
      await lease.release()
      if (error instanceof CheckpointMoved) leftUntil.set(name, performance.now() + yieldMs)
      else if (error !== null && !isOver) failed.resolve(error)
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

  const isLeft = (name: string): boolean => (leftUntil.get(name) ?? 0) > performance.now()

  /** Looks once at who is there, and gives back and takes what is due. */
  const divide = async (): Promise<void> => {
    const [places, found] = await Promise.all([leases.holders(seats), leadersOf(leases)])
    // A process of a version that projects all views at once: it ends soon.
    if (places.get(seats[0] ?? '')?.holder === '') return
    const leaders = new Map([...found].map(([view, { holder }]) => [view, holder]))
    // One that this process no longer leads may still look as if it did.
    for (const [view, holder] of leaders) if (holder === processName && !led.has(view)) leaders.delete(view)
    for (const view of led.keys()) leaders.set(view, processName)
    const division = { views: allNames, leaders, me: processName, projectors: projectorsIn(places) }
    const { giveBack, take, most } = shareOf(division)
    await Promise.all(giveBack.map(async (view) => led.get(view)?.stop()))
    for (const projection of allProjections) {
      const { name } = projection.view
      if (led.size >= most || signal.aborted) return
      if (!take.includes(name) || isLeft(name)) continue
      const lease = await leases.tryAcquire(viewLease(projection), processName)
      if (lease !== null) lead(projection, lease)
    }
  }

  const takeSeat = async (): Promise<Lease> => {
    for (;;) {
      for (const seat of seats) {
        signal.throwIfAborted()
        const lease = await leases.tryAcquire(seat, seatHolder(processName))
        if (lease !== null) return lease
      }
      await pause(lookMs, undefined, { signal })
    }
  }

  /** From taking a seat to losing it. What is led meanwhile is lost by itself, for it hangs on the same server. */
  const sit = async (): Promise<void> => {
    const seat = await takeSeat()
    try {
      while (!signal.aborted && !seat.lost.aborted) {
        await divide()
        troubles.right('The views are divided again')
        await rest(lookMs, AbortSignal.any([signal, seat.lost]))
      }
    } finally {
      await Promise.all([...led.values()].map(({ stop }) => stop()))
      await seat.release()
    }
  }

  const run = async (): Promise<Error | null> => {
    while (!signal.aborted) {
      try {
        await sit()
      } catch (error) {
        if (signal.aborted) break
        if (!(error instanceof EngineAway)) return asError(error)
        troubles.wrong('away', { err: error }, 'The views cannot be divided just now; trying again')
        await rest(lookMs, signal)
      }
    }
    return null
  }

  const dividing = run()
  // Those of now: what is led later was not asked for.
  const builder: Builder = {
    rebuild: (options) => buildEach(new Map(led), 'rebuild', options),
    verify: (options) => buildEach(new Map(led), 'verify', options),
  }
  const stop = async (): Promise<void> => {
    stopping.abort(new Error('The server is stopping'))
    await dividing
  }
  return {
    leads: () => [...led.keys()],
    builder: () => (led.size === 0 ? null : builder),
    astray: () => {
      const found = [...led.values()].flatMap(({ projector }) => projector.astray() ?? [])
      const places = found.flatMap((each) => [...each.places])
      return places.length === 0 ? null : new ViewsAstray(new Map(places))
    },
    ended: Promise.race([dividing, failed.promise]),
    stop,
  }
}
