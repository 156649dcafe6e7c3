import type { Account, Accounts } from '#application/ports/accounts.ts'
import type { Passwords } from '#application/ports/passwords.ts'
import type { RateLimits } from '#application/ports/rate-limits.ts'

/** Failures that an address may make before it has to wait (decisions 51). */
export const loginsPerAddress = { name: 'login-address', points: 10, windowMs: 10 * 60_000 } as const
/** Failures counted per username; never a locked account, only a growing delay (decisions 51). */
const loginsPerUsername = { name: 'login-username', points: 1_000, windowMs: 10 * 60_000 } as const

const freeFailures = 3
const longestDelay = 4_000

/** Too many attempts from one address. */
export class TooManyAttempts extends Error {
  readonly retryAfterMs: number

  constructor(retryAfterMs: number, message: string) {
    super(message)
    this.name = 'TooManyAttempts'
    this.retryAfterMs = retryAfterMs
  }
}

interface SignInPorts {
  readonly accounts: Accounts
  readonly passwords: Passwords
  readonly rateLimits: RateLimits
  readonly wait: (ms: number) => Promise<void>
}

/**
 * The account of a username and password, or null when they do not belong together. Takes as long for an
 * unknown name as for a wrong password (ASVS 6.3.8), and longer with each failure for one name.
 * @throws {TooManyAttempts} after 10 failures of an address in 10 minutes
 */
export const signIn = async (
  ports: SignInPorts,
  attempt: { readonly username: string; readonly password: string; readonly address: string },
): Promise<Account | null> => {
  const allowed = await ports.rateLimits.check(loginsPerAddress, attempt.address)
  if (!allowed.allowed) throw tooMany(allowed.retryAfterMs)
  // Counted before it is looked at: guesses that arrive together would all pass the question above.
  const counted = await ports.rateLimits.hit(loginsPerAddress, attempt.address)
  if (!counted.allowed) throw tooMany(counted.retryAfterMs)
  const username = attempt.username.trim().toLowerCase()
  const account = await ports.accounts.findByUsername(username)
  const right = await ports.passwords.verify(account?.passwordHash ?? null, attempt.password)
  if (right && account !== null) {
    await ports.rateLimits.reset(loginsPerUsername.name, username)
    await ports.rateLimits.reset(loginsPerAddress.name, attempt.address)
    return account
  }
  const ofName = await ports.rateLimits.hit(loginsPerUsername, username)
  const failures = ofName.allowed ? loginsPerUsername.points - ofName.remaining : loginsPerUsername.points
  if (failures > freeFailures)
    await ports.wait(Math.min(longestDelay, 250 * 2 ** (failures - freeFailures - 1)))
  return null
}

const tooMany = (retryAfterMs: number): TooManyAttempts => {
  const minutes = Math.max(1, Math.ceil(retryAfterMs / 60_000))
  return new TooManyAttempts(
    retryAfterMs,
    `Too many failed logins. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`,
  )
}
