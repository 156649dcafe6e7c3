import { randomUUID } from 'node:crypto'
import { MongoClient } from 'mongodb'
import { afterAll } from 'vitest'
import type { Position } from '#application/kernel/ports/event-store.ts'
import { type Mongo, connectMongo } from '../mongo.ts'
import { openMongo } from '../open.ts'

/** Positions as a log makes them: text that sorts. */
export const at = (n: number): Position => String(n).padStart(20, '0') as Position // as the log makes them

const silent = { warn: () => undefined }

/** The same server's address with another database and options. */
const addressOf = (url: string, database: string): string =>
  url.replace(/^(mongodb:\/\/[^/]+)\/?[^?]*/, `$1/${database}`)

/** A database of a test file's own, dropped after its tests. */
export const ownDatabase = (serverUrl: string, name: string) => {
  const url = addressOf(serverUrl, `test-${name}-${randomUUID().slice(0, 8)}`)

  afterAll(async () => {
    const client = new MongoClient(url)
    await client.db().dropDatabase()
    await client.close()
  })

  return {
    url,
    /** Everything of a site of its own, unless given a namespace. */
    openSite: (change: Partial<Parameters<typeof openMongo>[0]> = {}) =>
      openMongo({
        url,
        namespace: randomUUID().slice(0, 8),
        secret: 'a secret of thirty-two characters',
        clock: { now: () => new Date(), newId: randomUUID },
        log: silent,
        leaseTimes: { beat: 50, doubt: 10_000, timeout: 12_000, look: 10 },
        ...change,
      }),
    /** A bare connection, for looking at what is stored. */
    connect: (change: Partial<Parameters<typeof connectMongo>[0]> = {}): Promise<Mongo> =>
      connectMongo({ url, namespace: '', log: silent, ...change }),
  }
}
