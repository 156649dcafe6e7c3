import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { eventStoreContract, freshStream, someEvent } from '#infrastructure/contracts/event-store.contract.ts'
import { describeOnServers } from '../testing/servers.ts'
import { openEventStore } from './event-store.ts'

const log = { warn: () => undefined }

await describeOnServers('EventStoreDB', ['eventstore'], ({ eventstore }) => {
  const openAs = async (namespace: string) => {
    const store = openEventStore({ address: eventstore.url, namespace, log })
    return { store, close: store.close }
  }
  const fresh = (): string => `t${randomUUID().slice(0, 8)}`

  eventStoreContract('EventStoreDB, a namespace on a shared server', () => openAs(fresh()), {
    idsAreUnique: false,
  })
  eventStoreContract('EventStoreDB, a site without a namespace', () => openAs(''), { idsAreUnique: false })

  it('shows a site nothing of another, however much that has written', async () => {
    const [mine, theirs] = [await openAs(fresh()), await openAs(fresh())]
    const stream = freshStream()
    const { position } = await mine.store.append(stream, 'no-stream', [someEvent(1)])
    const many = Array.from({ length: 500 }, (_, n) => someEvent(n))
    for (let n = 0; n < 20; n++) await theirs.store.append(freshStream(), 'no-stream', many)
    await mine.store.append(stream, 0, [someEvent(2)])
    for (let n = 0; n < 20; n++) await theirs.store.append(freshStream(), 'no-stream', many)
    const seen = (await mine.store.readAll(null, 10)).map((event) => event.data['n'])
    expect(seen).toEqual([1, 2])
    const [second] = await mine.store.readAll(position, 10)
    expect(second?.data['n']).toBe(2)
    expect(await mine.store.head()).toBe(second?.position)
    const newcomer = await openAs(fresh())
    expect(await newcomer.store.head()).toBeNull()
    expect(await newcomer.store.readAll(null, 10)).toEqual([])
    for (const { close } of [mine, theirs, newcomer]) await close()
  })
})
