import type { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { RateLimit, RateLimits } from '#application/kernel/ports/rate-limits.ts'

type Limit = Parameters<RateLimits['check']>[0]

/** Counters in the process's memory: the one process that holds the data folder serves everybody. */
export const openRateLimits = (): RateLimits => {
  const counters = new Map<string, RateLimiterMemory>()

  const counterOf = async ({ name, points, windowMs }: Limit): Promise<RateLimiterMemory> => {
    const known = counters.get(name)
    if (known) return known
    // loaded when first needed: most visitors never meet a limit
    const { RateLimiterMemory: Counter } = await import('rate-limiter-flexible')
    const made = counters.get(name) ?? new Counter({ points, duration: windowMs / 1_000 })
    counters.set(name, made)
    return made
  }

  const judge = (points: number, counted: RateLimiterRes | null, allowed: boolean): RateLimit =>
    allowed
      ? { allowed, remaining: Math.max(0, points - (counted?.consumedPoints ?? 0)) }
      : { allowed, retryAfterMs: Math.max(1, counted?.msBeforeNext ?? 0) }

  return {
    check: async (limit, key) => {
      const found = await (await counterOf(limit)).get(key)
      const counted = found && found.msBeforeNext > 0 ? found : null
      return judge(limit.points, counted, (counted?.consumedPoints ?? 0) < limit.points)
    },
    hit: async (limit, key) => {
      const counted = await (await counterOf(limit)).penalty(key)
      return judge(limit.points, counted, counted.consumedPoints <= limit.points)
    },
    giveBack: async (name, key) => {
      const counter = counters.get(name)
      const counted = await counter?.get(key)
      if (counter && counted && counted.msBeforeNext > 0 && counted.consumedPoints > 0)
        await counter.reward(key)
    },
    reset: async (name, key) => {
      await counters.get(name)?.delete(key)
    },
  }
}
