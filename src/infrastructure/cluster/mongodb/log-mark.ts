import type { Position } from '#application/kernel/ports/event-store.ts'
import type { MarkStore } from '../../log-mark.ts'
import { type Mongo, updateOrInsert, wasFirst } from './mongo.ts'

const id = 'log'
/** Stands before every position. */
const none = ''

/**
 * The mark of a log that stands on a server of its own: one document, which a start makes and every process may
 * move forward.
 */
export const openMark = (mongo: Mongo): MarkStore => {
  const rows = mongo.collection<{ _id: string; position: string }>('about')
  const raise = async (position: Position | null): Promise<void> => {
    const to = position ?? none
    await mongo.ask(() => rows.updateOne({ _id: id, position: { $lt: to } }, { $set: { position: to } }))
  }
  return {
    read: async () => {
      const row = await mongo.ask(() => rows.findOne({ _id: id }))
      if (typeof row?.position !== 'string') return 'unknown'
      return row.position === none ? 'empty' : { position: row.position as Position } // as the log made it
    },
    begin: async (position) => {
      const insert = mongo.ask(() => rows.insertOne({ _id: id, position: position ?? none }))
      if (!(await wasFirst(insert))) await raise(position)
    },
    raise,
    place: async (position) =>
      mongo.ask(() => updateOrInsert(rows, { _id: id }, { position: position ?? none })),
  }
}
