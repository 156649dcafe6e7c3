import { login } from '#web/contract/addresses.ts'
import type { User } from '#web/contract/accounts.ts'
import { ApiError, call } from '../../lib/api.ts'
import { TOASTS } from '../admin-constants.ts'
import { LOGIN_TEXT, LOGIN_WORDS } from './account-words.ts'

type Credentials = { username: string; password: string }

/** What to say at empty fields; an absent key is no complaint. */
export function missingFields({ username, password }: Credentials): { username?: string; password?: string } {
  return {
    ...(username.trim() === '' ? { username: LOGIN_TEXT.usernameMissing } : {}),
    ...(password === '' ? { password: LOGIN_TEXT.passwordMissing } : {}),
  }
}

export type LoginResult = { ok: true; user: User } | { ok: false; reason: string }

const TOO_MANY = 429

/**
 * Signs in. The toast of a failure is always the same; `reason` is the true one: wrong credentials, too many
 * attempts, no connection, a server that cannot answer. Never rejects.
 */
export async function attemptLogin(credentials: Credentials): Promise<LoginResult> {
  try {
    const { user } = await call(login, { body: credentials })
    return { ok: true, user }
  } catch (error) {
    return { ok: false, reason: reasonOf(error) }
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof ApiError)) return LOGIN_WORDS.offline
  if (error.status === TOO_MANY || error.status >= 500) return error.serverMessage ?? error.message
  return `${TOASTS.loginFailed.description}.`
}
