import { describe, expect, it } from 'vitest'
import { type Account, usernameKey } from '../kernel/ports/accounts.ts'
import { EngineAway } from '../kernel/ports/event-store.ts'
import { PasswordsBusy } from '../kernel/ports/passwords.ts'
import type { RateLimit, RateLimits } from '../kernel/ports/rate-limits.ts'
import {
  confirmPassword,
  type KnownBrowser,
  loginsPerAddress,
  loginsPerBrowser,
  signIn,
  TooManyAttempts,
} from './sign-in.ts'

const owner: Account = {
  id: 'a2f4a2b4-2a5e-4a36-9d1c-0a3d9a6c2f10',
  username: 'admin',
  email: null,
  firstName: null,
  lastName: null,
  profileImageUrl: null,
  passwordHash: 'hash of right',
  firstPassword: false,
  firstStepsAway: false,
  createdAt: '2025-01-01T00:00:00.000Z',
  updatedAt: '2025-01-01T00:00:00.000Z',
}

const counters = (): RateLimits => {
  const counts = new Map<string, number>()
  const judge = (points: number, count: number): RateLimit =>
    count <= points ? { allowed: true, remaining: points - count } : { allowed: false, retryAfterMs: 60_000 }
  const keyOf = (name: string, key: string): string => `${name} ${key}`
  return {
    hit: async ({ name, points }, key) => {
      const count = (counts.get(keyOf(name, key)) ?? 0) + 1
      counts.set(keyOf(name, key), count)
      return judge(points, count)
    },
    giveBack: async (name, key) => {
      const count = counts.get(keyOf(name, key)) ?? 0
      if (count > 0) counts.set(keyOf(name, key), count - 1)
    },
    reset: async (name, key) => void counts.delete(keyOf(name, key)),
  }
}

/** `looked` are the passwords that were really looked at, `waits` the delays before them, in ms. */
const door = (
  options: { readonly busy?: boolean; readonly away?: boolean; readonly held?: Promise<void> } = {},
) => {
  const looked: string[] = []
  const waits: number[] = []
  let account = owner
  const rateLimits = counters()
  const ports = {
    accounts: {
      findByUsername: async (name: string) => {
        if (options.away) throw new EngineAway('mongodb', 'MongoDB does not answer')
        return usernameKey(name) === account.username ? account : null
      },
      find: async () => account,
    },
    passwords: {
      verify: async (hash: string | null, password: string) => {
        if (options.busy) throw new PasswordsBusy()
        looked.push(password)
        await new Promise((resolve) => setImmediate(resolve))
        return hash === `hash of ${password}`
      },
    },
    rateLimits,
    pause: async (ms: number) => {
      waits.push(ms)
      await options.held
    },
  }
  return {
    looked,
    waits,
    rateLimits,
    change: () => {
      account = { ...owner, passwordHash: 'hash of another' }
    },
    confirm: (password: string) => confirmPassword(ports, account, password),
    attempt: (password: string, more: Partial<Parameters<typeof signIn>[1]> = {}) =>
      signIn(ports, { username: 'admin', password, address: '192.0.2.1', browser: null, ...more }),
  }
}
const fromAnywhere = (n: number) => ({ address: `198.51.100.${n}` })
const known: KnownBrowser = { id: 'her laptop', accountId: owner.id }
const tooMany = { status: 'rejected', reason: expect.any(TooManyAttempts) }

describe('the limit of an address', () => {
  it('holds for guesses that arrive all at once: no more of them are looked at', async () => {
    const { attempt, looked } = door()
    const guesses = Array.from({ length: 40 }, (_, n) =>
      attempt(n === 39 ? 'right' : `guess ${n}`, { username: n === 39 ? 'admin' : `name ${n}` }),
    )
    const ends = await Promise.allSettled(guesses)
    expect(looked).toHaveLength(loginsPerAddress.points)
    expect(ends.at(-1)).toMatchObject(tooMany)
  })

  it('counts failures only: signing in often is no reason to wait', async () => {
    const { attempt, waits } = door()
    for (let times = 0; times < 2 * loginsPerAddress.points; times += 1) {
      expect(await attempt('right')).toBe(owner)
    }
    expect(waits).toEqual([])
  })

  it('does not forget failures because somebody else signed in at the same address', async () => {
    const { attempt } = door()
    for (let n = 0; n < loginsPerAddress.points - 1; n += 1) await attempt('wrong', { username: `name ${n}` })
    expect(await attempt('right')).toBe(owner)
    await attempt('wrong', { username: 'one more' })
    await expect(attempt('right')).rejects.toThrow(TooManyAttempts)
  })
})

