import { pause } from '#application/kernel/retry.ts'
import type { Holder, WatchedLeases } from '#application/kernel/ports/leases.ts'
import { allProjections } from '#projections/all-projections.ts'
import { leadersOf } from '#projections/view-leases.ts'

/** One that a busy machine keeps from it, and a view that passes to another process, are waited for so long; in ms. */
const timeoutMs = 12_000
const lookMs = 200

/** Whether every view is led, each by a process that gives a sign of life. @throws the signal's reason once it is aborted */
export const projectorRuns = async (
  leases: Pick<WatchedLeases, 'holders'>,
  signal: AbortSignal,
  withinMs = timeoutMs,
): Promise<boolean> => {
  const first = new Map<string, Holder>()
  const until = performance.now() + withinMs
  for (;;) {
    const now = await leadersOf(leases)
    if (now.size === 0) return false
    for (const [view, leader] of now) if (!first.has(view)) first.set(view, leader)
    const alive = [...now].filter(([view, { sign }]) => sign !== first.get(view)?.sign)
    if (alive.length === allProjections.length) return true
    if (performance.now() > until) return false
    await pause(lookMs, signal)
    signal.throwIfAborted()
  }
}
