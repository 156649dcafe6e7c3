import { EngineAway } from '#application/kernel/ports/event-store.ts'
import type { RateLimits } from '#application/kernel/ports/rate-limits.ts'

/** So long a server that did not count is not asked again, in ms: one that stands still costs seconds each time. */
const pauseMs = 5_000

/**
 * Counters of the process's own for as long as the server that all processes share takes none, so that the owner signs in
 * and visitors write meanwhile. Each process then allows as much as all of them do together otherwise.
 * @param now in ms
 */
export const countedMeanwhile = (
  shared: RateLimits,
  own: RateLimits,
  now = (): number => performance.now(),
): RateLimits => {
  let askedAgainAt = 0
  const counting = async <Answer>(ask: (limits: RateLimits) => Promise<Answer>): Promise<Answer> => {
    if (now() < askedAgainAt) return ask(own)
    try {
      return await ask(shared)
    } catch (error) {
      if (!(error instanceof EngineAway)) throw error
      askedAgainAt = now() + pauseMs
      return ask(own)
    }
  }
  return {
    hit: (limit, key) => counting((limits) => limits.hit(limit, key)),
    giveBack: (name, key) => counting((limits) => limits.giveBack(name, key)),
    reset: (name, key) => counting((limits) => limits.reset(name, key)),
  }
}
