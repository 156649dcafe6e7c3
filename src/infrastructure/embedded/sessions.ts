import type { Session, Sessions } from '#application/kernel/ports/sessions.ts'
import type { Database } from './database.ts'
import { recordTable } from './record-table.ts'

const table = recordTable<Session>('sessions', {
  key: 'text',
  id: 'text',
  accountId: 'text',
  createdAt: 'text',
  lastSeenAt: 'text',
  expiresAt: 'text',
  device: 'text',
  address: 'text',
  credentialVersion: 'text',
})

/** At most so many sessions are kept in memory. */
const mostKept = 1_000

/** Sessions in SQLite. Durable, so that one that was ended stays ended after a power cut. */
export const openSessions = (database: Database): Sessions => {
  const { sql } = database
  // Every request of somebody signed in asks. Nobody but this process writes to the folder it holds.
  const { kept, write, rows } = table.in(database)
  const remove = (where: string, ...values: string[]): number =>
    write(() => Number(sql(`DELETE FROM sessions ${where}`).run(...values).changes))

  const byKey = (key: string): Session | null => {
    const known = kept.get(key)
    if (known !== undefined) return known
    const [found] = rows('WHERE key = ?', key)
    if (found === undefined) return null
    if (kept.size >= mostKept) kept.clear()
    kept.set(key, found)
    return found
  }

  return {
    find: async (key, now) => {
      const session = byKey(key)
      return session !== null && session.expiresAt > now ? session : null
    },
    save: async (session) => {
      write(() =>
        sql(`${table.insert} VALUES (${table.places}) ON CONFLICT (key) DO UPDATE SET ${table.update}`).run(
          ...table.values(session),
        ),
      )
    },
    touch: async (key, lastSeenAt, expiresAt) =>
      write(
        () =>
          sql('UPDATE sessions SET last_seen_at = ?, expires_at = ? WHERE key = ?').run(
            lastSeenAt,
            expiresAt,
            key,
          ).changes === 1,
      ),
    setCredentialVersion: async (key, credentialVersion) => {
      write(() => sql('UPDATE sessions SET credential_version = ? WHERE key = ?').run(credentialVersion, key))
    },
    remove: async (key) => {
      remove('WHERE key = ?', key)
    },
    listByAccount: async (accountId, now) =>
      rows('WHERE account_id = ? AND expires_at > ? ORDER BY last_seen_at DESC, id', accountId, now),
    removeById: async (accountId, id) => remove('WHERE account_id = ? AND id = ?', accountId, id) === 1,
    removeOthers: async (accountId, exceptKey) =>
      remove('WHERE account_id = ? AND key <> ?', accountId, exceptKey ?? ''),
    sweep: async (now) => remove('WHERE expires_at <= ?', now),
  }
}
