import { type Account, type Accounts, usernameKey } from '../kernel/ports/accounts.ts'
import { type Passwords, PasswordsBusy, PasswordUnreadable } from '../kernel/ports/passwords.ts'
import type { Limit, RateLimits } from '../kernel/ports/rate-limits.ts'
import { invalidField } from '#domain/refusal.ts'

const windowMs = 10 * 60_000
/** Failures that an address may make before it has to wait. */
export const loginsPerAddress = { name: 'login-address', points: 10, windowMs } as const
/** The same for a browser that has signed in before, whatever its address. */
export const loginsPerBrowser = { name: 'login-browser', points: 10, windowMs } as const
/** Failures counted per username; never a locked account, only a growing delay. */
const loginsPerUsername = { name: 'login-username', points: 1_000, windowMs } as const
/** One guess for a name waits at a time; longer than it ever waits, so that a process that dies blocks nobody. */
const waitingPerUsername = { name: 'login-waiting', points: 1, windowMs: 8_000 } as const
/** Wrong current passwords that one account may send before it has to wait. */
const confirmations = { name: 'password-change', points: 10, windowMs } as const

const freeFailures = 3
const longestDelay = 4_000

/** How long the n-th guess for a name waits before anybody looks at it, in ms. */
const delayOf = (guess: number): number =>
  guess <= freeFailures ? 0 : Math.min(longestDelay, 250 * 2 ** (guess - freeFailures - 1))

/** Too many attempts from one address, browser or for one name. */
export class TooManyAttempts extends Error {
  override readonly name = 'TooManyAttempts'
  readonly retryAfterMs: number

