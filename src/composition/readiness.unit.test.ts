import { afterEach, expect, it, vi } from 'vitest'
import { readinessOf } from './readiness.ts'

afterEach(() => void vi.useRealTimers())

const never = <T>() => new Promise<T>(() => undefined)

it('is told within four seconds, also where each answer of an engine comes, and late', async () => {
  vi.useFakeTimers()
  const { report } = readinessOf({
    views: { lag: never },
    engines: { unanswered: async () => [] },
    roles: ['web'],
    isReady: () => true,
    loss: { lost: () => null, look: async () => null },
  })
  const told = report()
  await vi.advanceTimersByTimeAsync(4_000)
  expect(await told).toEqual({
    reasons: [{ short: 'An engine does not answer', full: 'The engines take more than 4 seconds to answer' }],
    degraded: [],
  })
})
