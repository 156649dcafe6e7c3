import type { KeyVault } from '#application/kernel/ports/key-vault.ts'
import { SecretMismatch } from './sealing.ts'

const closedBy = (mismatch: SecretMismatch): KeyVault => {
  const refuse = (): Promise<never> => Promise.reject(mismatch)
  return {
    seal: refuse,
    open: refuse,
    openMany: refuse,
    erase: refuse,
    erasedIds: refuse,
    takeOut: refuse,
    putBack: refuse,
  }
}

/**
 * Opens a vault for who only looks. Under another secret than its own it stays closed, and what needs no key is done all the
 * same: a log can be exported though the secret is lost.
 */
export const openedOrClosed = async (open: () => KeyVault | Promise<KeyVault>): Promise<KeyVault> => {
  try {
    return await open()
  } catch (error) {
    if (error instanceof SecretMismatch) return closedBy(error)
    throw error
  }
}
