import type { Redis } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import type { Limit, RateLimits } from '#application/kernel/ports/rate-limits.ts'
import { countedKey } from '../../counted-key.ts'
import { asked } from './connection.ts'

/** What is nothing any more goes at once: the server refuses to store anything once its memory is full. */
const giveBackOne = `
  local counted = tonumber(redis.call('get', KEYS[1]) or '0')
  if counted > 1 then return redis.call('decr', KEYS[1]) end
  return redis.call('del', KEYS[1])`

/**
 * Counters that all processes share.
 * @param prefix begins every key
 */
export const openRateLimits = (client: Redis, prefix: string): RateLimits => {
  const counters = new Map<string, RateLimiterRedis>()
  const prefixOf = (name: string): string => `${prefix}:limits:${name}`

  const counterOf = ({ name, points, windowMs }: Limit): RateLimiterRedis => {
    const known = counters.get(name)
    if (known) return known
    const made = new RateLimiterRedis({
      storeClient: client,
      keyPrefix: prefixOf(name),
      points,
      duration: windowMs / 1_000,
    })
    counters.set(name, made)
    return made
  }

  return {
    hit: async (limit, key) => {
      const { consumedPoints, msBeforeNext } = await asked(() => counterOf(limit).penalty(countedKey(key)))
      return consumedPoints <= limit.points
        ? { allowed: true, remaining: limit.points - consumedPoints }
        : { allowed: false, retryAfterMs: Math.max(1, msBeforeNext) }
    },
    giveBack: async (name, key) => {
      // The name of a window that is over is not there any more: DECR alone would make one that never ends.
      await asked(() => client.eval(giveBackOne, 1, `${prefixOf(name)}:${countedKey(key)}`))
    },
    reset: async (name, key) => {
      await asked(() => client.del(`${prefixOf(name)}:${countedKey(key)}`))
    },
  }
}
