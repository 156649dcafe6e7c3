import { LRUCache } from 'lru-cache'
import type { RateLimits } from '#application/kernel/ports/rate-limits.ts'
import { countedKey } from '../counted-key.ts'

/**
 * Of each limit, some 12 MB. Of those that were counted longest ago nobody gains by being forgotten: so many addresses
 * have far more tries of their own, and so many names are not judged while one window lasts.
 */
const mostKeys = 50_000

/** How often each key was counted; a window begins with its first count. */
type Counts = LRUCache<string, number>

const countsFor = (windowMs: number): Counts =>
  // By size, as `max` would take the room of all keys for a limit that nobody meets.
  new LRUCache({
    maxSize: mostKeys,
    sizeCalculation: () => 1,
    ttl: windowMs,
    ttlResolution: 0,
    noUpdateTTL: true,
  })

/** Counters in the process's memory: the one process that holds the data folder serves everybody. */
export const openRateLimits = (): RateLimits => {
  const limits = new Map<string, Counts>()
  return {
    hit: async ({ name, points, windowMs }, key) => {
      const hashed = countedKey(key)
      const counts = limits.get(name) ?? countsFor(windowMs)
      limits.set(name, counts)
      const count = (counts.get(hashed) ?? 0) + 1
      counts.set(hashed, count)
      if (count <= points) return { allowed: true, remaining: points - count }
      return { allowed: false, retryAfterMs: Math.max(1, Math.ceil(counts.getRemainingTTL(hashed))) }
    },
    giveBack: async (name, key) => {
      const hashed = countedKey(key)
      const counts = limits.get(name)
      const count = counts?.peek(hashed) ?? 0
      if (count > 1) counts?.set(hashed, count - 1)
      else counts?.delete(hashed)
    },
    reset: async (name, key) => {
      limits.get(name)?.delete(countedKey(key))
    },
  }
}
