import { hash } from 'node:crypto'
import type { Account } from './ports/accounts.ts'
import type { Session, Sessions } from './ports/sessions.ts'

/** Clocks of two machines differ a little. */
const clockToleranceMs = 60_000

/**
 * What a session keeps of the password it was begun with, and what tells that it was changed: two hashes of the same
 * password differ, too.
 */
export const credentialVersion = ({ passwordHash }: Pick<Account, 'passwordHash'>): string =>
  hash('sha256', passwordHash, 'base64url')

/** Whether a moment that was noted lies in the future: whoever noted it had a clock that was wrong. */
export const isFuture = (noted: string, now: Date): boolean =>
  Date.parse(noted) > now.getTime() + clockToleranceMs

/**
 * Whether a stored session still stands for its account: it is not from the future, which would let it live too long,
 * and the password is the one it was begun with.
 */
export const sessionHolds = (
  session: Pick<Session, 'accountId' | 'createdAt' | 'credentialVersion'>,
  account: Account | null,
  now: Date,
): boolean =>
  account !== null &&
  account.id === session.accountId &&
  !isFuture(session.createdAt, now) &&
  (session.credentialVersion === null || session.credentialVersion === credentialVersion(account))

/** The sessions in which somebody is signed in to this account. */
export const openSessions = async (
  sessions: Pick<Sessions, 'listByAccount'>,
  account: Account,
  now: Date,
): Promise<readonly Session[]> =>
  (await sessions.listByAccount(account.id, now.toISOString())).filter((session) =>
    sessionHolds(session, account, now),
  )
