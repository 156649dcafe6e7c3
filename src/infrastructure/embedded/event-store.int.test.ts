import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import {
  DiskFull,
  EngineAway,
  RevisionConflict,
  UnknownPosition,
  type Position,
  type RecordedEvent,
} from '#application/kernel/ports/event-store.ts'
import { eventStoreContract } from '../testing/contracts/event-store.contract.ts'
import { freshStream, someEvent } from '../testing/contracts/some-events.ts'
import { openDatabase, type Database } from './database.ts'
import { openEventStore } from './event-store.ts'

const open = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-log-'))
  const path = join(folder, 'atelier.db')
  const database = openDatabase(path)
  const store = openEventStore(database)
  const close = async () => {
    await store.close()
    database.close()
    await rm(folder, { recursive: true })
  }
  return { path, database, store, close }
}

eventStoreContract('embedded', open, { idsAreUnique: true })

describe('the embedded log', () => {
  const opened: { close: () => Promise<void> }[] = []
  const fresh = async () => {
    const one = await open()
    opened.push(one)
    return one
  }
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close()
  })

  const fill = (database: Database, pages: number) => database.exec(`PRAGMA max_page_count = ${pages}`)

  it('has no head while it is empty', async () => {
    const { store } = await fresh()
    expect(await store.head()).toBeNull()
    expect(await store.readAll(null, 10)).toEqual([])
  })

  it('reads what stands beside a text that has rotted, and hands that on in a form that nobody takes', async () => {
    const { store, database } = await fresh()
    await store.append('artwork-1', 'no-stream', [someEvent(1), someEvent(2), someEvent(3)])
    for (const [revision, text] of ['{"from":', 'null', '7'].entries())
      database.exec(`UPDATE events SET data = '${text}', meta = '${text}' WHERE revision = ${revision}`)
    await store.append('artwork-1', 2, [someEvent(4)])
    const all = await store.readAll(null, 10)
    expect(all.map(({ data }) => data)).toEqual([
      { damaged: '{"from":' },
      { damaged: 'null' },
      { damaged: '7' },
      someEvent(4).data,
    ])
    expect(all[0]?.meta).toEqual({ damaged: '{"from":' })
  })

  it('lets others have their turn between two pages, also where few events fill one', async () => {
    const { store } = await fresh()
    const long = { ...someEvent(0), data: { text: 'x'.repeat(200_000) } }
    const streams = Array.from({ length: 80 }, (_, n) => `artwork-${n}`)
    for (const stream of streams) await store.append(stream, 'no-stream', [{ ...long, id: randomUUID() }])
    let turns = 0
    const others = (): void => {
      turns += 1
      next = setImmediate(others)
    }
    let next = setImmediate(others)
    const turnsBehind: number[] = []
    for (let after: Position | null = null; ; ) {
      const page: readonly RecordedEvent[] = await store.readAll(after, 500)
      const last = page.at(-1)
      if (!last) break
      turnsBehind.push(turns)
      after = last.position
    }
    clearImmediate(next)
    const [first = 0, second = 0, ...more] = turnsBehind
    expect([first > 0, second > first, more.length]).toEqual([true, true, 1])
  })

  it('keeps everything when it is opened again', async () => {
    const { store, path } = await fresh()
    const { position } = await store.append('artwork-1', 'no-stream', [someEvent(1)])
    await store.close()
    const again = openDatabase(path)
    const reopened = openEventStore(again)
    expect(await reopened.head()).toBe(position)
    expect((await reopened.append('artwork-1', 0, [someEvent(2)])).revision).toBe(1)
    again.close()
  })

  it('makes one conflict of a group fail alone, and tells the true revision within the group', async () => {
    const { store } = await fresh()
    const stream = freshStream()
    const results = await Promise.allSettled([
      store.append(stream, 'no-stream', [someEvent(0)]),
      store.append(stream, 'no-stream', [someEvent(1)]),
      store.append(stream, 0, [someEvent(2)]),
      store.append(freshStream(), 'no-stream', [someEvent(3)]),
    ])
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ])
    expect(results[1]).toMatchObject({ reason: { actual: 0 } })
    expect(results[1]?.status === 'rejected' && results[1].reason).toBeInstanceOf(RevisionConflict)
    expect(await store.readAll(null, 10)).toHaveLength(3)
  })

  it('refuses a known id in any stream by its name, and writes nothing of that append', async () => {
    const { store } = await fresh()
    const [stream, other] = [freshStream(), freshStream()]
    const event = someEvent(0)
    await store.append(stream, 'no-stream', [event])
    await expect(store.append(stream, 0, [someEvent(1), event])).rejects.toThrow(event.id)
    await expect(store.append(other, 'no-stream', [someEvent(1), event])).rejects.toThrow(event.id)
    expect(await store.readAll(null, 10)).toHaveLength(1)
  })

  it('commits a group of appends at once', async () => {
    const { store, database } = await fresh()
    let commits = 0
    const counted = openEventStore({
      ...database,
      transaction: (durability, work) => {
        commits += 1
        expect(durability).toBe('durable')
        return database.transaction(durability, work)
      },
    })
    await Promise.all(
      Array.from({ length: 64 }, (_, n) => counted.append(freshStream(), 'no-stream', [someEvent(n)])),
    )
    expect(commits).toBe(1)
    expect(await store.readAll(null, 100)).toHaveLength(64)
  })

  it('never gives a position twice, also after the newest events are gone', async () => {
    const { store, database } = await fresh()
    const first = await store.append('artwork-1', 'no-stream', [someEvent(0)])
    database.exec('DELETE FROM events')
    const second = await store.append('artwork-1', 'no-stream', [someEvent(1)])
    expect(second.position > first.position).toBe(true)
  })

  it('says that the disk is full, keeps nothing of the group, and goes on when there is room', async () => {
    const { store, database } = await fresh()
    const stream = freshStream()
    await store.append(stream, 'no-stream', [someEvent(0)])
    fill(database, 1)
    const big = { text: 'x'.repeat(500_000) }
    const results = await Promise.allSettled([
      store.append(stream, 0, [someEvent(1)]),
      store.append(freshStream(), 'no-stream', [someEvent(2, big), someEvent(3, big)]),
    ])
    for (const result of results)
      expect(result.status === 'rejected' && result.reason).toBeInstanceOf(DiskFull)
    expect(await store.readAll(null, 10)).toHaveLength(1)
    fill(database, 1_000_000)
    expect((await store.append(stream, 0, [someEvent(1)])).revision).toBe(1)
  })

  it('refuses a position of another engine in words', async () => {
    const { store } = await fresh()
    await expect(store.readAll('C:12/P:12' as Position, 10)).rejects.toThrow('made by another engine') // as a moved site may hand over
  })

  it('refuses loudly to go on from where the log has never been', async () => {
    const { store } = await fresh()
    const { position } = await store.append('artwork-1', 'no-stream', [someEvent(0)])
    expect(await store.readAll(position, 10)).toEqual([])
    const beyond = position.replace(/.$/, '9') as Position // as read models kept from a newer copy would ask
    await expect(store.readAll(beyond, 10)).rejects.toBeInstanceOf(UnknownPosition)
    const options = { limit: 10, signal: new AbortController().signal }
    const read = store.subscribe(beyond, options)[Symbol.asyncIterator]().next()
    await expect(read).rejects.toThrow('beyond the end of the event log')
  })

  it('writes what was asked for before it closes, then answers that it is away', async () => {
    const { store, path } = await fresh()
    const last = store.append('artwork-1', 'no-stream', [someEvent(0)])
    const waiting = store
      .subscribe(null, { limit: 10, signal: new AbortController().signal })
      [Symbol.asyncIterator]()
    await store.close()
    await last
    await expect(store.append('artwork-1', 0, [someEvent(1)])).rejects.toBeInstanceOf(EngineAway)
    expect((await waiting.next()).done).toBe(true)
    const again = openDatabase(path)
    expect(await openEventStore(again).readAll(null, 10)).toHaveLength(1)
    again.close()
  })
})
