import type { Accounts } from '#application/kernel/ports/accounts.ts'

/**
 * The accounts, and when this process has set a password in them, for the dashboard or for an operator's command: what
 * was shown of the first one is out of date then.
 */
export const watchPassword = (
  accounts: Accounts,
): { readonly accounts: Accounts; readonly passwordChosen: Promise<void> } => {
  const chosen = Promise.withResolvers<void>()
  return {
    accounts: {
      ...accounts,
      setPassword: async (...order) => {
        const isSet = await accounts.setPassword(...order)
        if (isSet) chosen.resolve()
        return isSet
      },
    },
    passwordChosen: chosen.promise,
  }
}
