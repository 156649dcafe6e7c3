import { type Account, type Accounts, usernameKey } from '#application/kernel/ports/accounts.ts'
import type { Database } from './database.ts'
import { recordTable } from './record-table.ts'

const table = recordTable<Account>(
  'accounts',
  {
    id: 'text',
    username: 'text',
    email: 'text',
    firstName: 'text',
    lastName: 'text',
    profileImageUrl: 'text',
    passwordHash: 'text',
    firstPassword: 'yes or no',
    firstStepsAway: 'yes or no',
    createdAt: 'text',
    updatedAt: 'text',
  },
  { username_key: ({ username }) => usernameKey(username) },
)

/** Accounts in SQLite. */
export const openAccounts = (database: Database): Accounts => {
  const { sql } = database
  // Every request of somebody signed in asks for the account, and there are very few. Nobody but this process
  // writes to the folder it holds.
  const { kept, write, rows } = table.in(database)
  return {
    count: async () =>
      database.reading(() => Number(sql('SELECT count(*) AS number FROM accounts').get()?.['number'])),
    findByUsername: async (username) => rows('WHERE username_key = ?', usernameKey(username))[0] ?? null,
    find: async (id) => {
      const account = kept.get(id) ?? rows('WHERE id = ?', id)[0] ?? null
      if (account !== null) kept.set(id, account)
      return account
    },
    all: async () => rows('ORDER BY created_at, id'),
    addFirst: async (account) =>
      write(() => {
        const { changes } = sql(
          `${table.insert} SELECT ${table.places} WHERE NOT EXISTS (SELECT 1 FROM accounts)`,
        ).run(...table.values(account))
        return changes === 1
      }),
    replaceAll: async (accounts) =>
      write(() => {
        sql('DELETE FROM accounts').run()
        for (const account of accounts)
          sql(`${table.insert} VALUES (${table.places})`).run(...table.values(account))
      }),
    setPassword: async (id, passwordHash, at, instead) =>
      write(() => {
        const { changes } = sql(
          `UPDATE accounts SET password_hash = ?1, first_password = 0, updated_at = ?2
           WHERE id = ?3 AND (?4 IS NULL OR password_hash = ?4)`,
        ).run(passwordHash, at, id, instead ?? null)
        return changes === 1
      }),
    setFirstStepsAway: async (id, away) =>
      write(
        () =>
          sql('UPDATE accounts SET first_steps_away = ? WHERE id = ?').run(Number(away), id).changes === 1,
      ),
  }
}
