import {
  forgottenBy,
  type IdempotencyKeys,
  type IdempotencyRecord,
} from '#application/kernel/ports/idempotency.ts'
import { type Mongo, updateOrInsert, wasFirst } from './mongo.ts'
import type { Filter } from 'mongodb'
import type { EffectLedger } from '#application/kernel/ports/job-queue.ts'
import type { Checkpoints } from '#application/kernel/ports/checkpoints.ts'
import type { Position } from '#application/kernel/ports/event-store.ts'

interface Claim extends IdempotencyRecord {
  readonly _id: string
}

/** Idempotency keys: one document each; the insert that succeeds is the first. */
export const openIdempotencyKeys = async (mongo: Mongo): Promise<IdempotencyKeys> => {
  const rows = mongo.collection<Claim>('idempotency')
  await mongo.prepare(() => rows.createIndex({ claimedAt: 1 }, { name: 'by_age' }))

  const claim = async (key: string, bodyHash: string, now: string): Promise<IdempotencyRecord | null> => {
    const fresh = { bodyHash, status: null, entityId: null, claimedAt: now }
    for (;;) {
      if (await wasFirst(rows.insertOne({ _id: key, ...fresh }))) return null
      const found = await rows.findOne({ _id: key })
      // released or swept a moment ago: claim it anew
      if (!found) continue
      const { bodyHash: sent, status, entityId, claimedAt } = found
      if (claimedAt > forgottenBy(now)) return { bodyHash: sent, status, entityId, claimedAt }
      // only one of those who find it forgotten may take it over
      const { matchedCount } = await rows.replaceOne({ _id: key, claimedAt }, fresh)
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
    forgetAll: async () => {
      await mongo.ask(() => rows.deleteMany({}))
    },
  }
}

interface Effect {
  readonly _id: string
  readonly state: 'started' | 'done'
  readonly detail: string
}

/** The effect ledger: one document per effect, never set back from done by anybody who comes late. */
export const openEffects = (mongo: Mongo): EffectLedger => {
  const rows = mongo.collection<Effect>('effects')

  // Where it is done the update finds nothing, nor does the one behind the insert that is refused.
  const save = (
    key: string,
    state: Effect['state'],
    detail: string,
    over: Pick<Filter<Effect>, 'state'>,
  ): Promise<void> => mongo.ask(() => updateOrInsert(rows, { _id: key, ...over }, { state, detail }))
  const unlessDone = { state: { $ne: 'done' } } as const

  return {
    find: async (key) => {
      const row = await mongo.ask(() => rows.findOne({ _id: key }))
      return row && { state: row.state, detail: row.detail }
    },
    started: async (key, detail) => save(key, 'started', detail, unlessDone),
    done: async (key, detail) => save(key, 'done', detail, unlessDone),
    replace: async (key, state, detail) => save(key, state, detail, {}),
  }
}

/** Where reactors stand: one document each. A runner that lost its lease can only set it back, which is harmless. */
export const openCheckpoints = (mongo: Mongo): Checkpoints => {
  const rows = mongo.collection<{ _id: string; position: Position | null }>('reactors')
  return {
    load: async (name) => {
      const row = await mongo.ask(() => rows.findOne({ _id: name }))
      return row && { position: row.position }
    },
    place: async (name, position) => mongo.ask(() => updateOrInsert(rows, { _id: name }, { position })),
    save: async (name, position) => {
      const { matchedCount } = await mongo.ask(() => rows.updateOne({ _id: name }, { $set: { position } }))
      return matchedCount > 0
    },
  }
}
