import { describe, expect, it } from 'vitest'
import type { Account } from '#application/kernel/ports/accounts.ts'
import { testApplication } from '#application/testing/application.ts'
import { memoryLedger } from '#application/testing/memory-ledger.ts'
import { prepareFirstStart } from './first-start.ts'

describe('a start without an account', () => {
  /** A site whose starts can be repeated; `warnings` holds what they warned of. */
  const site = () => {
    const { app } = testApplication()
    const accounts = new Map<string, Account>()
    const warnings: string[] = []
    const effects = memoryLedger()
    const start = (wasEmpty: boolean, ledger = effects) =>
      prepareFirstStart(
        {
          app,
          engines: {
            effects: ledger,
            accounts: {
              ...app.accounts,
              count: async () => accounts.size,
              addFirst: async (account) => {
                accounts.set(account.id, account)
                return true
              },
            },
          },
          passwords: {
            isCommon: async () => false,
            hash: async (password) => password,
            verify: async () => true,
          },
          config: {
            adminUsername: 'admin',
            adminPassword: 'a few words',
            samples: 'off',
            eventStoreUrl: null,
          },
          log: { warn: (_: object, words: string) => void warnings.push(words) },
        },
        wasEmpty,
        () => undefined,
      )
    return { start, accounts, warnings, effects }
  }

  it('warns of one that was lost, and of no other', async () => {
    const { start, accounts, warnings } = site()
    // After an import, or where the first start was cut off behind its first event.
    await start(false)
    await start(false)
    expect([accounts.size, warnings]).toEqual([1, []])
    accounts.clear()
    await start(false)
    expect([accounts.size, warnings]).toEqual([1, [expect.stringMatching(/no account.*made anew/)]])
  })

  it('does not take one for lost that another process makes meanwhile', async () => {
    const { start, warnings, effects } = site()
    const find: typeof effects.find = async (key) => {
      await start(true)
      return effects.find(key)
    }
    await start(true, { ...effects, find })
    expect(warnings).toEqual([])
  })

  it('goes on where that cannot be noted', async () => {
    const { start, accounts, effects } = site()
    const done = async (): Promise<never> => {
      throw new Error('The disk is full')
    }
    await start(true, { ...effects, done })
    expect(accounts.size).toBe(1)
  })
})
