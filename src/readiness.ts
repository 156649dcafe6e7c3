import type { Projector } from '#projections/projector.ts'
import type { Readiness } from '#web/server/deps.ts'

const laggingSeconds = 30

/** How a process stands (decisions 60). @param isReady all that a start does before the first answers is done */
export const readinessOf = (views: Pick<Projector, 'lag'>, isReady: () => boolean): Readiness => ({
  wasReady: isReady,
  report: async () => {
    const lag = await views.lag()
    const late =
      lag.seconds >= laggingSeconds ? [`The read models are ${Math.round(lag.seconds)} s behind`] : []
    const parked = lag.parked > 0 ? [`${lag.parked} events could not be projected and are parked`] : []
    if (!isReady()) return { reasons: ['The site is starting'], degraded: parked }
    if (lag.state === 'failed')
      return { reasons: [`The projector failed: ${lag.trouble ?? 'see the log'}`], degraded: parked }
    return { reasons: late, degraded: parked }
  },
})
