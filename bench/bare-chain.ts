/** What a command on three servers cannot do without, done barely: one way of each server after the other. */
import { randomUUID } from 'node:crypto'
import {
  jsonEvent,
  type AllStreamSubscription,
  EventStoreDBClient,
  START,
  streamNameFilter,
} from '@eventstore/db-client'
import { type Collection, MongoClient } from 'mongodb'

export interface BareChain {
  /** Session found, event appended, delivered to a subscription, document replaced, checkpoint moved, document found. */
  readonly run: (n: number) => Promise<void>
  /** The append alone. */
  readonly append: () => Promise<void>
  readonly close: () => Promise<void>
}

interface Row {
  readonly _id: string
  readonly at: number
  readonly text: string
}

const durable = { writeConcern: { w: 'majority', journal: true } } as const
const relaxed = { writeConcern: { w: 'majority', journal: false } } as const
const text = 'x'.repeat(1_500)

/** @param lanes chains that may be under way at once, each on documents of its own */
export const bareChain = async (
  addresses: { readonly log: string; readonly mongo: string },
  lanes: number,
): Promise<BareChain> => {
  const name = `bare-${randomUUID().slice(0, 8)}`
  const log = EventStoreDBClient.connectionString(addresses.log)
  const client = await MongoClient.connect(addresses.mongo)
  const db = client.db()
  const rows = (part: string, options = {}): Collection<Row> => db.collection(`${name}.${part}`, options)
  const sessions = rows('sessions')
  const documents = rows('documents', relaxed)
  const checkpoints = rows('checkpoints', durable)
  for (const each of [sessions, documents, checkpoints])
    await each.insertMany(Array.from({ length: lanes }, (_, n) => ({ _id: String(n), at: -1, text })))

  const waiting = new Map<string, () => void>()
  const subscription: AllStreamSubscription = log.subscribeToAll({
    fromPosition: START,
    filter: streamNameFilter({ prefixes: [`${name}-`] }),
  })
  subscription.on('data', ({ event }) => waiting.get(event?.id ?? '')?.())
  await new Promise<void>((resolve) => {
    subscription.on('confirmation', () => resolve())
  })

  const append = async (id: string): Promise<void> => {
    const event = jsonEvent({ id, type: 'ArtworkPriceChanged', data: { text: 'x'.repeat(300) } })
    await log.appendToStream(`${name}-${id}`, event, { expectedRevision: 'no_stream' })
  }
  return {
    append: () => append(randomUUID()),
    run: async (n) => {
      const [_id, id] = [String(n % lanes), randomUUID()]
      await sessions.findOne({ _id })
      const { promise: delivered, resolve } = Promise.withResolvers<void>()
      waiting.set(id, resolve)
      await append(id)
      await delivered
      waiting.delete(id)
      await documents.replaceOne({ _id, at: { $lt: n } }, { at: n, text })
      await checkpoints.updateOne({ _id, at: { $lt: n } }, { $set: { at: n } })
      await documents.findOne({ _id })
    },
    close: async () => {
      await subscription.unsubscribe()
      await log.dispose()
      await client.close()
    },
  }
}
