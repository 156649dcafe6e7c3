import { expect, it } from 'vitest'
import type { Accounts } from '#application/kernel/ports/accounts.ts'
import { watchPassword } from './first-password.ts'

it('a password counts as chosen once it is set, not while it is refused', async () => {
  const answers = [false, true]
  // Nothing else of the accounts is asked.
  const accounts = { setPassword: async () => answers.shift() ?? true } as unknown as Accounts
  const watched = watchPassword(accounts)
  let isChosen = false
  const heard = watched.passwordChosen.then(() => {
    isChosen = true
  })
  expect(await watched.accounts.setPassword('a1', 'hash', '2026-01-01')).toBe(false)
  expect(isChosen).toBe(false)
  expect(await watched.accounts.setPassword('a1', 'hash', '2026-01-01')).toBe(true)
  await heard
  expect(isChosen).toBe(true)
})
