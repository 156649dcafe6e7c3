import {
  forgottenBy,
  type IdempotencyKeys,
  type IdempotencyRecord,
} from '#application/kernel/ports/idempotency.ts'
import { type Mongo, isDuplicate } from './mongo.ts'

interface Row extends IdempotencyRecord {
  readonly _id: string
  /** ISO 8601 */
  readonly claimedAt: string
}

/** Idempotency keys: one document each; the insert that succeeds is the first. */
export const openIdempotencyKeys = async (mongo: Mongo): Promise<IdempotencyKeys> => {
  const rows = mongo.collection<Row>('idempotency')
  await mongo.ask(() => rows.createIndex({ claimedAt: 1 }, { name: 'by_age' }))

  const claim = async (key: string, bodyHash: string, now: string): Promise<IdempotencyRecord | null> => {
    const fresh = { bodyHash, status: null, entityId: null, claimedAt: now }
    for (;;) {
      try {
        await rows.insertOne({ _id: key, ...fresh })
        return null
      } catch (error) {
        if (!isDuplicate(error)) throw error
      }
      const found = await rows.findOne({ _id: key })
      // released or swept a moment ago: claim it anew
      if (!found) continue
      if (found.claimedAt > forgottenBy(now))
        return { bodyHash: found.bodyHash, status: found.status, entityId: found.entityId }
      // only one of those who find it forgotten may take it over
      const { matchedCount } = await rows.replaceOne({ _id: key, claimedAt: found.claimedAt }, fresh)
      if (matchedCount > 0) return null
    }
  }

  return {
    claim: async (key, bodyHash, now) => mongo.ask(() => claim(key, bodyHash, now)),
    complete: async (key, status, entityId) => {
      await mongo.ask(() => rows.updateOne({ _id: key }, { $set: { status, entityId } }))
    },
    release: async (key) => {
      await mongo.ask(() => rows.deleteOne({ _id: key, status: null }))
    },
    sweep: async (now) => {
      const { deletedCount } = await mongo.ask(() =>
        rows.deleteMany({ claimedAt: { $lte: forgottenBy(now) } }),
      )
      return deletedCount
    },
  }
}
