import { expect, it } from 'vitest'
import type { KeyVault } from '#application/kernel/ports/key-vault.ts'
import { openedOrClosed } from './closed-vault.ts'
import { SecretMismatch } from './sealing.ts'

// No more of a vault is asked for.
const vault = { erasedIds: async () => ['message-1'] } as unknown as KeyVault

it('is the vault itself under its own secret', async () => {
  expect(await openedOrClosed(() => vault)).toBe(vault)
})

it('stays closed under another one, and says so to who needs a key', async () => {
  const closed = await openedOrClosed(() => Promise.reject(new SecretMismatch()))
  await expect(closed.takeOut()).rejects.toThrow(SecretMismatch)
  await expect(closed.erasedIds()).rejects.toThrow(SecretMismatch)
})

it('hides no other failure', async () => {
  await expect(openedOrClosed(() => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer')
})
