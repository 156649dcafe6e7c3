import { EngineAway } from '#application/ports/event-store.ts'
import type { Role } from '#infrastructure/config/config.ts'
import type { Engines } from '#infrastructure/engines.ts'
import type { ProjectorLag, Views } from '#projections/views.ts'
import type { Readiness } from '#web/server/deps.ts'

const laggingSeconds = 30

/** How far behind the read models are; what an engine that is away has to say instead. */
const lagOrWords = async (views: Pick<Views, 'lag'>): Promise<ProjectorLag | string> => {
  try {
    return await views.lag()
  } catch (error) {
    if (error instanceof EngineAway) return error.message
    throw error
  }
}

/**
 * How a process stands (decisions 60).
 * @param of.isReady all that a start does before the first answers is done
 */
export const readinessOf = (of: {
  readonly views: Pick<Views, 'lag'>
  readonly engines: Pick<Engines, 'unanswered'>
  readonly roles: readonly Role[]
  readonly isReady: () => boolean
}): Readiness => ({
  wasReady: of.isReady,
  report: async () => {
    const away = await of.engines.unanswered()
    if (away.length > 0) return { reasons: away, degraded: [] }
    const lag = await lagOrWords(of.views)
    // It went away in between.
    if (typeof lag === 'string') return { reasons: [lag], degraded: [] }
    const parked = lag.parked > 0 ? [`${lag.parked} events could not be projected and are parked`] : []
    if (!of.isReady()) return { reasons: ['The site is starting'], degraded: parked }
    if (lag.state === 'failed')
      return { reasons: [`The projector failed: ${lag.trouble ?? 'see the log'}`], degraded: parked }
    const late =
      lag.seconds >= laggingSeconds ? [`The read models are ${Math.round(lag.seconds)} s behind`] : []
    return of.roles.includes('projector')
      ? { reasons: late, degraded: parked }
      : { reasons: [], degraded: [...late, ...parked] }
  },
})
