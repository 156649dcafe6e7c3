import type { Application } from '#application/app.ts'
import { sweepPictures } from '#application/images/sweep.ts'

/** Not at once: what a start has to do comes first. */
const firstSweepMs = 10 * 60_000
const everyMs = 24 * 60 * 60_000

interface SchedulePorts {
  readonly app: Application
  readonly log: {
    readonly info: (context: object, message: string) => void
    readonly warn: (context: object, message: string) => void
  }
  readonly firstMs?: number
}

/** Sweeps away files that nothing refers to, once a day while the process holds the worker role. */
export const startSweepSchedule = ({
  app,
  log,
  firstMs = firstSweepMs,
}: SchedulePorts): { readonly stop: () => Promise<void> } => {
  const stopping = new AbortController()
  let strays: ReadonlyMap<string, number> = new Map()
  let running: Promise<void> = Promise.resolve()

  const sweep = async (): Promise<void> => {
    // One that runs in another process sees the same files and the same log.
    const lease = await app.leases.tryAcquire('sweep')
    if (lease === null) return
    const signal = AbortSignal.any([stopping.signal, lease.lost])
    try {
      const swept = await sweepPictures(app, { now: app.clock.now(), strays, signal })
      strays = swept.strays
      const { discarded, files } = swept
      if (discarded > 0 || files > 0) log.info({ discarded, files }, 'files that nothing refers to are gone')
    } catch (error) {
      if (!stopping.signal.aborted) log.warn({ err: error }, 'the sweep broke off; the next one goes on')
    } finally {
      await lease.release()
    }
  }

  let timer: NodeJS.Timeout
  const plan = (ms: number): void => {
    timer = setTimeout(() => {
      running = sweep()
        .catch((error: unknown) => log.warn({ err: error }, 'the sweep could not begin or end'))
        .finally(() => {
          if (!stopping.signal.aborted) plan(everyMs)
        })
    }, ms).unref()
  }
  plan(firstMs)
  return {
    stop: async () => {
      clearTimeout(timer)
      stopping.abort(new Error('The server is stopping'))
      await running
    },
  }
}
