import type { Clock } from '#application/kernel/ports/clock.ts'
import { doneOnce } from '#application/kernel/sharing.ts'
import type { Config } from '#infrastructure/config/config.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'
import type { Log } from '#infrastructure/log/log.ts'
import type { Recorder } from '#infrastructure/metrics/recorder.ts'
import type { Rendering } from '#infrastructure/metrics/render.ts'
import type { Projector } from '#projections/runtime/projector.ts'
import type { Listener, Readiness } from '#web/server/door/ports.ts'
import { createMetricsListener } from '#web/server/door/metrics.ts'
import { lastBackup } from './last-backup.ts'

/** Jobs looked at in one scrape. */
const mostJobs = 10_000

/**
 * What a process tells of itself, and its answer at `/metrics`. What is heavy is loaded with the first scrape: most sites
 * have none.
 * @param ports.recorder what this process has measured
 */
export const metricsOf = (ports: {
  readonly recorder: Recorder
  readonly config: Config
  readonly engines: Engines
  readonly views: Pick<Projector, 'lag'>
  /** the views that this process leads at the moment */
  readonly leads: () => readonly string[]
  readonly readiness: Pick<Readiness, 'report'>
  readonly clock: Clock
  readonly log: Log
}): { readonly listener: Listener; readonly collect: Rendering['collect'] } => {
  const { recorder, config, engines, views, leads, readiness, clock, log } = ports
  const loaded = doneOnce(async () => {
    const [{ createRendering }, { moduleGauges }] = await Promise.all([
      import('#infrastructure/metrics/render.ts'),
      import('./module-gauges.ts'),
    ])
    return createRendering(
      recorder,
      {
        views: async () => (await views.lag()).views,
        leads: async () => leads(),
        jobs: () => engines.jobs.list({ states: ['waiting', 'running', 'parked'], limit: mostJobs }),
        modules: (gauge) => moduleGauges(gauge, engines.documents),
        freeBytes: engines.freeBytes,
        ready: async () => (await readiness.report()).reasons.length === 0,
        backup: () => lastBackup(engines, config),
      },
      clock.now,
    )
  })
  const listener = createMetricsListener({
    token: config.metricsToken,
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    log,
    render: async () => {
      const { contentType, render } = await loaded()
      return { contentType, text: await render() }
    },
  })
  return { listener, collect: async () => (await loaded()).collect() }
}
