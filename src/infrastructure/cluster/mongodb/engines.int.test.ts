import { randomBytes, randomUUID } from 'node:crypto'
import { Binary, Collection, type Document as Row, type Filter } from 'mongodb'
import { expect, it, onTestFinished, vi } from 'vitest'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { accountsContract } from '../../testing/contracts/accounts.contract.ts'
import { checkpointsContract } from '../../testing/contracts/checkpoints.contract.ts'
import { documentsContract } from '../../testing/contracts/documents.contract.ts'
import { effectsContract } from '../../testing/contracts/effects.contract.ts'
import { filesContract } from '../../testing/contracts/files.contract.ts'
import { idempotencyContract } from '../../testing/contracts/idempotency.contract.ts'
import { keyVaultContract } from '../../testing/contracts/key-vault.contract.ts'
import { leasesContract } from '../../testing/contracts/leases.contract.ts'
import { sessionsContract } from '../../testing/contracts/sessions.contract.ts'
import { describeOnServers } from '../testing/servers.ts'
import { openKeyVault } from './key-vault.ts'
import type { Mongo } from './mongo.ts'
import { at, ownDatabase } from './testing/site.ts'

await describeOnServers('MongoDB', ['mongodb'], ({ mongodb }) => {
  const { openSite, connect } = ownDatabase(mongodb.url, 'contracts')

  accountsContract('MongoDB', openSite)
  sessionsContract('MongoDB', openSite)
  checkpointsContract('MongoDB', openSite, at)
  effectsContract('MongoDB', openSite)
  idempotencyContract('MongoDB', openSite)
  keyVaultContract('MongoDB', openSite, () => openSite({ secret: 'another secret of 32 characters!!' }))

  it('takes all other keys out where one is damaged, which opens nothing any more', async () => {
    const namespace = randomUUID().slice(0, 8)
    const { keyVault } = await openSite({ namespace })
    const mongo = await connect({ namespace })
    const sealed = await keyVault.seal('damaged', 'text')
    await keyVault.seal('whole', 'text')
    const keys = mongo.collection<{ _id: string; wrapped: Binary }>('keys')
    const { wrapped } = (await keys.findOne({ _id: 'damaged' })) ?? {}
    const other = new Binary(randomBytes(wrapped?.length() ?? 0))
    await keys.updateOne({ _id: 'damaged' }, { $set: { wrapped: other } })
    expect((await keyVault.takeOut()).keys.map(({ subjectId }) => subjectId)).toEqual(['whole'])
    expect(await keyVault.openMany([{ subjectId: 'damaged', sealed }])).toEqual([null])
    await mongo.close()
  })

  it('takes in the keys and marks of a large site with few questions, for each takes its time', async () => {
    const { keyVault } = await openSite()
    const ids = (count: number): readonly string[] => Array.from({ length: count }, () => randomUUID())
    const keys = ids(1_500).map((subjectId) => ({ subjectId, key: randomBytes(32) }))
    const kinds = ['findOne', 'insertOne', 'updateOne', 'bulkWrite'] as const
    const questions = kinds.map((kind) => vi.spyOn(Collection.prototype, kind))
    onTestFinished(() => void vi.restoreAllMocks())
    await keyVault.putBack({ keys, erasedIds: ids(1_000) })
    const asked = questions.reduce((sum, { mock }) => sum + mock.calls.length, 0)
    expect(asked).toBeLessThan(20)
    const there = await keyVault.takeOut()
    expect([there.keys.length, there.erasedIds.length]).toEqual([1_500, 1_000])
  })

  it('makes no key, and notes none as erased, in a database that was emptied under it', async () => {
    const namespace = randomUUID().slice(0, 8)
    const site = await openSite({ namespace })
    const mongo = await connect({ namespace })
    const empty = async (): Promise<void> => {
      for (const name of ['about', 'keys']) await mongo.collection(name).drop()
    }
    await empty()
    await expect(site.keyVault.seal('first', 'text')).rejects.toThrow(EngineAway)
    await openSite({ namespace })
    const sealed = await site.keyVault.seal('first', 'text')
    await empty()
    await expect(site.keyVault.seal('second', 'text')).rejects.toThrow('lost the keys')
    await expect(site.keyVault.erase('first')).rejects.toThrow(EngineAway)
    expect(await site.keyVault.open('first', sealed)).toBeNull()
    expect(await site.keyVault.takeOut()).toEqual({ keys: [], erasedIds: [] })
    await mongo.close()
  })

  it('makes the first keys of a site, asked for together, though the proof of one overtakes the other', async () => {
    const namespace = randomUUID().slice(0, 8)
    await openSite({ namespace })
    const mongo = await connect({ namespace })
    const go = Promise.withResolvers<void>()
    let looks = 0
    /** Keeps back what the second look for the proof has found, the first one of a key that is made. */
    const keepBack = <R extends Row>(collection: Collection<R>): Collection<R> =>
      new Proxy(collection, {
        get: (target, name) => {
          if (name !== 'findOne') return Reflect.get(target, name, target)
          return async (filter: Filter<R>) => {
            const found = await target.findOne(filter)
            if (filter._id !== 'secret') return found
            looks += 1
            if (looks === 2) await go.promise
            return found
          }
        },
      })
    const collection: Mongo['collection'] = (name) => keepBack(mongo.collection(name))
    const vault = await openKeyVault({ ...mongo, collection }, 'a secret of thirty-two characters')
    const first = vault.seal('first', 'one')
    await expect.poll(() => looks).toBe(2)
    const second = await vault.seal('second', 'two')
    go.resolve()
    expect(await vault.open('first', await first)).toBe('one')
    expect(await vault.open('second', second)).toBe('two')
    await mongo.close()
  })

  filesContract('MongoDB', openSite)
  documentsContract('MongoDB', openSite, at)
  leasesContract('MongoDB', async () => {
    const namespace = 'shared'
    const [one, other] = [await openSite({ namespace }), await openSite({ namespace })]
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
