import { randomUUID } from 'node:crypto'
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client'
import { expect, it, vi } from 'vitest'
import { foreignType, type RecordedEvent } from '#application/kernel/ports/event-store.ts'
import { eventStoreContract } from '../../testing/contracts/event-store.contract.ts'
import { freshStream, someEvent } from '../../testing/contracts/some-events.ts'
import { describeOnServers } from '../testing/servers.ts'
import { openEventStore } from './event-store.ts'

const log = { warn: () => undefined }
/** What is promised here is not how soon a busy machine answers. */
const timeouts = { answerMs: 10_000, giveUpMs: 30_000 }

await describeOnServers('EventStoreDB', ['eventstore'], ({ eventstore }) => {
  const openAs = async (namespace: string) => {
    const store = openEventStore({ address: eventstore.url, namespace, log, timeouts })
    return { store, close: store.close }
  }
  const fresh = (): string => `t${randomUUID().slice(0, 8)}`

  eventStoreContract('EventStoreDB, a namespace on a shared server', () => openAs(fresh()), {
    idsAreUnique: false,
  })

  it('shows a site without a namespace neither those that have one nor the server itself', async () => {
    const [alone, other] = [await openAs(''), await openAs(fresh())]
    const head = await alone.store.head()
    const stream = freshStream()
    await alone.store.append(stream, 'no-stream', [someEvent(1)])
    await other.store.append(stream, 'no-stream', [someEvent(2)])
    const { position } = await alone.store.append(stream, 0, [someEvent(3)])
    const stop = new AbortController()
    const delivered: RecordedEvent[] = []
    for await (const batch of alone.store.subscribe(head, { limit: 10, signal: stop.signal })) {
      delivered.push(...batch)
      if (batch.some((event) => event.position >= position)) stop.abort()
    }
    const read = await alone.store.readAll(head, 1_000)
    for (const events of [delivered, read]) {
      const ofStream = events.filter((event) => event.stream === stream)
      expect(ofStream.map((event) => event.data['n'])).toEqual([1, 3])
      expect(events.filter(({ stream: name }) => /^[$]|:/.test(name))).toEqual([])
    }
    for (const { close } of [alone, other]) await close()
  })

  it.each(['', fresh()])('does not know of what stands beside the site %j', async (namespace) => {
    const { store, close } = await openAs(namespace)
    const stream = freshStream()
    const { position: before } = await store.append(stream, 'no-stream', [someEvent(1)])
    await store.beside.append(stream, 'no-stream', [someEvent(2), someEvent(3)])
    expect(await store.head()).toBe(before)
    expect(await store.readAll(before, 10)).toEqual([])
    const { position: behind } = await store.append(stream, 0, [someEvent(4)])
    const stop = new AbortController()
    const delivered: RecordedEvent[] = []
    for await (const batch of store.subscribe(before, { limit: 10, signal: stop.signal })) {
      delivered.push(...batch)
      if (batch.some(({ position }) => position === behind)) stop.abort()
    }
    expect(delivered.map(({ data }) => data['n'])).toEqual([4])
    const ofBoth = [await store.readStream(stream, 0), await store.beside.readStream(stream, 0)]
    expect(ofBoth.map((events) => events.map(({ data }) => data['n']))).toEqual([
      [1, 4],
      [2, 3],
    ])
    await close()
  })

  it('counts what another program writes into a stream of the site’s, and appends behind it', async () => {
    const namespace = fresh()
    const { store, close } = await openAs(namespace)
    const stream = freshStream()
    await store.append(stream, 'no-stream', [someEvent(1)])
    const other = EventStoreDBClient.connectionString(eventstore.url)
    const orders = [1, 2].map(() => jsonEvent({ type: 'OrderPlaced', data: {} }))
    await other.appendToStream(`${namespace}:${stream}`, orders)
    await other.appendToStream(`${namespace}:orders-1`, orders)
    await other.dispose()
    const head = await store.head()
    const { position } = await store.append(stream, 2, [someEvent(2)])
    for (const events of [await store.readStream(stream, 0), await store.readAll(null, 10)])
      expect(events.map(({ revision, type }) => [revision, type])).toEqual([
        [0, 'ArtworkPriceChanged'],
        [1, foreignType],
        [2, foreignType],
        [3, 'ArtworkPriceChanged'],
      ])
    expect((await store.readStream(stream, 1, 2)).map(({ type }) => type)).toEqual([foreignType, foreignType])
    expect(head).toBe((await store.readAll(null, 10))[2]?.position)
    expect(await store.head()).toBe(position)
    await close()
  })

  it.each([
    ['behind', -1],
    ['ahead', 1],
  ])('takes what a process appends whose clock is two days %s', async (_, sign) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + sign * 2 * 24 * 3_600_000 })
    const { store, close } = await openAs(fresh())
    try {
      const stream = freshStream()
      expect(await store.append(stream, 'no-stream', [someEvent(1)])).toMatchObject({ revision: 0 })
      expect(await store.readStream(stream, 0)).toHaveLength(1)
    } finally {
      vi.useRealTimers()
      await close()
    }
  })

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
