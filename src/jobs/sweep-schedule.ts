import type { Logger } from '#application/kernel/ports/logger.ts'
import type { Application } from '#application/application.ts'
import { sweepImages } from '#application/images/sweep.ts'
import type { IdempotencyKeys } from '#application/kernel/ports/idempotency.ts'
import { again } from './runtime/again.ts'

/** Not at once: what a start has to do comes first. */
const firstSweepMs = 10 * 60_000
const day = 24 * 60 * 60_000
const everyMs = day
/** Nobody is signed in by a session that has expired; kept so much longer, a clock that runs ahead ends none that has not. */
const expiredKeptMs = 30 * day

interface SchedulePorts {
  readonly app: Application
  readonly idempotency: Pick<IdempotencyKeys, 'sweep'>
  readonly log: Pick<Logger, 'info' | 'warn'>
  readonly firstMs?: number
}

/** Sweeps away files that nothing refers to and what has expired, once a day while this process leads the work. */
export const startSweepSchedule = ({
  app,
  idempotency,
  log,
  firstMs = firstSweepMs,
}: SchedulePorts): { readonly stop: () => Promise<void> } => {
  let strays: ReadonlyMap<string, number> = new Map()

  const sweep = async (stopping: AbortSignal): Promise<void> => {
    // One that runs in another process sees the same files and the same log.
    const lease = await app.leases.tryAcquire('sweep')
    if (lease === null) return
    const signal = AbortSignal.any([stopping, lease.lost])
    try {
      const now = app.clock.now()
      await app.sessions.sweep(new Date(now.getTime() - expiredKeptMs).toISOString())
      await idempotency.sweep(now.toISOString())
      await app.files.sweep()
      const swept = await sweepImages(app, { now, strays, signal })
      strays = swept.strays
      const { strays: _, ...counts } = swept
      if (Object.values(counts).some((number) => number > 0))
        log.info(counts, 'files that nothing refers to were put aside')
    } catch (error) {
      if (!stopping.aborted) log.warn({ err: error }, 'the sweep broke off; the next one goes on')
    } finally {
      await lease.release()
    }
  }

  return again(async (stopping) => {
    await sweep(stopping).catch((error: unknown) =>
      log.warn({ err: error }, 'the sweep could not begin or end'),
    )
    return everyMs
  }, firstMs)
}
