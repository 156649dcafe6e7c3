import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EngineAway, RevisionConflict } from '#application/ports/event-store.ts'
import type {
  EventStore,
  JsonObject,
  NewEvent,
  Position,
  RecordedEvent,
} from '#application/ports/event-store.ts'

/** What engines may do differently; everything else is the same for all. */
export interface EventStoreTraits {
  /**
   * Whether ids that stand in the log already are refused at any other place. EventStoreDB compares ids only
   * where an append would land and writes them again elsewhere.
   */
  readonly idsAreUnique: boolean
}

/** A fresh event; `n` stands in its data. */
export const someEvent = (n: number, data: JsonObject = {}): NewEvent => ({
  id: randomUUID(),
  type: 'ArtworkPriceChanged',
  schemaVersion: 1,
  occurredAt: '2026-03-04T05:06:07.089Z',
  meta: {
    correlationId: `request-${n}`,
    causationId: `command-${n}`,
    commandId: `command-${n}`,
    actor: { kind: 'owner', accountId: 'account-1' },
  },
  data: { n, ...data },
})

/** A stream name nobody used before: servers are shared by many tests. */
export const freshStream = (): string => `artwork-${randomUUID()}`

/** All of an event but its position. */
const plain = (event: RecordedEvent): Omit<RecordedEvent, 'position'> => {
  const { stream, revision, id, type, schemaVersion, occurredAt, meta, data } = event
  return { stream, revision, id, type, schemaVersion, occurredAt, meta, data }
}

const numbers = (events: readonly RecordedEvent[]): unknown[] => events.map((event) => event.data['n'])

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

