import { expect, it } from 'vitest'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import type { RateLimits } from '#application/kernel/ports/rate-limits.ts'
import { countedMeanwhile } from './counted-meanwhile.ts'
import { openRateLimits } from './embedded/rate-limits.ts'

const limit = { name: 'logins', points: 2, windowMs: 60_000 }

/** Counters of a server that can be away, and how often it was asked then. */
const server = () => {
  const counters = openRateLimits()
  const state = { isAway: false, asked: 0 }
  const unlessAway = async <Answer>(answer: () => Promise<Answer>): Promise<Answer> => {
    if (!state.isAway) return answer()
    state.asked += 1
    throw new EngineAway('redis', 'away')
  }
  const limits: RateLimits = {
    hit: (...asked) => unlessAway(() => counters.hit(...asked)),
    giveBack: (...asked) => unlessAway(() => counters.giveBack(...asked)),
    reset: (...asked) => unlessAway(() => counters.reset(...asked)),
  }
  return { state, limits }
}

it('is counted in the process while the server is away, and by the server again when it is back', async () => {
  const { state, limits } = server()
  let now = 0
  const counted = countedMeanwhile(limits, openRateLimits(), () => now)
  expect(await counted.hit(limit, 'a')).toEqual({ allowed: true, remaining: 1 })
  state.isAway = true
  expect(await counted.hit(limit, 'a')).toEqual({ allowed: true, remaining: 1 })
  expect(await counted.hit(limit, 'a')).toEqual({ allowed: true, remaining: 0 })
  expect(await counted.hit(limit, 'a')).toMatchObject({ allowed: false })
  await counted.giveBack(limit.name, 'a')
  await counted.giveBack(limit.name, 'a')
  expect(await counted.hit(limit, 'a')).toEqual({ allowed: true, remaining: 0 })
  await counted.reset(limit.name, 'a')
  expect(await counted.hit(limit, 'a')).toEqual({ allowed: true, remaining: 1 })
  // It is not asked each time: one that stands still takes seconds to say nothing.
  expect(state.asked).toBe(1)
  state.isAway = false
  now += 5_000
  expect(await counted.hit(limit, 'a')).toEqual({ allowed: true, remaining: 0 })
})

it('passes on what is no absence', async () => {
  const limits = { ...openRateLimits(), hit: () => Promise.reject(new TypeError('a mistake')) }
  await expect(countedMeanwhile(limits, openRateLimits()).hit(limit, 'a')).rejects.toThrow('a mistake')
})
