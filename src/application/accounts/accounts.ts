import { randomInt } from 'node:crypto'
import type { Account, Accounts } from '../kernel/ports/accounts.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import { EngineAway } from '../kernel/ports/event-store.ts'
import type { Passwords } from '../kernel/ports/passwords.ts'
import type { Sessions } from '../kernel/ports/sessions.ts'
import type { RateLimits } from '../kernel/ports/rate-limits.ts'
import { machineLimits, untypable } from '#domain/machine-limits.ts'
import { invalidField, Refusal } from '#domain/refusal.ts'
import { credentialVersion } from '../kernel/session-holds.ts'
import { isOutage } from '../kernel/outage.ts'
import { retry } from '../kernel/retry.ts'
import { confirmPassword, wrongPassword } from './sign-in.ts'

interface AccountPorts {
  readonly accounts: Accounts
  readonly passwords: Passwords
  readonly clock: Clock
}

const { minPassword: shortest, maxPassword: longest } = machineLimits

/** Without letters and digits that are mistaken for each other, in four groups: easy to copy from a screen. */
const readableCharacters = 'abcdefghjkmnpqrstuvwxyz23456789'
const randomPassword = (): string =>
  Array.from({ length: 4 }, () =>
    Array.from({ length: 4 }, () => readableCharacters.charAt(randomInt(readableCharacters.length))).join(''),
  ).join('-')

/**
 * Makes the first account when there is none.
 * @param password from the settings; null makes a random one
 * @returns the random password, to be shown once; null when none was made
 */
export const ensureFirstAccount = async (
  ports: AccountPorts,
  settings: { readonly username: string; readonly password: string | null },
): Promise<string | null> => {
  if ((await ports.accounts.count()) > 0) return null
  const made = settings.password === null ? randomPassword() : null
  const now = ports.clock.now().toISOString()
  const first: Account = {
    id: ports.clock.newId(),
    username: settings.username,
    email: null,
    firstName: null,
    lastName: null,
    profileImageUrl: null,
    passwordHash: await ports.passwords.hash(settings.password ?? made ?? ''),
    firstPassword: made !== null,
    firstStepsAway: false,
    createdAt: now,
    updatedAt: now,
  }
  // Lost with the answer, the password would be one that nobody has ever seen.
  const added = await orFound(
    () => ports.accounts.addFirst(first),
    async () => (await ports.accounts.find(first.id)) !== null,
  )
  return added ? made : null
}

/** What a write answers; where the engine gave no answer, it is looked whether it did it. @throws {EngineAway} where it did not */
const orFound = async (write: () => Promise<boolean>, isDone: () => Promise<boolean>): Promise<boolean> => {
  try {
    return await write()
  } catch (error) {
    if (error instanceof EngineAway && (await isDone())) return true
    throw error
  }
}

/** What is wrong with a new password, in a sentence; null when nothing is. */
const passwordProblem = async (passwords: Passwords, password: string): Promise<string | null> => {
  const length = [...password].length
  if (length < shortest) return `The new password needs at least ${shortest} characters`
  if (length > longest) return `The new password may have at most ${longest} characters`
  if (untypable.test(password))
    return 'The new password has a line break or another sign that nobody can type at the login'
  return (await passwords.isCommon(password))
    ? 'This password is among the most common ones. Choose another, a few words for example'
    : null
}

/** How long it is tried to bring her own session along, in ms. */
const followWithinMs = 5_000

/**
 * Has one session go on under a password that was set, and ends the others. The password stands whatever the engine
 * answers from here on, so no outage is told: a session that is left behind was begun with another one, and is over all
 * the same. If that is her own, the next thing she does asks her to log in.
 */
const sessionsFollow = async (
  sessions: Pick<Sessions, 'setCredentialVersion' | 'removeOthers'>,
  account: Pick<Account, 'id' | 'passwordHash'>,
  own: string | null,
): Promise<void> => {
  const late = AbortSignal.timeout(followWithinMs)
  const follow = async (): Promise<void> => {
    if (own !== null) await sessions.setCredentialVersion(own, credentialVersion(account))
    await sessions.removeOthers(account.id, own)
  }
  try {
    await retry(follow, {
      firstMs: 100,
      longestMs: 1_000,
      signal: late,
      isFinal: (error) => !isOutage(error),
      onFailure: () => undefined,
    })
  } catch (error) {
    if (error !== late.reason) throw error
  }
}

/**
 * Gives an account another password, and ends all of its sessions but one's `own`.
 * @param instead only in the place of this hash
 * @returns false where another one stands there by now
 * @throws {Refusal} `invalid` at `newPassword`; {PasswordsBusy}
 */
const replacePassword = async (
  { accounts, passwords, clock, sessions }: AccountPorts & { readonly sessions: Sessions },
  { id }: Account,
  newPassword: string,
  own: string | null,
  instead?: string,
): Promise<boolean> => {
  const problem = await passwordProblem(passwords, newPassword)
  if (problem !== null) throw invalidField('newPassword', problem)
  const passwordHash = await passwords.hash(newPassword)
  const at = clock.now().toISOString()
  const isSet = await orFound(
    () => accounts.setPassword(id, passwordHash, at, instead),
    async () => (await accounts.find(id))?.passwordHash === passwordHash,
  )
  if (isSet) await sessionsFollow(sessions, { id, passwordHash }, own)
  return isSet
}

/**
 * Changes the owner's password and ends her other sessions.
 * @throws {Refusal} `invalid` at `currentPassword` or `newPassword`, {TooManyAttempts} {PasswordsBusy}
 */
export const changePassword = async (
  ports: AccountPorts & { readonly sessions: Sessions; readonly rateLimits: RateLimits },
  account: Account,
  passwords: { readonly currentPassword: string; readonly newPassword: string },
  sessionKey: string | null,
): Promise<void> => {
  await confirmPassword(ports, account, passwords.currentPassword)
  // Somebody else may have changed it while this one was looked at.
  if (!(await replacePassword(ports, account, passwords.newPassword, sessionKey, account.passwordHash)))
    throw wrongPassword()
}

/**
 * Sets the password of a username without asking for the current one, for the operator; ends all sessions.
 * @throws {Refusal} `missing` without such an account, `invalid` for an unacceptable password
 */
export const setPassword = async (
  ports: AccountPorts & { readonly sessions: Sessions },
  username: string,
  newPassword: string,
): Promise<void> => {
  const account = await ports.accounts.findByUsername(username)
  if (account === null) throw new Refusal('missing', `There is no account called ${username}`)
  await replacePassword(ports, account, newPassword, null)
}