/** The rules every log obeys. Each test uses streams of its own, so that the log may be shared. */
export const eventStoreContract = (
  name: string,
  open: () => Promise<{ readonly store: EventStore; readonly close: () => Promise<void> }>,
  traits: EventStoreTraits,
): void => {
  describe(`event store: ${name}`, () => {
    let store: EventStore
    let close: () => Promise<void>
    beforeAll(async () => {
      ;({ store, close } = await open())
    })
    afterAll(async () => close())

    it('gives back what was appended, with its place', async () => {
      const stream = freshStream()
      const events = [someEvent(1), someEvent(2)]
      const result = await store.append(stream, 'no-stream', events)
      expect(result.revision).toBe(1)
      const read = await store.readStream(stream, 0)
      expect(read.map(plain)).toEqual(events.map((event, revision) => ({ ...event, stream, revision })))
      expect(read[1]?.position).toBe(result.position)
    })

    it('keeps every kind of actor and all of the metadata', async () => {
      const stream = freshStream()
      const actors = [
        { kind: 'owner', accountId: 'a "quoted" id' },
        { kind: 'visitor' },
        { kind: 'system', name: 'blog-sync' },
      ] as const
      const events = actors.map((actor, n) => ({ ...someEvent(n), meta: { ...someEvent(n).meta, actor } }))
      await store.append(stream, 'no-stream', events)
      expect((await store.readStream(stream, 0)).map((event) => event.meta)).toEqual(
        events.map((event) => event.meta),
      )
    })

    it('answers an unknown stream with nothing', async () => {
      expect(await store.readStream(freshStream(), 0)).toEqual([])
    })

    it('reads a stream from a revision on, oldest first', async () => {
      const stream = freshStream()
      await store.append(stream, 'no-stream', [someEvent(0), someEvent(1), someEvent(2)])
      expect(numbers(await store.readStream(stream, 1))).toEqual([1, 2])
      expect(await store.readStream(stream, 3)).toEqual([])
    })

    it('refuses a stream that must not exist the second time, and says where it stands', async () => {
      const stream = freshStream()
      await store.append(stream, 'no-stream', [someEvent(0), someEvent(1)])
      const refused = await store.append(stream, 'no-stream', [someEvent(9)]).catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(RevisionConflict)
      expect(refused).toMatchObject({ stream, expected: 'no-stream', actual: 1 })
      expect(numbers(await store.readStream(stream, 0))).toEqual([0, 1])
    })

    it('refuses a revision of a stream that is not there', async () => {
      const stream = freshStream()
      const refused = await store.append(stream, 0, [someEvent(9)]).catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(RevisionConflict)
      expect(refused).toMatchObject({ expected: 0, actual: 'no-stream' })
      expect(await store.readStream(stream, 0)).toEqual([])
    })

    it.each([
      ['behind', 0],
      ['ahead', 7],
    ])('refuses a revision %s, and says the true one', async (_, expected) => {
      const stream = freshStream()
      await store.append(stream, 'no-stream', [someEvent(0), someEvent(1), someEvent(2)])
      const refused = await store.append(stream, expected, [someEvent(9)]).catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(RevisionConflict)
      expect(refused).toMatchObject({ expected, actual: 2 })
      expect(await store.readStream(stream, 0)).toHaveLength(3)
    })

    it('lets exactly one of many racers win', async () => {
      const stream = freshStream()
      await store.append(stream, 'no-stream', [someEvent(0)])
      const racers = await Promise.allSettled(
        Array.from({ length: 10 }, (_, n) => store.append(stream, 0, [someEvent(n + 1)])),
      )
      expect(racers.filter((racer) => racer.status === 'fulfilled')).toHaveLength(1)
      const lost = racers.filter((racer) => racer.status === 'rejected')
      expect(lost.every((racer) => racer.reason instanceof RevisionConflict)).toBe(true)
      expect(await store.readStream(stream, 0)).toHaveLength(2)
    })

    it('lets appends to different streams all succeed at once', async () => {
      const streams = Array.from({ length: 40 }, freshStream)
      const results = await Promise.all(
        streams.map((stream, n) => store.append(stream, 'no-stream', [someEvent(n)])),
      )
      expect(new Set(results.map((result) => result.position)).size).toBe(40)
      for (const stream of streams) expect(await store.readStream(stream, 0)).toHaveLength(1)
    })

    it('answers the same ids at the same revision as the first time, also when the stream went on', async () => {
      const stream = freshStream()
      const events = [someEvent(1), someEvent(2)]
      await store.append(stream, 'no-stream', [someEvent(0)])
      const first = await store.append(stream, 0, events)
      expect(await store.append(stream, 0, events)).toEqual(first)
      await store.append(stream, 2, [someEvent(3)])
      expect(await store.append(stream, 0, events)).toEqual(first)
      expect(numbers(await store.readStream(stream, 0))).toEqual([0, 1, 2, 3])
    })

    it('answers the same first batch again as the first time', async () => {
      const stream = freshStream()
      const events = [someEvent(0), someEvent(1)]
      const first = await store.append(stream, 'no-stream', events)
      expect(await store.append(stream, 'no-stream', events)).toEqual(first)
      expect(await store.readStream(stream, 0)).toHaveLength(2)
    })

    it('writes once when two copies of one append are sent at once', async () => {
      const stream = freshStream()
      const events = [someEvent(0), someEvent(1)]
      const answers = await Promise.allSettled([
        store.append(stream, 'no-stream', events),
        store.append(stream, 'no-stream', events),
      ])
      const answered = answers.filter((answer) => answer.status === 'fulfilled').map((answer) => answer.value)
      const failed = answers.filter((answer) => answer.status === 'rejected').map((answer) => answer.reason)
      expect(answered.length).toBeGreaterThan(0)
      expect(new Set(answered.map((answer) => answer.revision))).toEqual(new Set([1]))
      // a server may leave the second copy without an answer: an unknown outcome, never a conflict
      expect(failed.every((reason) => reason instanceof EngineAway)).toBe(true)
      expect(await store.readStream(stream, 0)).toHaveLength(2)
    })

    it('takes a batch that is there only in part for a conflict', async () => {
      const stream = freshStream()
      const first = someEvent(0)
      await store.append(stream, 'no-stream', [first])
      const refused = await store
        .append(stream, 'no-stream', [first, someEvent(1)])
        .catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(RevisionConflict)
      expect(refused).toMatchObject({ expected: 'no-stream', actual: 0 })
      expect(await store.readStream(stream, 0)).toHaveLength(1)
    })

    it('treats known ids at the tip as its traits say: callers look before they send anew', async () => {
      const stream = freshStream()
      const event = someEvent(0)
      await store.append(stream, 'no-stream', [event])
      const again = await store.append(stream, 0, [event]).then(
        ({ revision }) => `written at ${revision}`,
        (error: unknown) => `refused as ${error instanceof RevisionConflict ? 'a conflict' : 'a mistake'}`,
      )
      expect(again).toBe(traits.idsAreUnique ? 'refused as a mistake' : 'written at 1')
      expect(await store.readStream(stream, 0)).toHaveLength(traits.idsAreUnique ? 1 : 2)
    })

    it.each([
      ['an empty batch', freshStream(), []],
      ['a stream without a name', '', [someEvent(0)]],
      ['an event without a type', freshStream(), [{ ...someEvent(0), type: '' }]],
      ['an id that is no UUID', freshStream(), [{ ...someEvent(0), id: 'one' }]],
      // the type forbids it, JavaScript does not
      ['a bigint', freshStream(), [someEvent(0), someEvent(1, { n: 1n } as unknown as JsonObject)]],
      ['more than 1 MiB', freshStream(), [someEvent(0), someEvent(1, { text: 'x'.repeat(1_048_576) })]],
    ])('refuses %s, writes nothing and goes on', async (_, stream, events) => {
      const refused = await store.append(stream, 'no-stream', events).catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(Error)
      expect(refused).not.toBeInstanceOf(EngineAway)
      expect(refused).not.toBeInstanceOf(RevisionConflict)
      if (stream !== '') {
        expect(await store.readStream(stream, 0)).toEqual([])
        await store.append(stream, 'no-stream', [someEvent(0)])
      }
    })

    it('keeps every text and number as it was', async () => {
      const stream = freshStream()
      const data = {
        emoji: '🖼️ 👩🏽‍🎨',
        script: 'राग ₹1,25,000',
        control: 'a\u0000b\n"\\',
        empty: '',
        nothing: null,
        yes: true,
        whole: 9_007_199_254_740_991,
        part: 0.1,
        small: -1e-7,
        list: [1, 'two', null, { three: [] }],
        'key.with-dots $': 1,
      }
      await store.append(stream, 'no-stream', [someEvent(0, data)])
      expect((await store.readStream(stream, 0))[0]?.data).toEqual({ n: 0, ...data })
    })

    it('treats a date as its text and an undefined field as absent, as JSON does', async () => {
      const stream = freshStream()
      const odd = { at: new Date('2026-01-02T03:04:05.678Z'), gone: undefined } as unknown as JsonObject // as JavaScript may
      await store.append(stream, 'no-stream', [someEvent(0, odd)])
      expect((await store.readStream(stream, 0))[0]?.data).toEqual({ n: 0, at: '2026-01-02T03:04:05.678Z' })
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
      for (const taken of [...subscribers, late])
        expect((await taken).map((event) => event.id)).toEqual(order)
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
  })
}
