import { beforeAll, expect, it } from 'vitest'
import {
  RevisionConflict,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '#application/kernel/ports/event-store.ts'
import { freshStream, numbers, someEvent } from './some-events.ts'

/** The events of some streams behind a position, read page by page. */
const readOwn = async (
  store: EventStore,
  after: Position | null,
  streams: readonly string[],
  limit = 7,
): Promise<readonly RecordedEvent[]> => {
  const found: RecordedEvent[] = []
  let position = after
  for (;;) {
    const page = await store.readAll(position, limit)
    expect(page.length).toBeLessThanOrEqual(limit)
    const last = page.at(-1)
    if (!last) return found
    found.push(...page.filter((event) => streams.includes(event.stream)))
    position = last.position
  }
}

/** Takes from a subscription until so many events of the streams have come, then ends it. */
const take = async (
  store: EventStore,
  after: Position | null,
  streams: readonly string[],
  count: number,
): Promise<readonly RecordedEvent[]> => {
  const stop = new AbortController()
  const found: RecordedEvent[] = []
  for await (const batch of store.subscribe(after, { limit: 10, signal: stop.signal })) {
    expect(batch.length).toBeGreaterThan(0)
    found.push(...batch.filter((event) => streams.includes(event.stream)))
    if (found.length >= count) stop.abort()
  }
  return found
}

/**
 * The part of the event store's contract about all streams together: their order, and how it is delivered.
 * @param opened the store of the suite around it, once that has opened it
 */
export const eventOrderRules = (opened: () => EventStore): void => {
  let store: EventStore
  beforeAll(() => {
    store = opened()
  })

  it('orders events across streams as they were acknowledged', async () => {
    const head = await store.head()
    const [a, b] = [freshStream(), freshStream()]
    await store.append(a, 'no-stream', [someEvent(0), someEvent(1)])
    await store.append(b, 'no-stream', [someEvent(2)])
    await store.append(a, 1, [someEvent(3)])
    const events = await readOwn(store, head, [a, b])
    expect(numbers(events)).toEqual([0, 1, 2, 3])
    expect(events.map((event) => event.revision)).toEqual([0, 1, 0, 2])
  })

  it('makes positions that grow when compared as strings, and survive storing', async () => {
    const head = await store.head()
    const stream = freshStream()
    for (let n = 0; n < 25; n++) await store.append(stream, n === 0 ? 'no-stream' : n - 1, [someEvent(n)])
    const events = await readOwn(store, head, [stream])
    const positions = events.map((event) => event.position)
    expect([...positions].sort()).toEqual(positions)
    expect(new Set(positions).size).toBe(25)
    const stored = JSON.parse(JSON.stringify(positions[9])) as Position
    expect(numbers(await readOwn(store, stored, [stream], 4))).toEqual(
      Array.from({ length: 15 }, (_, n) => n + 10),
    )
  })

  it('tells the position of the newest event as its head', async () => {
    const { position } = await store.append(freshStream(), 'no-stream', [someEvent(0), someEvent(1)])
    expect(await store.head()).toBe(position)
    expect(await store.readAll(position, 10)).toEqual([])
  })

  it('delivers what is there, then what comes, in order', async () => {
    const head = await store.head()
    const stream = freshStream()
    await store.append(stream, 'no-stream', [someEvent(0), someEvent(1)])
    const taken = take(store, head, [stream], 4)
    await store.append(stream, 1, [someEvent(2)])
    await store.append(stream, 2, [someEvent(3)])
    expect(numbers(await taken)).toEqual([0, 1, 2, 3])
  })

  it('wakes a subscriber that waits at the head of the log', async () => {
    const head = await store.head()
    const stream = freshStream()
    const stop = new AbortController()
    const batches = store.subscribe(head, { limit: 10, signal: stop.signal })[Symbol.asyncIterator]()
    const coming = batches.next()
    await store.append(stream, 'no-stream', [someEvent(5)])
    const { value } = await coming
    expect(numbers(value ?? [])).toEqual([5])
    stop.abort()
    expect((await batches.next()).done).toBe(true)
  })

  it('leaves no gap and keeps the order under concurrent appends, for every subscriber', async () => {
    const head = await store.head()
    const streams = Array.from({ length: 8 }, freshStream)
    const subscribers = [1, 2, 3].map(() => take(store, head, streams, 8 * 30))
    await Promise.all(
      streams.map(async (stream) => {
        for (let n = 0; n < 30; n += 2)
          await store.append(stream, n === 0 ? 'no-stream' : n - 1, [someEvent(n), someEvent(n + 1)])
      }),
    )
    const late = take(store, head, streams, 8 * 30)
    const written = await readOwn(store, head, streams, 50)
    expect(written).toHaveLength(240)
    for (const stream of streams)
      expect(numbers(written.filter((event) => event.stream === stream))).toEqual(
        Array.from({ length: 30 }, (_, n) => n),
      )
    const order = written.map((event) => event.id)
    for (const taken of [...subscribers, late]) expect((await taken).map((event) => event.id)).toEqual(order)
  })

  it('writes several appends in the order given', async () => {
    const head = await store.head()
    const [one, other] = [freshStream(), freshStream()]
    await store.append(one, 'no-stream', [someEvent(0)])
    const appends = Array.from({ length: 20 }, (_, n) => [
      { stream: one, expected: n, events: [someEvent(2 * n + 1)] },
      { stream: other, expected: n === 0 ? ('no-stream' as const) : n - 1, events: [someEvent(2 * n + 2)] },
    ]).flat()
    await store.appendInOrder(appends)
    expect(numbers(await readOwn(store, head, [one, other], 50))).toEqual(
      Array.from({ length: 41 }, (_, n) => n),
    )
    // sent again, as after an answer that was lost, it writes nothing
    await store.appendInOrder(appends)
    expect(await readOwn(store, head, [one, other], 50)).toHaveLength(41)
    await store.appendInOrder([])
  })

  it('writes nothing behind the first of several appends that fails', async () => {
    const [one, other, third] = [freshStream(), freshStream(), freshStream()]
    await store.append(other, 'no-stream', [someEvent(0)])
    await expect(
      store.appendInOrder([
        { stream: one, expected: 'no-stream', events: [someEvent(1)] },
        { stream: other, expected: 'no-stream', events: [someEvent(2)] },
        { stream: third, expected: 'no-stream', events: [someEvent(3)] },
      ]),
    ).rejects.toBeInstanceOf(RevisionConflict)
    expect(numbers(await store.readStream(other, 0))).toEqual([0])
    expect(await store.readStream(third, 0)).toEqual([])
  })

  it('resumes exactly behind any event', async () => {
    const head = await store.head()
    const stream = freshStream()
    await store.append(stream, 'no-stream', [someEvent(0), someEvent(1), someEvent(2)])
    await store.append(stream, 2, [someEvent(3), someEvent(4)])
    const events = await take(store, head, [stream], 5)
    for (const [at, event] of events.slice(0, -1).entries())
      expect(numbers(await take(store, event.position, [stream], 4 - at))).toEqual(
        [0, 1, 2, 3, 4].slice(at + 1),
      )
  })

  it('ends a subscription when its signal is aborted, before and while it waits', async () => {
    const head = await store.head()
    const before = store.subscribe(head, { limit: 10, signal: AbortSignal.abort() })
    for await (const batch of before) expect.unreachable(`${batch.length} events after the end`)
    const stop = new AbortController()
    const waiting = store.subscribe(head, { limit: 10, signal: stop.signal })[Symbol.asyncIterator]().next()
    stop.abort()
    expect((await waiting).done).toBe(true)
  })
}