describe('a name', () => {
  it('waits longer with each guess, before anybody looks at it, and never longer than four seconds', async () => {
    const { attempt, waits, looked } = door()
    for (let n = 0; n < 10; n += 1) await attempt('wrong', fromAnywhere(n))
    expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000, 4_000])
    expect(looked).toHaveLength(10)
    expect(await attempt('right', fromAnywhere(11))).toBe(owner)
    expect(waits).toHaveLength(8)
  })

  it('has one guess that waits; others are told to come again, and cost their address nothing', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    const { attempt, looked, waits } = door({ held })
    for (let n = 0; n < 3; n += 1) await attempt('wrong', fromAnywhere(n))
    const first = attempt('wrong', fromAnywhere(4))
    const others = await Promise.allSettled(Array.from({ length: 30 }, () => attempt('right')))
    expect(others).toEqual(Array.from({ length: 30 }, () => expect.objectContaining(tooMany)))
    letGo()
    expect(await first).toBeNull()
    expect(looked).toHaveLength(4)
    expect(await attempt('right')).toBe(owner)
    expect(waits).toEqual([250, 500])
  })

  it.each(['ａｄｍｉｎ', ' Admin ', 'ADMIN', 'ａdmin'])(
    'counts as itself when it is written %s',
    async (username) => {
      const { attempt, waits } = door()
      for (let n = 0; n < 3; n += 1) await attempt('wrong', fromAnywhere(n))
      await attempt('wrong', { ...fromAnywhere(4), username })
      expect(waits).toEqual([250])
    },
  )

  it('that nobody has is counted and waits as one that somebody has, also after she has signed in', async () => {
    const waitsOf = async (username: string) => {
      const { attempt, waits } = door()
      for (let n = 0; n < 5; n += 1) await attempt('wrong', { ...fromAnywhere(n), username })
      await attempt('right', { address: '203.0.113.1' })
      await attempt('right', { address: '203.0.113.1', browser: known })
      waits.length = 0
      await attempt('wrong', { ...fromAnywhere(9), username })
      return waits
    }
    expect(await waitsOf('admin')).toEqual(await waitsOf('nobody'))
  })
})

describe('a browser in which she has signed in before', () => {
  it('waits for no guess of others, from wherever they come', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    const { attempt, waits } = door({ held })
    for (let n = 0; n < 3; n += 1) await attempt('wrong', fromAnywhere(n))
    const guess = attempt('wrong', fromAnywhere(4))
    for (let n = 0; n < 12; n += 1) await Promise.allSettled([attempt('wrong', { username: `name ${n}` })])
    expect(await attempt('right', { browser: known })).toBe(owner)
    expect(waits).toHaveLength(1)
    letGo()
    await guess
  })

  it('has ten guesses of its own, wherever it is, and gets no others with them', async () => {
    const { attempt, looked } = door()
    const guesses = Array.from({ length: 40 }, (_, n) =>
      attempt(`guess ${n}`, { ...fromAnywhere(n), browser: known }),
    )
    await Promise.allSettled(guesses)
    expect(looked).toHaveLength(loginsPerBrowser.points)
    await expect(attempt('right', { browser: known })).rejects.toThrow(TooManyAttempts)
    expect(await attempt('right')).toBe(owner)
  })

  it('is a stranger for every other account', async () => {
    const { attempt, waits } = door()
    const browser = { ...known, accountId: 'somebody else' }
    for (let n = 0; n < 4; n += 1) await attempt('wrong', { browser })
    expect(waits).toEqual([250])
  })
})

describe('a guess', () => {
  it('that nobody had the time to look at is not counted', async () => {
    const { attempt, confirm, rateLimits } = door({ busy: true })
    for (let n = 0; n < 20; n += 1) await expect(attempt('right')).rejects.toThrow(PasswordsBusy)
    for (let n = 0; n < 20; n += 1) await expect(confirm('right')).rejects.toThrow(PasswordsBusy)
    expect(await rateLimits.hit(loginsPerAddress, '192.0.2.1')).toMatchObject({
      allowed: true,
      remaining: 9,
    })
  })

  it('for a name that could not be looked up is not counted', async () => {
    const { attempt, rateLimits } = door({ away: true })
    for (let n = 0; n < 20; n += 1) await expect(attempt('right')).rejects.toThrow('MongoDB does not answer')
    expect(await rateLimits.hit(loginsPerAddress, '192.0.2.1')).toMatchObject({ remaining: 9 })
  })

  it('that was right for a password which was changed meanwhile signs nobody in', async () => {
    const { attempt, change } = door()
    const guess = attempt('right')
    await Promise.resolve()
    setImmediate(change)
    expect(await guess).toBeNull()
  })

  it('at the current password is counted before it is looked at', async () => {
    const { confirm, looked } = door()
    const ends = await Promise.allSettled(Array.from({ length: 100 }, (_, n) => confirm(`guess ${n}`)))
    expect(looked).toHaveLength(10)
    expect(ends.at(-1)).toMatchObject(tooMany)
    await expect(confirm('right')).rejects.toThrow(TooManyAttempts)
  })

  it('at the current password that is right costs nothing', async () => {
    const { confirm, looked } = door()
    for (let n = 0; n < 30; n += 1) await confirm('right')
    expect(looked).toHaveLength(30)
  })
})
