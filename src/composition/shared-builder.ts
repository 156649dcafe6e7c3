import { pause } from '#application/kernel/retry.ts'
import { z } from 'zod'
import type { Lease } from '#application/kernel/ports/leases.ts'
import { underLease } from '#application/kernel/turns.ts'
import { Refusal } from '#domain/refusal.ts'
import type { EnginePorts, Task } from '#operator/command/operation.ts'
import type { OperatorOutcome } from '#operator/command/order.ts'
import { askByRequest } from '#operator/command/request-box.ts'
import { allProjections } from '#projections/all-projections.ts'
import type { Projection } from '#projections/runtime/projection.ts'
import {
  type Build,
  type BuildFor,
  type BuildOptions,
  type BuildReport,
  chosen,
} from '#projections/runtime/rebuild.ts'
import { leadersOf, viewLease } from '#projections/view-leases.ts'
import { withBuilder } from './operator-site.ts'
import { processName } from './process-name.ts'
import { togetherOf } from './roles/projector.ts'

/** Operators ask one after the other. */
const askingLease = 'operator'
const lookMs = 500

/** What a process answers that was asked to build views: the report stands in its outcome. */
const answered = z.object({ events: z.number(), views: z.array(z.looseObject({})), switched: z.boolean() })

/**
 * Builds those of these views that nobody leads, under their leases.
 * @returns null when there is none, and when the leases were lost meanwhile
 */
const buildFree = async (
  ports: EnginePorts,
  what: BuildFor,
  wanted: readonly Projection[],
  options: BuildOptions,
): Promise<BuildReport | null> => {
  const { leases } = ports.engines
  const mine: { readonly projection: Projection; readonly lease: Lease }[] = []
  try {
    for (const projection of wanted) {
      const lease = await leases.tryAcquire(viewLease(projection), processName)
      if (lease !== null) mine.push({ projection, lease })
    }
    if (mine.length === 0) return null
    const free = mine.map(({ projection }) => projection)
    const signal = AbortSignal.any([options.signal, ...mine.map(({ lease }) => lease.lost)])
    const views = free.map(({ view }) => view.name)
    return await withBuilder(ports, (build) => build(what, { ...options, signal, views }), signal, free)
  } catch (error) {
    // A machine too busy to keep its leases: what is built stays, and whoever has them next goes on with it.
    if (mine.some(({ lease }) => lease.lost.aborted) && !options.signal.aborted) return null
    throw error
  } finally {
    for (const { lease } of mine) await lease.release()
  }
}

/** Has views built by the process that leads some of them. @returns null when none took the order */
const buildThere = async (
  { engines }: EnginePorts,
  what: BuildFor,
  wanted: readonly Projection[],
  options: BuildOptions,
  progress: Task['progress'],
): Promise<BuildReport | null> => {
  const leaders = await leadersOf(engines.leases)
  const names = wanted.map(({ view }) => view.name)
  const of = names.map((name) => leaders.get(name)?.holder).find((holder) => holder !== undefined)
  if (of === undefined) return null
  const views = names.filter((name) => leaders.get(name)?.holder === of)
  const args = { views: views.join(','), fresh: String(options.fresh) }
  const asked = { operation: `projections ${what}`, args }
  const outcome = await askByRequest({ ...engines, of }, asked, { signal: options.signal, progress })
  if (outcome === null) return null
  const report = answered.safeParse(outcome.data)
  if (!report.success) {
    const now = await leadersOf(engines.leases)
    // It may have lost them meanwhile: whoever leads them next is asked.
    if (views.some((view) => now.get(view)?.turn !== leaders.get(view)?.turn)) return null
    throw new Refusal('blocked', outcome.message)
  }
  // It has given them all away between our look and its turn.
  if (report.data.views.length === 0) return null
  // Made by `buildViews` of that process, and JSON since.
  return report.data as unknown as BuildReport
}

/**
 * Has views built by whichever processes lead them, and by a projector of one's own, under their leases, where nobody
 * does.
 * @param work what to do with what builds them
 */
export const withSharedProjector = async (
  ports: EnginePorts,
  task: Task,
  work: (build: Build) => Promise<OperatorOutcome>,
): Promise<OperatorOutcome> => {
  const { leases } = ports.engines
  const build: Build = async (what, options) => {
    const reports: BuildReport[] = []
    let left = chosen(allProjections, options.views)
    while (left.length > 0) {
      options.signal.throwIfAborted()
      const report =
        (await buildFree(ports, what, left, options)) ??
        (await buildThere(ports, what, left, options, task.progress))
      if (report !== null) reports.push(report)
      const done = new Set(report?.views.map(({ view }) => view))
      left = left.filter(({ view }) => !done.has(view.name))
      // Killed a moment ago, perhaps, or handing it over: the lease is free soon.
      if (done.size === 0) await pause(lookMs, options.signal)
    }
    return togetherOf(reports)
  }
  return underLease(leases, askingLease, task.signal, () => work(build))
}
