import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import {
  RevisionConflict,
  type EventStore,
  type RecordedEvent,
} from '#application/kernel/ports/event-store.ts'
import { freshStream, someEvent } from '../../testing/contracts/some-events.ts'
import { describeOnServers } from '../testing/servers.ts'
import { openEventStore } from './event-store.ts'
import type { Timeouts } from './reading.ts'

const quiet = { warn: () => undefined }
const timeouts = { answerMs: 400, giveUpMs: 10_000 }

const numbers = (events: readonly RecordedEvent[]): unknown[] => events.map((event) => event.data['n'])

await describeOnServers('EventStoreDB that fails', ['eventstore'], ({ eventstore: { url, controlUrl } }) => {
  const why = controlUrl === null ? ' (skipped: EVENTSTORE_CONTROL_URL is not set, nobody takes orders)' : ''

  describe.skipIf(controlUrl === null)(`on order${why}`, () => {
    const opened: EventStore[] = []
    const namespace = `t${randomUUID().slice(0, 8)}`
    const open = (its: Timeouts = timeouts): EventStore => {
      const store = openEventStore({ address: url, namespace, log: quiet, timeouts: its, silenceMs: 500 })
      opened.push(store)
      return store
    }
    /** Faults of appends hit this suite's own: others may use the server at the same time. */
    const order = async (fault: object): Promise<void> => {
      const body = JSON.stringify({ ...fault, stream: `${namespace}:` })
      const answer = await fetch(`${controlUrl}/fault`, { method: 'POST', body })
      expect(answer.status).toBe(200)
    }
    afterEach(async () => {
      await fetch(`${controlUrl}/fault`, { method: 'DELETE' })
      for (const store of opened.splice(0)) await store.close()
    })

    /** A store that has appended before: the library asks the server for its features first. */
    const warm = async (its: Timeouts = timeouts): Promise<EventStore> => {
      const store = open(its)
      await store.append(freshStream(), 'no-stream', [someEvent(0)])
      return store
    }

    /** Until an append is answered within a timeout that a busy machine may use up. */
    const untilTaken = (store: EventStore) =>
      expect
        .poll(() => store.append(freshStream(), 'no-stream', [someEvent(0)]).catch((error: unknown) => error))
        .toMatchObject({ revision: 0 })

    it.each([
      ['is lost', { kind: 'lose-answer' }],
      ['says that it timed out, though it was written', { kind: 'timeout-answer', ms: 20 }],
      ['says that it timed out, and nothing was written', { kind: 'timeout-answer', ms: 20, write: false }],
      ['comes too late', { kind: 'delay', ms: 700 }],
    ])('an append whose answer %s is there once', async (_, fault) => {
      const store = await warm()
      const stream = freshStream()
      await order({ ...fault, count: 1 })
      const { revision, position } = await store.append(stream, 'no-stream', [someEvent(1), someEvent(2)])
      expect(revision).toBe(1)
      const read = await store.readStream(stream, 0)
      expect(numbers(read)).toEqual([1, 2])
      expect(read.at(-1)?.position).toBe(position)
      // the late answer finds nobody and harms nobody
      await store.append(stream, 1, [someEvent(3)])
      expect(numbers(await store.readStream(stream, 0))).toEqual([1, 2, 3])
    })

    it('says a conflict when another won while nothing was written', async () => {
      // given up and sent again too early, the first might win
      const store = await warm({ answerMs: 20_000, giveUpMs: 20_000 })
      const stream = freshStream()
      // the first is answered after its timer has run out, and is sent again after the second
      await order({ kind: 'timeout-answer', ms: 300, write: false, count: 1 })
      const first = store.append(stream, 'no-stream', [someEvent(1)]).catch((error: unknown) => error)
      await store.append(stream, 'no-stream', [someEvent(2)])
      expect(await first).toBeInstanceOf(RevisionConflict)
      expect(numbers(await store.readStream(stream, 0))).toEqual([2])
    })

    it('appends of which many lose their answers are there once each', async () => {
      const store = await warm()
      const streams = Array.from({ length: 8 }, freshStream)
      await order({ kind: 'lose-answer', count: 5 })
      const results = await Promise.all(
        streams.map((stream, n) => store.append(stream, 'no-stream', [someEvent(n)])),
      )
      expect(results.map(({ revision }) => revision)).toEqual(streams.map(() => 0))
      for (const [n, stream] of streams.entries())
        expect(numbers(await store.readStream(stream, 0))).toEqual([n])
    })

    it.each(['status', 'reset'])('appends that a %s cuts off together are there once each', async (how) => {
      const store = await warm()
      const streams = Array.from({ length: 40 }, freshStream)
      await order({ kind: 'cut-batch-append', count: 10, how })
      const results = await Promise.all(
        streams.map((stream, n) => store.append(stream, 'no-stream', [someEvent(n), someEvent(n)])),
      )
      expect(results.map(({ revision }) => revision)).toEqual(streams.map(() => 1))
      for (const [n, stream] of streams.entries())
        expect(numbers(await store.readStream(stream, 0))).toEqual([n, n])
    })

    it('lets those in line go when no append is answered, and says in time that the log is away', async () => {
      const hasty = openEventStore({
        address: url,
        namespace,
        log: quiet,
        timeouts: { answerMs: 300, giveUpMs: 300 },
      })
      opened.push(hasty)
      await untilTaken(hasty)
      await order({ kind: 'timeout-answer', ms: 60_000, write: false, count: 1_000 })
      const streams = Array.from({ length: 60 }, freshStream)
      const results = await Promise.allSettled(
        streams.map((stream, n) => hasty.append(stream, 'no-stream', [someEvent(n)])),
      )
      for (const result of results) expect(result).toMatchObject({ reason: { name: 'EngineAway' } })
      await fetch(`${controlUrl}/fault`, { method: 'DELETE' })
      await untilTaken(hasty)
    })

    it('answers in another order reach those who asked', async () => {
      const store = await warm()
      const [one, other] = [freshStream(), freshStream()]
      await store.append(other, 'no-stream', [someEvent(0)])
      await order({ kind: 'reorder', count: 2 })
      const results = await Promise.all([
        store.append(one, 'no-stream', [someEvent(1)]),
        store.append(other, 0, [someEvent(2)]),
      ])
      expect(results.map(({ revision }) => revision)).toEqual([0, 1])
    })

    it('waits for a server that is starting', async () => {
      const store = open()
      await order({ kind: 'not-ready', ms: 800 })
      const stream = freshStream()
      await store.append(stream, 'no-stream', [someEvent(1)])
      expect(numbers(await store.readStream(stream, 0))).toEqual([1])
    })

    it('takes another client when the first question of one is never answered', async () => {
      const store = open()
      await order({ kind: 'silent-probe', count: 1 })
      const stream = freshStream()
      await store.append(stream, 'no-stream', [someEvent(1)])
      expect(numbers(await store.readStream(stream, 0))).toEqual([1])
    })

    it('goes on after a server that stood still, with each append there once', async () => {
      const store = await warm()
      const streams = Array.from({ length: 40 }, freshStream)
      await order({ kind: 'freeze', ms: 1_500 })
      await Promise.all(streams.map((stream, n) => store.append(stream, 'no-stream', [someEvent(n)])))
      for (const [n, stream] of streams.entries())
        expect(numbers(await store.readStream(stream, 0))).toEqual([n])
    })

    it.each(['status', 'reset'])(
      'subscribes again after a %s, without a gap or a repetition',
      async (how) => {
        const store = await warm()
        const stream = freshStream()
        const stop = new AbortController()
        const seen: unknown[] = []
        const head = await store.head()
        const subscriber = (async () => {
          for await (const batch of store.subscribe(head, { limit: 5, signal: stop.signal })) {
            seen.push(...numbers(batch))
            if (seen.length >= 60) stop.abort()
          }
        })()
        for (let n = 0; n < 60; n++) {
          await store.append(stream, n === 0 ? 'no-stream' : n - 1, [someEvent(n)])
          if (n % 20 === 10) await order({ kind: 'drop-subscriptions', how })
        }
        await subscriber
        expect(seen).toEqual(Array.from({ length: 60 }, (_, n) => n))
      },
    )
  })
})
