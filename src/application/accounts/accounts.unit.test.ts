import { afterEach, describe, expect, it, vi } from 'vitest'
import { changePassword, ensureFirstAccount, setPassword } from './accounts.ts'
import type { Account } from '../kernel/ports/accounts.ts'
import { EngineAway } from '../kernel/ports/event-store.ts'
import type { Sessions } from '../kernel/ports/sessions.ts'
import { credentialVersion } from '../kernel/session-holds.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const none = (): never => {
  throw new Error('This test does not expect it')
}

/** Accounts on an engine that does what it is asked, and whose answers to writes are lost. */
const unanswered = () => {
  const stored = new Map<string, Account>()
  const lost = (): never => {
    throw new EngineAway('mongodb', 'MongoDB does not answer')
  }
  const ports = {
    accounts: {
      count: async () => stored.size,
      find: async (id: string) => stored.get(id) ?? null,
      findByUsername: none,
      addFirst: async (account: Account) => {
        stored.set(account.id, account)
        return lost()
      },
      setPassword: async (id: string, passwordHash: string) => {
        const account = stored.get(id)
        if (account) stored.set(id, { ...account, passwordHash })
        return lost()
      },
      setFirstStepsAway: none,
      replaceAll: none,
      all: none,
    },
    passwords: {
      hash: async (password: string) => `hash of ${password}`,
      verify: async (hash: string | null, password: string) => hash === `hash of ${password}`,
      isCommon: async () => false,
      needsRehash: () => false,
    },
    clock: { now: () => new Date('2026-03-04T05:06:07.000Z'), newId: () => 'first' },
    sessions: {
      find: none,
      save: none,
      touch: none,
      setCredentialVersion: async () => {},
      remove: none,
      listByAccount: none,
      removeById: none,
      removeOthers: async () => 0,
      sweep: none,
    },
    rateLimits: {
      check: none,
      hit: async () => ({ allowed: true, remaining: 1 }) as const,
      giveBack: async () => {},
      reset: none,
    },
  }
  return { ports, stored }
}

it('the first password is shown also where the answer to its account was lost', async () => {
  const { ports, stored } = unanswered()
  const password = await ensureFirstAccount(ports, { username: 'admin', password: null })
  expect(password).not.toBeNull()
  expect(stored.get('first')?.passwordHash).toBe(`hash of ${password}`)
})

it('a password that the operator sets is said to be set, also where the answer to it was lost', async () => {
  const { ports, stored } = unanswered()
  await ensureFirstAccount(ports, { username: 'admin', password: null })
  const accounts = { ...ports.accounts, findByUsername: async () => stored.get('first') ?? null }
  const newPassword = 'four words of her own'
  await setPassword({ ...ports, accounts }, 'admin', newPassword)
  expect(stored.get('first')?.passwordHash).toBe(`hash of ${newPassword}`)
})

it('a password that was changed is said to be, also where the answer to it was lost', async () => {
  const { ports, stored } = unanswered()
  const first = await ensureFirstAccount(ports, { username: 'admin', password: null })
  // The account was stored above.
  const account = stored.get('first') as Account
  const newPassword = 'four words of her own'
  await changePassword(ports, account, { currentPassword: first ?? '', newPassword }, null)
  expect(stored.get('first')?.passwordHash).toBe(`hash of ${newPassword}`)
})

describe('a password that was set while the sessions cannot be reached', () => {
  const away = new EngineAway('mongodb', 'MongoDB does not answer')
  const newPassword = 'four words of her own'
  const change = async (sessions: Partial<Sessions>) => {
    const { ports, stored } = unanswered()
    const currentPassword = (await ensureFirstAccount(ports, { username: 'admin', password: null })) ?? ''
    // The account was stored above.
    const account = stored.get('first') as Account
    const all = { ...ports, sessions: { ...ports.sessions, ...sessions } }
    await changePassword(all, account, { currentPassword, newPassword }, 'hers')
    return stored.get('first')?.passwordHash
  }

  it('has her own session go on, and ends the others, once they can be', async () => {
    const setCredentialVersion = vi.fn<Sessions['setCredentialVersion']>()
    const removeOthers = vi.fn<Sessions['removeOthers']>(async () => 1)
    setCredentialVersion.mockRejectedValueOnce(away)
    removeOthers.mockRejectedValueOnce(away)
    const passwordHash = (await change({ setCredentialVersion, removeOthers })) ?? ''
    expect(setCredentialVersion).toHaveBeenLastCalledWith('hers', credentialVersion({ passwordHash }))
    expect(await removeOthers.mock.results.at(-1)?.value).toBe(1)
  })

  it('is said to be set where they cannot be for longer', async () => {
    const late = new AbortController()
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal)
    const setCredentialVersion = async (): Promise<never> => {
      late.abort()
      throw away
    }
    expect(await change({ setCredentialVersion })).toBe(`hash of ${newPassword}`)
  })

  it('keeps no fault of the site to itself', async () => {
    await expect(change({ removeOthers: none })).rejects.toThrow('does not expect')
  })
})
