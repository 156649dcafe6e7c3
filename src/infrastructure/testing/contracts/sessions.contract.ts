import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Session, Sessions } from '#application/kernel/ports/sessions.ts'

const now = '2026-03-01T12:00:00.000Z'
const later = '2026-03-08T12:00:00.000Z'
const earlier = '2026-03-01T11:59:59.999Z'

const someSession = (change: Partial<Session> = {}): Session => ({
  key: randomUUID(),
  id: randomUUID(),
  accountId: randomUUID(),
  createdAt: '2026-03-01T00:00:00.000Z',
  lastSeenAt: '2026-03-01T10:00:00.000Z',
  expiresAt: later,
  device: 'Firefox on Linux',
  address: '2001:db8::1',
  credentialVersion: 'of the first password',
  ...change,
})

/** The rules of every store of sessions. */
export const sessionsContract = (
  name: string,
  open: () => Promise<{ readonly sessions: Sessions; readonly close: () => Promise<void> }>,
): void => {
  describe(`sessions: ${name}`, () => {
    let sessions: Sessions
    let close: () => Promise<void>
    beforeAll(async () => {
      ;({ sessions, close } = await open())
    })
    afterAll(async () => close())

    const saved = async (change: Partial<Session> = {}): Promise<Session> => {
      const session = someSession(change)
      await sessions.save(session)
      return session
    }
    const keys = (list: readonly Session[]): string[] => list.map((session) => session.key)

    it('gives back what was saved, and nothing for an unknown key', async () => {
      const session = await saved()
      expect(await sessions.find(session.key, now)).toEqual(session)
      expect(await sessions.find(randomUUID(), now)).toBeNull()
    })

    it('saves again over the same key', async () => {
      const session = await saved()
      const seen = { ...session, lastSeenAt: now, expiresAt: '2026-03-09T00:00:00.000Z' }
      await sessions.save(seen)
      expect(await sessions.find(session.key, now)).toEqual(seen)
      expect(await sessions.listByAccount(session.accountId, now)).toEqual([seen])
    })

    it.each([earlier, now])('takes one that expired at %s for gone, swept or not', async (expiresAt) => {
      const session = await saved({ expiresAt })
      expect(await sessions.find(session.key, now)).toBeNull()
      expect(await sessions.listByAccount(session.accountId, now)).toEqual([])
    })

    it('lets one go on under another password, and brings none back to life', async () => {
      const [session, other, ended] = [await saved({ credentialVersion: null }), await saved(), await saved()]
      await sessions.remove(ended.key)
      await sessions.setCredentialVersion(session.key, 'of the second')
      await sessions.setCredentialVersion(ended.key, 'of the second')
      expect(await sessions.find(session.key, now)).toEqual({
        ...session,
        credentialVersion: 'of the second',
      })
      expect(await sessions.find(other.key, now)).toEqual(other)
      expect(await sessions.find(ended.key, now)).toBeNull()
    })

    it('ends one by its key; twice is no error', async () => {
      const session = await saved()
      await sessions.remove(session.key)
      await sessions.remove(session.key)
      expect(await sessions.find(session.key, now)).toBeNull()
    })

    it('lists those of one account, the last seen first', async () => {
      const first = await saved({ lastSeenAt: '2026-03-01T08:00:00.000Z' })
      const { accountId } = first
      const second = await saved({ accountId, lastSeenAt: '2026-03-01T09:00:00.000Z' })
      await saved()
      expect(await sessions.listByAccount(accountId, now)).toEqual([second, first])
    })

    it('ends one by its public id, of its own account only', async () => {
      const session = await saved()
      const stranger = await saved()
      expect(await sessions.removeById(stranger.accountId, session.id)).toBe(false)
      expect(await sessions.find(session.key, now)).toEqual(session)
      expect(await sessions.removeById(session.accountId, session.id)).toBe(true)
      expect(await sessions.removeById(session.accountId, session.id)).toBe(false)
      expect(await sessions.find(session.key, now)).toBeNull()
    })

    it('ends all others of an account and tells how many', async () => {
      const kept = await saved()
      const { accountId } = kept
      await saved({ accountId })
      await saved({ accountId })
      const stranger = await saved()
      expect(await sessions.removeOthers(accountId, kept.key)).toBe(2)
      expect(keys(await sessions.listByAccount(accountId, now))).toEqual([kept.key])
      expect(await sessions.find(stranger.key, now)).toEqual(stranger)
    })

    it('ends all of an account when none is to stay', async () => {
      const { accountId } = await saved()
      await saved({ accountId })
      expect(await sessions.removeOthers(accountId, null)).toBe(2)
      expect(await sessions.listByAccount(accountId, now)).toEqual([])
    })

    it('sweeps the expired away and leaves the others', async () => {
      await sessions.sweep(now)
      await saved({ expiresAt: earlier })
      await saved({ expiresAt: now })
      const alive = await saved()
      expect(await sessions.sweep(now)).toBe(2)
      expect(await sessions.sweep(now)).toBe(0)
      expect(await sessions.find(alive.key, now)).toEqual(alive)
    })
  })
}
