import type { Filter } from 'mongodb'
import type { EffectLedger } from '#application/kernel/ports/job-queue.ts'
import { type Mongo, updateOrInsert } from './mongo.ts'

interface Row {
  readonly _id: string
  readonly state: 'started' | 'done'
  readonly detail: string
}

/** The effect ledger: one document per effect, never set back from done by anybody who comes late. */
export const openEffects = (mongo: Mongo): EffectLedger => {
  const rows = mongo.collection<Row>('effects')

  // Where it is done the update finds nothing, nor does the one behind the insert that is refused.
  const save = (key: string, state: Row['state'], detail: string, over: Filter<Row>): Promise<void> =>
    mongo.ask(() =>
      updateOrInsert(
        () => rows.updateOne({ _id: key, ...over }, { $set: { state, detail } }),
        () => rows.insertOne({ _id: key, state, detail }),
      ),
    )
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
