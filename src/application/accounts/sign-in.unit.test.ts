import { describe, expect, it } from 'vitest'
import type { Account } from '#application/ports/accounts.ts'
import type { RateLimit, RateLimits } from '#application/ports/rate-limits.ts'
import { loginsPerAddress, signIn, TooManyAttempts } from './sign-in.ts'

const owner: Account = {
  id: 'a2f4a2b4-2a5e-4a36-9d1c-0a3d9a6c2f10',
  username: 'admin',
  email: null,
  firstName: null,
  lastName: null,
  profileImageUrl: null,
  passwordHash: 'hash of right',
  firstPassword: false,
  createdAt: '2025-01-01T00:00:00.000Z',
  updatedAt: '2025-01-01T00:00:00.000Z',
}

const counters = (): RateLimits => {
  const counts = new Map<string, number>()
  const judge = (points: number, count: number): RateLimit =>
    count <= points ? { allowed: true, remaining: points - count } : { allowed: false, retryAfterMs: 60_000 }
  const keyOf = (name: string, key: string): string => `${name} ${key}`
  return {
    check: async ({ name, points }, key) => judge(points, (counts.get(keyOf(name, key)) ?? 0) + 1),
    hit: async ({ name, points }, key) => {
      const count = (counts.get(keyOf(name, key)) ?? 0) + 1
      counts.set(keyOf(name, key), count)
      return judge(points, count)
    },
    reset: async (name, key) => void counts.delete(keyOf(name, key)),
  }
}

/** Signs in from one address; `looked` counts the passwords that were really looked at. */
const door = () => {
  const looked: string[] = []
  const ports = {
    accounts: { findByUsername: async (name: string) => (name === owner.username ? owner : null) },
    passwords: {
      verify: async (_hash: string | null, password: string) => {
        looked.push(password)
        await new Promise((resolve) => setImmediate(resolve))
        return password === 'right'
      },
    },
    rateLimits: counters(),
    wait: async () => {},
  }
  return {
    looked,
    // Signing in asks its ports for no more than this.
    attempt: (password: string) =>
      signIn(ports as unknown as Parameters<typeof signIn>[0], {
        username: 'admin',
        password,
        address: '192.0.2.1',
      }),
  }
}

describe('the limit of an address', () => {
  it('holds for guesses that arrive all at once: no more of them are looked at (decisions 51)', async () => {
    const { attempt, looked } = door()
    const guesses = Array.from({ length: 40 }, (_, n) => attempt(n === 39 ? 'right' : `guess ${n}`))
    const ends = await Promise.allSettled(guesses)
    expect(looked).toHaveLength(loginsPerAddress.points)
    expect(ends.at(-1)).toMatchObject({ status: 'rejected', reason: expect.any(TooManyAttempts) })
  })

  it('counts failures only: signing in often is no reason to wait', async () => {
    const { attempt } = door()
    for (let times = 0; times < 2 * loginsPerAddress.points; times += 1) {
      expect(await attempt('right')).toBe(owner)
    }
  })
})
