import { describe, expect, it } from 'vitest'
import type { Account } from './ports/accounts.ts'
import { credentialVersion, sessionHolds } from './session-holds.ts'

const at = '2026-03-01T12:00:00.000Z'
const now = new Date(at)
const account: Account = {
  id: 'a1',
  username: 'admin',
  email: null,
  firstName: null,
  lastName: null,
  profileImageUrl: null,
  passwordHash: '$argon2id$one',
  firstPassword: false,
  firstStepsAway: false,
  createdAt: at,
  updatedAt: at,
}
const session = { accountId: 'a1', createdAt: at, credentialVersion: credentialVersion(account) }

describe('a session', () => {
  it('holds for the account and the password it was begun with', () => {
    expect(sessionHolds(session, account, now)).toBe(true)
    expect(sessionHolds(session, { ...account, passwordHash: '$argon2id$two' }, now)).toBe(false)
    expect(sessionHolds(session, { ...account, id: 'a2' }, now)).toBe(false)
    expect(sessionHolds(session, null, now)).toBe(false)
  })

  it('that was begun before this was kept goes on', () => {
    expect(sessionHolds({ ...session, credentialVersion: null }, account, now)).toBe(true)
  })

  it('from the future is none; clocks may differ a little', () => {
    const begun = (ahead: number) => ({
      ...session,
      createdAt: new Date(now.getTime() + ahead).toISOString(),
    })
    expect(sessionHolds(begun(30_000), account, now)).toBe(true)
    expect(sessionHolds(begun(120_000), account, now)).toBe(false)
  })

  it('does not keep the hash itself', () => {
    expect(session.credentialVersion).not.toContain('argon2')
  })
})
