import type { RateLimits } from '#application/kernel/ports/rate-limits.ts'
import { countedKey } from '../counted-key.ts'

interface Counter {
  readonly count: number
  /** as `performance.now()` has it */
  readonly endsAt: number
}

/**
 * Of each limit, some 12 MB. Of those that were counted longest ago nobody gains by being forgotten: so many addresses
 * have far more tries of their own, and so many names are not judged while one window lasts.
 */
const mostKeys = 50_000

const isOver = ({ endsAt }: Counter): boolean => endsAt <= performance.now()
const leftMs = ({ endsAt }: Counter): number => Math.max(1, Math.ceil(endsAt - performance.now()))

/** Counters in the process's memory: the one process that holds the data folder serves everybody. */
export const openRateLimits = (): RateLimits => {
  /** Of each limit the keys; those that were counted last stand at the end. */
  const counters = new Map<string, Map<string, Counter>>()

  const find = (name: string, hashed: string): Counter | null => {
    const counter = counters.get(name)?.get(hashed)
    return counter === undefined || isOver(counter) ? null : counter
  }

  /** The keys of a limit, which are looked through once in a window until there are none. */
  const keysOf = (name: string, windowMs: number): Map<string, Counter> => {
    const known = counters.get(name)
    if (known) return known
    const keys = new Map<string, Counter>()
    counters.set(name, keys)
    const timer = setInterval(() => {
      for (const [key, counter] of keys) if (isOver(counter)) keys.delete(key)
      if (keys.size > 0) return
      counters.delete(name)
      clearInterval(timer)
    }, windowMs).unref()
    return keys
  }

  return {
    check: async ({ name, points }, key) => {
      const counter = find(name, countedKey(key))
      if (counter === null) return { allowed: true, remaining: points }
      return counter.count < points
        ? { allowed: true, remaining: points - counter.count }
        : { allowed: false, retryAfterMs: leftMs(counter) }
    },
    hit: async ({ name, points, windowMs }, key) => {
      const hashed = countedKey(key)
      const { count, endsAt } = find(name, hashed) ?? { count: 0, endsAt: performance.now() + windowMs }
      const counter = { count: count + 1, endsAt }
      const keys = keysOf(name, windowMs)
      keys.delete(hashed)
      keys.set(hashed, counter)
      const [oldest] = keys.keys()
      if (keys.size > mostKeys && oldest !== undefined) keys.delete(oldest)
      return counter.count <= points
        ? { allowed: true, remaining: points - counter.count }
        : { allowed: false, retryAfterMs: leftMs(counter) }
    },
    giveBack: async (name, key) => {
      const hashed = countedKey(key)
      const counter = find(name, hashed)
      if (counter === null) return
      const keys = counters.get(name)
      if (counter.count === 1) keys?.delete(hashed)
      else keys?.set(hashed, { ...counter, count: counter.count - 1 })
    },
    reset: async (name, key) => {
      counters.get(name)?.delete(countedKey(key))
    },
  }
}
