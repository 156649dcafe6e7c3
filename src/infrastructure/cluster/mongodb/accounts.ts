import { type Account, type Accounts, usernameKey } from '#application/kernel/ports/accounts.ts'
import { shareReadings } from '#application/kernel/sharing.ts'
import { type Mongo, updateOrInsert, wasFirst } from './mongo.ts'

/** The only row. */
const theOne = 'all'

/** As stored: what was written before the list of first steps was there does not say that it is away. */
type Stored = Omit<Account, 'firstStepsAway'> & Partial<Account>

const byAge = (a: Account, b: Account): number =>
  a.createdAt === b.createdAt ? (a.id < b.id ? -1 : 1) : a.createdAt < b.createdAt ? -1 : 1

/**
 * Accounts: very few, so all of them are one document. What must happen for all or none of them (only one is the
 * first, no two share a name, a restore) is then one change of one document, without a transaction.
 */
export const openAccounts = (mongo: Mongo): Accounts => {
  const rows = mongo.collection<{ _id: string; list: readonly Stored[] }>('accounts')

  // Every request with a session asks for them.
  const all = shareReadings(
    async (): Promise<readonly Account[]> =>
      ((await mongo.ask(() => rows.findOne({ _id: theOne })))?.list ?? [])
        .map((account) => ({ ...account, firstStepsAway: account.firstStepsAway ?? false }))
        .toSorted(byAge),
  )

  /** Sets fields of one account. @returns whether it is there, as it was meant to be */
  const change = async (
    one: { readonly id: string; readonly passwordHash?: string },
    fields: Readonly<Record<`list.$[one].${string}`, string | boolean>>,
  ): Promise<boolean> => {
    const { matchedCount } = await mongo.ask(() =>
      rows.updateOne(
        { _id: theOne, list: { $elemMatch: one } },
        { $set: fields },
        { arrayFilters: [{ 'one.id': one.id }] },
      ),
    )
    return matchedCount === 1
  }

  return {
    all,
    count: async () => (await all()).length,
    find: async (id) => (await all()).find((account) => account.id === id) ?? null,
    findByUsername: async (username) => {
      const key = usernameKey(username)
      return (await all()).find((account) => usernameKey(account.username) === key) ?? null
    },
    addFirst: async (account) =>
      mongo.ask(async () => {
        if (await wasFirst(rows.insertOne({ _id: theOne, list: [account] }))) return true
        // a restore may have left none
        const { matchedCount } = await rows.updateOne(
          { _id: theOne, list: { $size: 0 } },
          { $set: { list: [account] } },
        )
        return matchedCount === 1
      }),
    setPassword: async (id, passwordHash, at, instead) =>
      change(instead === undefined ? { id } : { id, passwordHash: instead }, {
        'list.$[one].passwordHash': passwordHash,
        'list.$[one].firstPassword': false,
        'list.$[one].updatedAt': at,
      }),
    setFirstStepsAway: async (id, away) => change({ id }, { 'list.$[one].firstStepsAway': away }),
    replaceAll: async (accounts) => {
      if (new Set(accounts.map(({ username }) => usernameKey(username))).size < accounts.length)
        throw new Error('Two accounts have the same username: nothing was replaced')
      await mongo.ask(() => updateOrInsert(rows, { _id: theOne }, { list: accounts }))
    },
  }
}
