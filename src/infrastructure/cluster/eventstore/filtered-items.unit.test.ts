import { PassThrough } from 'node:stream'
import type { EventStoreDBClient } from '@eventstore/db-client'
import { describe, expect, it } from 'vitest'
import { someEvent } from '../../testing/contracts/some-events.ts'
import { openItems, readFiltered, takeBatch } from './filtered-items.ts'
import type { LogPlace } from './positions.ts'
import { streamNames, toProposed } from './stored-events.ts'

const names = streamNames('site')
const placeAt = (n: number): LogPlace => ({ commit: BigInt(n), prepare: BigInt(n) })

/** An event as the library sends it. */
const sent = (n: number, streamId = 'site:artwork-1'): object => {
  const { id, type, data, metadata } = toProposed(someEvent(n))
  return { event: { streamId, revision: BigInt(n), id, type, data, metadata, position: placeAt(n) } }
}

interface Options {
  readonly filter: { readonly checkpointReached: (subscription: unknown, place: LogPlace) => void }
}

/** What the library's subscription is: a stream, and a callback that does not wait for it. */
const fakeServer = () => {
  const stream = Object.assign(new PassThrough({ objectMode: true }), { unsubscribe: async () => undefined })
  let options: Options | null = null
  const client = {
    subscribeToAll: (given: Options) => {
      options = given
      return stream
    },
  }
  return {
    client: client as unknown as EventStoreDBClient,
    send: (item: object) => stream.push(item),
    mark: (place: LogPlace) => options?.filter.checkpointReached(null, place),
    catchUp: () => stream.emit('caughtUp'),
    fail: (error: Error) => stream.emit('error', error),
  }
}

const numbers = (events: readonly { readonly data: { readonly [key: string]: unknown } }[]): unknown[] =>
  events.map((event) => event.data['n'])

describe('what a subscription sends', () => {
  it('is marked as looked at only behind the events that came before the mark', () => {
    const server = fakeServer()
    const items = openItems(server.client, names, null, 100)
    for (const n of [1, 2, 3]) server.send(sent(n))
    server.mark(placeAt(90))
    const first = takeBatch(items, 2, names)
    expect(numbers(first?.events ?? [])).toEqual([1, 2])
    expect(first?.upTo).toEqual(placeAt(2))
    const second = takeBatch(items, 2, names)
    expect(numbers(second?.events ?? [])).toEqual([3])
    expect(second?.upTo).toEqual(placeAt(90))
    expect(takeBatch(items, 2, names)).toBeNull()
  })

  it('moves on past what is none of the site, and not to where the server has no end yet', () => {
    const server = fakeServer()
    const items = openItems(server.client, names, null, 100)
    server.send(sent(7, 'other:artwork-1'))
    server.mark({ commit: 2n ** 64n - 1n, prepare: 2n ** 64n - 1n })
    expect(takeBatch(items, 10, names)).toEqual({ events: [], upTo: placeAt(7) })
  })
})

describe('a read through the filter', () => {
  it('ends where the server has caught up, with everything before', async () => {
    const server = fakeServer()
    const found: number[] = []
    const read = readFiltered(server.client, names, null, 1_000, (event) => {
      found.push(event.revision)
      return false
    })
    for (const n of [1, 2]) server.send(sent(n))
    server.mark(placeAt(50))
    server.send(sent(60))
    server.catchUp()
    await read
    expect(found).toEqual([1, 2, 60])
  })

  it('ends when enough was taken', async () => {
    const server = fakeServer()
    const found: number[] = []
    for (const n of [1, 2, 3]) server.send(sent(n))
    await readFiltered(server.client, names, null, 1_000, (event) => found.push(event.revision) === 2)
    expect(found).toEqual([1, 2])
  })

  it('fails as the server does, and when the server says nothing', async () => {
    const server = fakeServer()
    const failing = readFiltered(server.client, names, null, 1_000, () => false)
    server.fail(new Error('14 UNAVAILABLE'))
    await expect(failing).rejects.toThrow('14 UNAVAILABLE')
    await expect(readFiltered(fakeServer().client, names, null, 10, () => false)).rejects.toThrow('no answer')
  })
})
