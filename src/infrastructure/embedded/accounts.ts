import { type Account, type Accounts, usernameKey } from '#application/kernel/ports/accounts.ts'
import type { Database } from './database.ts'

/** A row of `accounts`. */
interface Row {
  readonly id: string
  readonly username: string
  readonly email: string | null
  readonly first_name: string | null
  readonly last_name: string | null
  readonly profile_image_url: string | null
  readonly password_hash: string
  readonly first_password: number
  readonly first_steps_away: number
  readonly created_at: string
  readonly updated_at: string
}

const toAccount = (row: Row): Account => ({
  id: row.id,
  username: row.username,
  email: row.email,
  firstName: row.first_name,
  lastName: row.last_name,
  profileImageUrl: row.profile_image_url,
  passwordHash: row.password_hash,
  firstPassword: row.first_password === 1,
  firstStepsAway: row.first_steps_away === 1,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const insertInto = `INSERT INTO accounts
  (id, username, username_key, email, first_name, last_name, profile_image_url, password_hash, first_password,
   first_steps_away, created_at, updated_at)`
const columns = '?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?'

/** In the order of {@link insertInto}. */
const valuesOf = (account: Account) => [
  account.id,
  account.username,
  usernameKey(account.username),
  account.email,
  account.firstName,
  account.lastName,
  account.profileImageUrl,
  account.passwordHash,
  Number(account.firstPassword),
  Number(account.firstStepsAway),
  account.createdAt,
  account.updatedAt,
]

/** Accounts in SQLite. */
export const openAccounts = (database: Database): Accounts => {
  const { sql } = database
  // Every request of somebody signed in asks for the account, and there are very few. Nobody but this process
  // writes to the folder it holds.
  const kept = new Map<string, Account>()
  const write = <T>(work: () => T): T => {
    kept.clear()
    return database.transaction('durable', work)
  }
  const rows = (where: string, ...values: string[]): readonly Account[] =>
    database.reading(() =>
      (sql(`SELECT * FROM accounts ${where}`).all(...values) as unknown as Row[]).map(toAccount),
    ) // all columns of the table
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
          `${insertInto} SELECT ${columns} WHERE NOT EXISTS (SELECT 1 FROM accounts)`,
        ).run(...valuesOf(account))
        return changes === 1
      }),
    replaceAll: async (accounts) =>
      write(() => {
        sql('DELETE FROM accounts').run()
        for (const account of accounts) sql(`${insertInto} VALUES (${columns})`).run(...valuesOf(account))
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
