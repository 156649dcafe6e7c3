import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { reasonOf } from '#application/kernel/reason.ts'
import { rarely, type TroubleLog } from '#application/kernel/rarely.ts'
import { pause } from '#application/kernel/retry.ts'
import { anyLease } from '#application/kernel/turns.ts'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import {
  aloneName,
  type Lease,
  type Leases,
  onlyPlace,
  serverPlaces,
  type WatchedLeases,
} from '#application/kernel/ports/leases.ts'
import { Refusal } from '#domain/refusal.ts'
import { type Config, isShared } from '#infrastructure/config/config.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'

/*
 * How a restore or an import on shared servers knows that no server process runs: each one
 * holds one of a fixed number of places, a lease; whoever wants to be alone takes all of them, so that none can
 * start meanwhile either. On embedded engines the lock of the data folder says the same.
 */
/** Had before the places: of two who took them at once each would have some, and take the other for a server. */
const turn = 'alone'

/** A killed process is known to be gone when its lease has stood still for a while; see the engine's own times. */
const timeoutMs = 12_000
const lookMs = 500

/** Waits until a lease is lost, or no longer needed. @returns whether it was lost before */
const isLost = async ({ lost }: Lease, over: AbortSignal): Promise<boolean> => {
  const either = AbortSignal.any([lost, over])
  if (!either.aborted) await once(either, 'abort')
  return !over.aborted
}

const noPlaceInWords = ({ length }: readonly string[]): string =>
  length === 1
    ? 'Another process of this site runs on the same servers, from another folder, or a restore or an import is under way there. ' +
      'A part of the site stands in DATA_DIR, so no second process can be of the same one: stop the other, or give this one ' +
      'another NAMESPACE'
    : `No place is free on these engines: a restore, a move or an import is under way, or ${length} processes of this ` +
      'site run already, which is the most. Start again when it has ended, or with fewer processes'

/** What is told to others, until it is released. */
interface Place {
  readonly release: () => Promise<void>
}

/**
 * Tells others that a server process runs here, until it is released. A place that was lost, because the
 * engine was away, is taken again.
 * @param roles which it holds
 * @param places of which it takes one; one only where a part of the site stands in a folder, which has one process
 * @throws {Refusal} when somebody works alone on these engines, or too many run
 */
export const takePlace = async (
  leases: Pick<Leases, 'tryAcquire'>,
  roles: readonly string[],
  log: TroubleLog,
  places: readonly string[] = serverPlaces,
  timeout = timeoutMs,
): Promise<Place> => {
  const stopping = new AbortController()
  const { signal } = stopping
  const names = roles.join(' ')
  const anyPlace = (former?: Lease): Promise<Lease> => {
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(timeout)])
    return anyLease(leases, places, names, inTime, lookMs, former).catch((error: unknown) => {
      if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error
      throw new Refusal('blocked', noPlaceInWords(places))
    })
  }
  const first = await anyPlace()
  const troubles = rarely(log)
  let current = first
  const keep = async (): Promise<void> => {
    while (!signal.aborted) {
      if (!(await isLost(current, signal))) return
      try {
        // Whoever came meanwhile must not have it only because this one waits for itself.
        current = await anyPlace(current)
        troubles.right('This process can say again that it runs')
      } catch (error) {
        if (signal.aborted) return
        troubles.wrong(reasonOf(error), { err: error }, 'This process cannot say that it runs; trying again')
        await pause(lookMs, signal)
      }
    }
  }
  const kept = keep()
  return {
    release: async () => {
      stopping.abort()
      await kept
      await current.release()
    },
  }
}

/**
 * Tells that a process works on this site: on shared engines one of many, else the only one. One on a copy of the folder that a
 * part of the site stands in would show and take what is the other's, and hide what it took in itself.
 * @throws {Refusal} when none may begin
 */
export const takeOwnPlace = async (
  { places }: Pick<Engines, 'places'>,
  config: Config,
  names: readonly string[],
  log: TroubleLog,
): Promise<Place> =>
  // The lock of the data folder tells it.
  places === null
    ? { release: async () => undefined }
    : takePlace(places, names, log, isShared(config) ? serverPlaces : onlyPlace)

