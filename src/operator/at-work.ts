import { pause } from '#application/kernel/retry.ts'
import type { Holder, Leases, WatchedLeases } from '#application/kernel/ports/leases.ts'
import { reactorLease } from '#jobs/runtime/reactor.ts'
import { allProjections } from '#projections/all-projections.ts'
import { leadersOf } from '#projections/view-leases.ts'

/** What was seen of who holds what. */
export interface Seen {
  /** at the newest look, by the names of what is held */
  readonly held: ReadonlyMap<string, Holder>
  /** names of what was in the hands of who gave a sign of life since the first look */
  readonly living: ReadonlySet<string>
}

/** All in ms. One that a busy machine keeps from its sign, and what passes to another process, are waited for so long. */
interface Watch {
  readonly signWithin: number
  readonly look: number
}
export const usualWatch: Watch = { signWithin: 12_000, look: 500 }

/**
 * Looks at who holds what until that is enough, or the time is over.
 * @throws the signal's reason once it is aborted
 */
export const signsOfLife = async (
  holders: () => Promise<Seen['held']>,
  { signWithin, look }: Watch,
  isEnough: (seen: Seen) => boolean,
  signal?: AbortSignal,
): Promise<Seen> => {
  const first = await holders()
  const living = new Set<string>()
  const until = performance.now() + signWithin
  for (let held = first; ; held = await holders()) {
    for (const [name, { sign }] of held) if (sign !== first.get(name)?.sign) living.add(name)
    if (isEnough({ held, living }) || performance.now() >= until) return { held, living }
    await pause(look, signal)
    signal?.throwIfAborted()
  }
}

/** Whether every view is led, each by a process that gives a sign of life. @throws the signal's reason once it is aborted */
export const projectorRuns = async (
  leases: Pick<WatchedLeases, 'holders'>,
  signal: AbortSignal,
  watch = usualWatch,
): Promise<boolean> => {
  const all = allProjections.length
  const isKnown = ({ held, living }: Seen) => held.size === 0 || living.size === all
  return (await signsOfLife(() => leadersOf(leases), watch, isKnown, signal)).living.size === all
}

/** Whether some process works on jobs: one of them always leads (`composition/roles/worker.ts`). A killed one counts for a while. */
export const workerRuns = async (leases: Pick<Leases, 'tryAcquire'>): Promise<boolean> => {
  const lease = await leases.tryAcquire(reactorLease)
  await lease?.release()
  return lease === null
}

/** Whoever looks again and again for what a worker does asks now and then whether there still is one. @param look from 0 or 1 */
export const isTimeToAsk = (look: number): boolean => look % 20 === 0
