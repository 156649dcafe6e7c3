import { expect, it } from 'vitest'
import { admin } from './admin.ts'
import type { EnginePorts } from './command/operation.ts'

/** Whose sessions are looked for when nobody is named, among these accounts. */
const meant = async (usernames: readonly string[], adminUsername: string): Promise<string> => {
  const accounts = usernames.map((username) => ({ id: username, username }))
  let asked = ''
  // Only what is asked of them is there.
  const ports = {
    config: { adminUsername },
    clock: { now: () => new Date(0) },
    engines: {
      accounts: {
        all: async () => accounts,
        findByUsername: async (name: string) => accounts.find(({ username }) => username === name) ?? null,
      },
      sessions: {
        listByAccount: async (id: string) => {
          asked = id
          return []
        },
      },
    },
  } as unknown as EnginePorts
  const operation = admin.operations.find(({ name }) => name === 'admin sessions')
  if (operation?.needs !== 'engines') throw new Error('There is no such operation')
  await operation.run(ports, {}, { signal: new AbortController().signal, progress: () => undefined })
  return asked
}

it('the account that nobody names is the only one, or that of ADMIN_USERNAME', async () => {
  expect(await meant(['leela'], 'admin')).toBe('leela')
  expect(await meant(['leela', 'asha'], 'asha')).toBe('asha')
})

it('several accounts, none of them of ADMIN_USERNAME, are named to choose from', async () => {
  await expect(meant(['leela', 'asha'], 'admin')).rejects.toThrow('name one of them: leela, asha')
})