/** What was lost of those who want to be alone, in words. */
const lostInWords = (name: string, isTaken: boolean): Refusal => {
  const again = 'run the same command again'
  if (!isTaken)
    return new Refusal(
      'blocked',
      `MongoDB did not confirm for some seconds that no server process runs, so this was broken off: ${again} when it answers`,
    )
  return new Refusal(
    'blocked',
    name === turn
      ? `Another command that has to be alone on these engines began meanwhile, so this was broken off: ${again} when that has ended`
      : `A server process began to run on these engines meanwhile, so this was broken off: stop web, projector and worker, then ${again}`,
  )
}

/**
 * A lease under a name of one's own, as soon as it is free.
 * @param options.again it was lost: its own former turn stands in its way for a while, and where another has it, it is over
 * @throws {Refusal} for one that another has by now; once the signal is aborted: its reason, or why the engine does not say
 *   who has it
 */
const acquireAs = async (
  holder: string,
  leases: WatchedLeases,
  name: string,
  { signal, again = false }: { readonly signal: AbortSignal; readonly again?: boolean },
): Promise<Lease> => {
  let away: EngineAway | null = null
  for (;;) {
    if (signal.aborted) throw away ?? signal.reason
    try {
      const lease = await leases.tryAcquire(name, holder)
      if (lease !== null) return lease
      const now = again || away !== null ? (await leases.holders([name])).get(name) : undefined
      const isMine = now?.holder === holder
      if (again && now !== undefined && !isMine) throw lostInWords(name, true)
      // Had without an answer, it is in its own way until it has run out.
      if (!isMine) away = null
    } catch (error) {
      if (!(error instanceof EngineAway)) throw error
      away = error
    }
    await pause(lookMs, signal)
  }
}

const turnOf = (
  holder: string,
  leases: WatchedLeases,
  signal: AbortSignal,
  inTime: AbortSignal,
): Promise<Lease> =>
  acquireAs(holder, leases, turn, { signal: inTime }).catch((error: unknown) => {
    signal.throwIfAborted()
    if (!inTime.aborted || error instanceof EngineAway) throw error
    throw new Refusal(
      'blocked',
      'Another command that has to be alone on these engines is under way, as a restore, a move or an import: wait until ' +
        'it has ended, then look what it has done',
    )
  })

/**
 * Does something while no server process runs on these engines and none can start.
 * @param work given a signal that is aborted when that is no longer so, or with `signal`
 * @throws {Refusal} in words when one runs, or somebody else is alone already
 */
export const whileAlone = async <T>(
  leases: WatchedLeases,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
  timeout = timeoutMs,
): Promise<T> => {
  const inTime = (): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(timeout)])
  const holder = `${aloneName}${randomUUID()}`
  const myTurn = await turnOf(holder, leases, signal, inTime())
  const waiting = inTime()
  const taken = await Promise.allSettled(
    serverPlaces.map((place) => acquireAs(holder, leases, place, { signal: waiting })),
  )
  const had = taken.flatMap((each, n) =>
    each.status === 'fulfilled' ? ([[serverPlaces[n] ?? '', each.value]] as const) : [],
  )
  const held = [[turn, myTurn] as const, ...had]
  const [over, lost] = [new AbortController(), new AbortController()]
  // A busy machine may lose a place that nobody else wants: what counts is whether another has it.
  const kept = held.map(async ([place, first]) => {
    let lease = first
    while (await isLost(lease, over.signal)) {
      try {
        const anew = AbortSignal.any([over.signal, inTime()])
        lease = await acquireAs(holder, leases, place, { signal: anew, again: true })
      } catch (error) {
        return lost.abort(error instanceof Refusal ? error : lostInWords(place, false))
      }
    }
    await lease.release()
  })
  try {
    signal.throwIfAborted()
    for (const each of taken)
      if (each.status === 'rejected' && each.reason instanceof EngineAway) throw each.reason
    const running = taken.length - had.length
    if (running > 0) {
      throw new Refusal(
        'blocked',
        `${running === 1 ? 'A server process runs' : `${running} server processes run`} on these engines: stop web, ` +
          'projector and worker first',
      )
    }
    return await work(AbortSignal.any([signal, lost.signal]))
  } finally {
    over.abort()
    await Promise.all(kept)
  }
}