  constructor(retryAfterMs: number, message: string) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

interface SignInPorts {
  readonly accounts: Pick<Accounts, 'find' | 'findByUsername'>
  readonly passwords: Pick<Passwords, 'verify'>
  readonly rateLimits: RateLimits
  readonly pause: (ms: number) => Promise<void>
}

/** A browser in which an account was signed in before. */
export interface KnownBrowser {
  readonly id: string
  readonly accountId: string
}

interface Attempt {
  readonly username: string
  readonly password: string
  readonly address: string
  /** null for one that nobody knows */
  readonly browser: KnownBrowser | null
}

/** A counter and the key under which a guess counts in it. */
type Counted = readonly [limit: Limit, key: string]

const tooMany = (retryAfterMs: number): TooManyAttempts => {
  const minutes = Math.max(1, Math.ceil(retryAfterMs / 60_000))
  return new TooManyAttempts(
    retryAfterMs,
    `Too many failed logins. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`,
  )
}

/**
 * The account of a username and password, or null when they do not belong together. A guess is counted before it is
 * looked at, and given back when it was right, so that many at once are no way around a limit and nobody can tell from
 * a counter whether somebody signed in. Takes as long for an unknown name as for a wrong password (ASVS 6.3.8), and
 * longer with each failure for one name. A browser in which the account was signed in before is counted by itself and
 * waits for nobody: guesses of others do not keep the owner out.
 * @throws {TooManyAttempts} after 10 failures of an address or browser in 10 minutes, or beside a guess for the same
 *   name that waits
 * @throws {PasswordsBusy} when too many are being looked at; {PasswordUnreadable}
 */
export const signIn = async (ports: SignInPorts, attempt: Attempt): Promise<Account | null> => {
  const { browser } = attempt
  const username = attempt.username.trim()
  const ofBrowser = browser === null ? null : await ports.accounts.findByUsername(username)
  return browser !== null && ofBrowser?.id === browser.accountId
    ? fromKnownBrowser(ports, ofBrowser, attempt.password, browser)
    : fromStranger(ports, { ...attempt, username })
}

const fromKnownBrowser = async (
  ports: SignInPorts,
  account: Account,
  password: string,
  browser: KnownBrowser,
): Promise<Account | null> => {
  const counted: Counted = [loginsPerBrowser, browser.id]
  await countOrRefuse(ports.rateLimits, counted, tooMany)
  return judge(ports, { account, password, who: 'known' }, [counted])
}

const fromStranger = async (
  ports: SignInPorts,
  { username, password, address }: Omit<Attempt, 'browser'>,
): Promise<Account | null> => {
  const { rateLimits } = ports
  const ofAddress: Counted = [loginsPerAddress, address]
  await countOrRefuse(rateLimits, ofAddress, tooMany)
  const key = usernameKey(username)
  const counted: readonly Counted[] = [ofAddress, [loginsPerUsername, key]]
  const named = await rateLimits.hit(loginsPerUsername, key)
  const delay = delayOf(named.allowed ? loginsPerUsername.points - named.remaining : loginsPerUsername.points)
  const look = async () => {
    const account = await ports.accounts.findByUsername(username).catch(async (error: unknown) => {
      await giveBack(rateLimits, counted)
      throw error
    })
    return judge(ports, { account, password, who: 'stranger' }, counted)
  }
  if (delay === 0) return look()
  const turn = await rateLimits.hit(waitingPerUsername, key)
  if (!turn.allowed) {
    await giveBack(rateLimits, counted)
    const message = 'Another login with this username is being tried. Please try again in a few seconds'
    throw new TooManyAttempts(turn.retryAfterMs, message)
  }
  try {
    await ports.pause(delay)
    return await look()
  } finally {
    await rateLimits.reset(waitingPerUsername.name, key)
  }
}

/** Counts a guess; one that is refused is looked at by nobody and does not count. @throws what `refused` makes */
const countOrRefuse = async (
  rateLimits: RateLimits,
  counted: Counted,
  refused: (retryAfterMs: number) => TooManyAttempts,
): Promise<void> => {
  const count = await rateLimits.hit(...counted)
  if (count.allowed) return
  await giveBack(rateLimits, [counted])
  throw refused(count.retryAfterMs)
}

const giveBack = async (rateLimits: RateLimits, counted: readonly Counted[]): Promise<void> => {
  for (const [{ name }, key] of counted) await rateLimits.giveBack(name, key)
}

interface Guess {
  readonly account: Account | null
  readonly password: string
  readonly who: 'known' | 'stranger'
}

/** Looks at a guess that was counted; gives it back when it was right or could not be looked at. */
const isRight = async (
  { passwords, rateLimits }: Pick<SignInPorts, 'passwords' | 'rateLimits'>,
  { account, password, who }: Guess,
  counted: readonly Counted[],
): Promise<boolean> => {
  try {
    const right = await passwords.verify(account?.passwordHash ?? null, password, who)
    if (right) await giveBack(rateLimits, counted)
    return right
  } catch (error) {
    // Not even compared, it is no guess.
    if (error instanceof PasswordsBusy || error instanceof PasswordUnreadable)
      await giveBack(rateLimits, counted)
    throw error
  }
}

/** The account that a guess which was counted signs in to. */
const judge = async (
  ports: SignInPorts,
  guess: Guess,
  counted: readonly Counted[],
): Promise<Account | null> => {
  const { account } = guess
  if (!(await isRight(ports, guess, counted)) || account === null) return null
  // It may have been changed while this one was looked at.
  const now = await ports.accounts.find(account.id)
  return now?.passwordHash === account.passwordHash ? now : null
}

const tooManyWrong = (retryAfterMs: number): TooManyAttempts =>
  new TooManyAttempts(retryAfterMs, 'Too many wrong passwords. Please try again later')

/**
 * Makes sure that who is signed in knows the password. Counted before it is looked at, as at signing in.
 * @throws {Refusal} `invalid` at `currentPassword`
 * @throws {TooManyAttempts} after 10 wrong ones in 10 minutes
 * @throws {PasswordsBusy} when too many are being looked at; {PasswordUnreadable}
 */
export const confirmPassword = async (
  ports: Pick<SignInPorts, 'passwords' | 'rateLimits'>,
  account: Account,
  password: string,
): Promise<void> => {
  const counted: Counted = [confirmations, account.id]
  await countOrRefuse(ports.rateLimits, counted, tooManyWrong)
  if (!(await isRight(ports, { account, password, who: 'known' }, [counted]))) throw wrongPassword()
}

/** What a wrong current password is refused with. */
export const wrongPassword = () => invalidField('currentPassword', 'This is not your current password')
