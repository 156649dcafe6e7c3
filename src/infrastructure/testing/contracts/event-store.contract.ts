import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  EngineAway,
  RevisionConflict,
  type EventStore,
  type JsonObject,
  type RecordedEvent,
} from '#application/kernel/ports/event-store.ts'
import { eventOrderRules } from './event-order.contract.ts'
import { freshStream, numbers, someEvent } from './some-events.ts'

/** What engines may do differently; everything else is the same for all. */
export interface EventStoreTraits {
  /**
   * Whether ids that stand in the log already are refused at any other place. EventStoreDB compares ids only
   * where an append would land and writes them again elsewhere.
   */
  readonly idsAreUnique: boolean
}

/** All of an event but its position. */
const plain = (event: RecordedEvent): Omit<RecordedEvent, 'position'> => {
  const { stream, revision, id, type, schemaVersion, occurredAt, meta, data } = event
  return { stream, revision, id, type, schemaVersion, occurredAt, meta, data }
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

    it('reads no more of a stream than it is asked for', async () => {
      const stream = freshStream()
      await store.append(stream, 'no-stream', [someEvent(0), someEvent(1), someEvent(2)])
      expect(numbers(await store.readStream(stream, 0, 2))).toEqual([0, 1])
      expect(numbers(await store.readStream(stream, 2, 2))).toEqual([2])
    })

    it('ends a page of the log where its events are long, and goes on behind it', async () => {
      const [stream, long] = [freshStream(), 'x'.repeat(400_000)]
      const all = Array.from({ length: 48 }, (_, n) => n)
      let position = await store.head()
      for (const n of all) await store.append(stream, n === 0 ? 'no-stream' : n - 1, [someEvent(n, { long })])
      const pages: unknown[][] = []
      for (;;) {
        const events = await store.readAll(position, 1_000)
        const last = events.at(-1)
        if (last === undefined) break
        ;({ position } = last)
        pages.push(numbers(events.filter((event) => event.stream === stream)))
      }
      expect(pages.flat()).toEqual(all)
      expect(Math.max(...pages.map(({ length }) => length))).toBeLessThan(all.length)
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
      ['as much in a script of three bytes', freshStream(), [someEvent(0, { text: 'क'.repeat(349_526) })]],
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

    eventOrderRules(() => store)
  })
}
