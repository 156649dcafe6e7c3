import { LRUCache } from 'lru-cache'
import { shareReadings } from '#application/kernel/sharing.ts'
import type { Session, Sessions } from '#application/kernel/ports/sessions.ts'
import { type Mongo, updateOrInsert } from './mongo.ts'

/** So many sessions at once are read for several requests together. */
const mostShared = 100

type Row = Omit<Session, 'key' | 'credentialVersion'> & {
  readonly _id: string
  /** not there in older ones */
  readonly credentialVersion?: string | null
}

const toSession = ({ _id, credentialVersion, ...fields }: Row): Session => ({
  key: _id,
  ...fields,
  credentialVersion: credentialVersion ?? null,
})

/**
 * Sessions: one document each. Expiry is checked on every read and swept by us, never left to a TTL index. Every
 * request reads it anew: one that was ended by another process is over at once.
 */
export const openSessions = async (mongo: Mongo): Promise<Sessions> => {
  const rows = mongo.collection<Row>('sessions')
  await mongo.prepare(() =>
    rows.createIndexes([
      { key: { accountId: 1, lastSeenAt: 1, _id: 1 }, name: 'by_account' },
      { key: { expiresAt: 1 }, name: 'by_expiry' },
    ]),
  )
  /** Requests of one browser that come together share a reading. */
  const reading = new LRUCache<string, () => Promise<Row | null>>({ max: mostShared })
  return {
    find: async (key, now) => {
      const read = reading.get(key) ?? shareReadings(() => mongo.ask(() => rows.findOne({ _id: key })))
      reading.set(key, read)
      const row = await read()
      return row && row.expiresAt > now ? toSession(row) : null
    },
    save: async ({ key, ...fields }) => mongo.ask(() => updateOrInsert(rows, { _id: key }, fields)),
    touch: async (key, lastSeenAt, expiresAt) => {
      const { matchedCount } = await mongo.ask(() =>
        rows.updateOne({ _id: key }, { $set: { lastSeenAt, expiresAt } }),
      )
      return matchedCount === 1
    },
    setCredentialVersion: async (key, credentialVersion) => {
      await mongo.ask(() => rows.updateOne({ _id: key }, { $set: { credentialVersion } }))
    },
    remove: async (key) => {
      await mongo.ask(() => rows.deleteOne({ _id: key }))
    },
    listByAccount: async (accountId, now) => {
      const found = await mongo.ask(() =>
        rows
          .find({ accountId, expiresAt: { $gt: now } })
          .sort({ lastSeenAt: -1, _id: -1 })
          .toArray(),
      )
      return found.map(toSession)
    },
    removeById: async (accountId, id) =>
      (await mongo.ask(() => rows.deleteOne({ accountId, id }))).deletedCount === 1,
    removeOthers: async (accountId, exceptKey) =>
      (await mongo.ask(() => rows.deleteMany({ accountId, _id: { $ne: exceptKey ?? '' } }))).deletedCount,
    sweep: async (now) => (await mongo.ask(() => rows.deleteMany({ expiresAt: { $lte: now } }))).deletedCount,
  }
}
