import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import {
  EngineAway,
  UnknownPosition,
  type EventStore,
  type Position,
} from '#application/kernel/ports/event-store.ts'
import { freshStream, someEvent } from '../../testing/contracts/some-events.ts'
import { type Door, doorTo } from '../testing/door.ts'
import { describeOnServers } from '../testing/servers.ts'
import { openEventStore } from './event-store.ts'

const quiet = { warn: () => undefined }
const timeouts = { answerMs: 300, giveUpMs: 800 }

await describeOnServers('EventStoreDB behind a door', ['eventstore'], ({ eventstore: { url } }) => {
  let door: Door
  let store: EventStore
  /** On the same events, past the door, for what has to be answered. */
  let patient: EventStore
  const namespace = `t${randomUUID().slice(0, 8)}`
  beforeAll(async () => {
    door = await doorTo(url)
    store = openEventStore({ address: door.url, namespace, log: quiet, timeouts, silenceMs: 300 })
    const long = { answerMs: 5_000, giveUpMs: 30_000 }
    patient = openEventStore({ address: url, namespace, log: quiet, timeouts: long })
  })
  afterAll(async () => {
    await store.close()
    await patient.close()
    await door.close()
  })
  afterEach(() => door.thaw())

  /** Whether a call says in words that the log is away, long before a test or a person gives up. */
  const expectAway = async (call: Promise<unknown>): Promise<void> => {
    const refused = await call.catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(EngineAway)
    expect(String(refused)).toContain('The event log does not answer')
  }

  const expectBack = async (): Promise<void> => {
    const stream = freshStream()
    // one that was not answered in time may have been written: it is sent again as itself
    const event = someEvent(1)
    const again = <Result>(call: () => Promise<Result>) =>
      expect.poll(() => call().catch((error: unknown) => error))
    await again(() => store.append(stream, 'no-stream', [event])).toMatchObject({ revision: 0 })
    await again(() => store.readStream(stream, 0)).toHaveLength(1)
  }

  it('says that the log is away when it is shut, and works again when it opens', async () => {
    await expectBack()
    await door.shut()
    await expectAway(store.append(freshStream(), 'no-stream', [someEvent(1)]))
    await expectAway(store.readStream(freshStream(), 0))
    await expectAway(store.readAll(null, 10))
    await expectAway(store.head())
    await door.open()
    await expectBack()
  })

  it('says so too when the server takes connections and never answers', async () => {
    door.freeze()
    await expectAway(store.append(freshStream(), 'no-stream', [someEvent(1)]))
    await expectAway(store.readStream(freshStream(), 0))
    await expectAway(store.head())
    door.thaw()
    await expectBack()
  })

  it('has a writer wait no longer than that for a server that never answers', async () => {
    const slow = openEventStore({
      address: door.url,
      namespace,
      log: quiet,
      timeouts: { answerMs: 4_000, giveUpMs: 4_000 },
    })
    const stream = freshStream()
    await slow.append(stream, 'no-stream', [someEvent(1)])
    door.freeze()
    const refused = slow.append(stream, 0, [someEvent(2)]).catch((error: unknown) => error)
    expect(await Promise.race([refused, pause(5_500, 'still waiting')])).toBeInstanceOf(EngineAway)
    door.thaw()
    await slow.close()
  })

  it('loses and doubles nothing that was acknowledged, and delivers all of it once, while doors slam', async () => {
    await expectBack()
    const head = await patient.head()
    const acknowledged: string[] = []
    const seen: string[] = []
    let writing = true
    const stop = new AbortController()
    const subscriber = (async () => {
      for await (const batch of store.subscribe(head, { limit: 20, signal: stop.signal }))
        seen.push(...batch.map((event) => event.id))
    })()
    const writers = Array.from({ length: 8 }, async () => {
      const stream = freshStream()
      let revision: 'no-stream' | number = 'no-stream'
      while (writing) {
        const event = someEvent(acknowledged.length)
        // what is not acknowledged is sent again, as a person would: the same at the same place
        for (;;) {
          const result: unknown = await store
            .append(stream, revision, [event])
            .catch((error: unknown) => error)
          if (result instanceof EngineAway) continue
          if (result instanceof Error) throw result
          revision = (result as { revision: number }).revision
          acknowledged.push(event.id)
          break
        }
        await pause(5)
      }
    })
    for (const how of ['shut', 'freeze', 'shut'] as const) {
      const before = acknowledged.length
      await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 50)
      if (how === 'shut') await door.shut()
      else door.freeze()
      await pause(600)
      if (how === 'shut') await door.open()
      else door.thaw()
    }
    const before = acknowledged.length
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 50)
    writing = false
    await Promise.all(writers)
    await expect.poll(() => seen.length).toBe(acknowledged.length)
    stop.abort()
    await subscriber
    const written = (await patient.readAll(head, 100_000)).map((event) => event.id)
    expect(written).toHaveLength(acknowledged.length)
    expect(new Set(written)).toEqual(new Set(acknowledged))
    expect(seen).toEqual(written)
  })

  it('refuses loudly to go on from where the log has never been', async () => {
    const beyond = 'ffffffffffffff-ffffffffffffff'.replace(/f{14}/g, '00ffffffffffffff') as Position
    const read = async (position: Position): Promise<void> => {
      const subscription = store.subscribe(position, { limit: 10, signal: new AbortController().signal })
      for await (const batch of subscription) expect.unreachable(`${batch.length} events`)
    }
    await expect(read(beyond)).rejects.toThrow('beyond the end of the event log')
    await expect(patient.readAll(beyond, 10)).rejects.toBeInstanceOf(UnknownPosition)
    await expect(read('0000000000000012' as Position)).rejects.toThrow('made by another engine')
  })
})
