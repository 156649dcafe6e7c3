import type { Checkpoints } from '#application/kernel/ports/checkpoints.ts'
import type { Position } from '#application/kernel/ports/event-store.ts'
import { type Mongo, updateOrInsert } from './mongo.ts'

/** Where reactors stand: one document each. A runner that lost its lease can only set it back, which is harmless. */
export const openCheckpoints = (mongo: Mongo): Checkpoints => {
  const rows = mongo.collection<{ _id: string; position: Position | null }>('reactors')
  return {
    load: async (name) => {
      const row = await mongo.ask(() => rows.findOne({ _id: name }))
      return row && { position: row.position }
    },
    place: async (name, position) =>
      mongo.ask(() =>
        updateOrInsert(
          () => rows.updateOne({ _id: name }, { $set: { position } }),
          () => rows.insertOne({ _id: name, position }),
        ),
      ),
    save: async (name, position) => {
      const { matchedCount } = await mongo.ask(() => rows.updateOne({ _id: name }, { $set: { position } }))
      return matchedCount > 0
    },
  }
}
