import { randomUUID } from 'node:crypto'
import { MongoClient } from 'mongodb'
import { afterAll } from 'vitest'
import type { Position } from '#application/ports/event-store.ts'
import { accountsContract } from '../../contracts/accounts.contract.ts'
import { checkpointsContract } from '../../contracts/checkpoints.contract.ts'
import { documentsContract } from '../../contracts/documents.contract.ts'
import { effectsContract } from '../../contracts/effects.contract.ts'
import { filesContract } from '../../contracts/files.contract.ts'
import { idempotencyContract } from '../../contracts/idempotency.contract.ts'
import { keyVaultContract } from '../../contracts/key-vault.contract.ts'
import { leasesContract } from '../../contracts/leases.contract.ts'
import { sessionsContract } from '../../contracts/sessions.contract.ts'
import { describeOnServers } from '../testing/servers.ts'
import { type MongoEngines, openMongo } from './open.ts'

const secret = 'a secret of thirty-two characters'
const quick = { beat: 50, doubt: 2_000, patience: 4_000, look: 10 }
/** Positions as a log makes them: text that sorts. */
const at = (n: number): Position => String(n).padStart(20, '0') as Position

await describeOnServers('MongoDB', ['mongodb'], ({ mongodb }) => {
  const database = `engines-${randomUUID().slice(0, 8)}`
  const url = mongodb.url.replace(/^(mongodb:\/\/[^/]+\/)[^?]*/, `$1${database}`)

  const open = async (change: { namespace?: string; secret?: string } = {}): Promise<MongoEngines> =>
    openMongo({
      url,
      namespace: randomUUID().slice(0, 8),
      secret,
      clock: { now: () => new Date(), newId: randomUUID },
      log: { warn: () => undefined },
      leaseTimes: quick,
      ...change,
    })

  afterAll(async () => {
    const client = new MongoClient(url)
    await client.db().dropDatabase()
    await client.close()
  })

  accountsContract('MongoDB', open)
  sessionsContract('MongoDB', open)
  checkpointsContract('MongoDB', open, at)
  effectsContract('MongoDB', open)
  idempotencyContract('MongoDB', open)
  keyVaultContract('MongoDB', open, () => open({ secret: 'another secret of 32 characters!!' }))
  filesContract('MongoDB', open)
  documentsContract('MongoDB', open, at)
  leasesContract('MongoDB', async () => {
    const namespace = randomUUID().slice(0, 8)
    const [one, other] = [await open({ namespace }), await open({ namespace })]
    return {
      one: one.leases,
      other: other.leases,
      close: async () => {
        await one.close()
        await other.close()
      },
    }
  })
})
