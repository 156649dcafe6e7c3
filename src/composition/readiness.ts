import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { within } from '#application/kernel/within.ts'
import type { Role } from '#infrastructure/config/config.ts'
import type { Engines } from '#infrastructure/engine-sets.ts'
import { laggingSeconds } from '#projections/runtime/lag.ts'
import type { Views } from '#projections/runtime/views.ts'
import type { Readiness, Reason } from '#web/server/door/ports.ts'
import type { LossWatch } from './loss-watch.ts'

/** One that tells nothing which anybody may not know. */
const plain = (words: string): Reason => ({ short: words, full: words })
const unanswering = (full: string): Reason => ({ short: 'An engine does not answer', full })

/** What is asked for; what an engine that is away has to say instead. */
const wordsOr = async <T>(ask: () => Promise<T>): Promise<T | string> => {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof EngineAway) return error.message
    throw error
  }
}

/** Whoever asks waits no longer, in ms: where each answer comes, and late, all of them take too long. */
const toldWithinMs = 4_000

interface Asked {
  readonly views: Pick<Views, 'lag'>
  readonly engines: Pick<Engines, 'unanswered'>
  readonly roles: readonly Role[]
  readonly isReady: () => boolean
  readonly loss: Pick<LossWatch, 'lost' | 'look'>
}

const look = async (of: Asked): ReturnType<Readiness['report']> => {
  const away = await of.engines.unanswered()
  if (away.length > 0) return { reasons: away.map(unanswering), degraded: [] }
  const lost = await wordsOr(of.loss.look)
  if (typeof lost === 'string') return { reasons: [unanswering(lost)], degraded: [] }
  if (lost !== null)
    return { reasons: [{ short: 'Something of the site is lost', full: lost.words }], degraded: [] }
  const lag = await wordsOr(of.views.lag)
  // It went away in between.
  if (typeof lag === 'string') return { reasons: [unanswering(lag)], degraded: [] }
  const parked = lag.parked > 0 ? [plain(`${lag.parked} events could not be projected and are parked`)] : []
  if (!of.isReady()) return { reasons: [plain('The site is starting')], degraded: parked }
  if (lag.state === 'failed')
    return {
      reasons: [
        { short: 'The projector failed', full: `The projector failed: ${lag.trouble ?? 'see the log'}` },
      ],
      degraded: parked,
    }
  const ahead = 'What is served is ahead of the log'
  const late =
    lag.seconds >= laggingSeconds ? [plain(`The read models are ${Math.round(lag.seconds)} s behind`)] : []
  const words = lag.state === 'astray' ? [{ short: ahead, full: lag.trouble ?? ahead }] : late
  return of.roles.includes('projector')
    ? { reasons: words, degraded: parked }
    : { reasons: [], degraded: [...words, ...parked] }
}

/**
 * How a process stands.
 * @param of.isReady all that a start does before the first answers is done, and what is shown may be seen
 * @param of.loss whether what the process works on is still there
 */
export const readinessOf = (of: Asked): Readiness => ({
  closed: () => (of.loss.lost()?.served === false ? 'lost' : of.isReady() ? null : 'starting'),
  report: () =>
    within(look(of), toldWithinMs, () => ({
      reasons: [unanswering(`The engines take more than ${toldWithinMs / 1_000} seconds to answer`)],
      degraded: [],
    })),
})
