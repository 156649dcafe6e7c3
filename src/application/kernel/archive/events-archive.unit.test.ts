import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exportEvents, statsOf } from './export-events.ts'
import { checkExport, idsOnce, importEvents } from './import-events.ts'
import { foreignType, type NewEvent } from '../ports/event-store.ts'
import { memoryEventStore } from '../../testing/memory-event-store.ts'

const someEvent = (n: number): NewEvent => ({
  id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  type: 'ArtworkRetitled',
  schemaVersion: 1,
  occurredAt: '2026-03-04T05:06:07.089Z',
  meta: { correlationId: 'r', causationId: 'c', commandId: 'c', actor: { kind: 'visitor' } },
  data: { from: 'a', to: `title ${n} \u2028 आशा` },
})

const foreignEvent = (n: number): NewEvent => ({
  ...someEvent(n),
  type: foreignType,
  data: { type: 'OrderPlaced' },
})

/** A log of `count` events on three streams that take turns. */
const someLog = async (count: number) => {
  const store = memoryEventStore()
  for (let n = 0; n < count; n += 1) {
    const revision = Math.floor(n / 3)
    await store.append(`artwork-${n % 3}`, revision === 0 ? 'no-stream' : revision - 1, [someEvent(n)])
  }
  return store
}

type Log = Awaited<ReturnType<typeof someLog>>

const exported = async (store: Log): Promise<string> => {
  const pieces: string[] = []
  for await (const piece of exportEvents(store, await store.head())) pieces.push(piece)
  return pieces.join('')
}

const linesOf = async function* (text: string): AsyncGenerator<string> {
  yield* text.split('\n').slice(0, -1)
}

describe('the export of a log', () => {
  it('ends with the count and the checksum of the lines before', async () => {
    const lines = (await exported(await someLog(7))).split('\n')
    expect(lines).toHaveLength(9)
    const sha256 = createHash('sha256')
      .update(`${lines.slice(0, 7).join('\n')}\n`)
      .digest('hex')
    expect(lines.slice(7)).toEqual([`{"events":7,"sha256":"${sha256}"}`, ''])
  })

  it('of an empty log is its last line alone', async () => {
    const text = await exported(memoryEventStore())
    expect(text).toBe(`{"events":0,"sha256":"${createHash('sha256').digest('hex')}"}\n`)
    expect(await checkExport(linesOf(text))).toMatchObject({ events: 0 })
    expect(await importEvents(memoryEventStore(), linesOf(text))).toEqual({ before: 0, added: 0 })
  })

  it('holds nothing that was appended after it began, and is told how far it is', async () => {
    const store = await someLog(450)
    const head = await store.head()
    const seen: number[] = []
    let text = ''
    for await (const piece of exportEvents(store, head, { onProgress: ({ events }) => seen.push(events) })) {
      text += piece
      await store.append(`later-${text.length}`, 'no-stream', [someEvent(900 + text.length)])
    }
    expect(store.events.length).toBeGreaterThan(450)
    expect(text).not.toContain('later-')
    expect(await checkExport(linesOf(text))).toMatchObject({ events: 450 })
    expect(seen).toEqual([200, 400, 450])
  })

  it('is without what another program wrote into the streams, as if it had never been there', async () => {
    const store = await someLog(7)
    const before = await exported(store)
    const at = (stream: string, revision: number, n: number, event = someEvent(n)) =>
      store.append(stream, revision, [event])
    await at('artwork-0', 2, 100, foreignEvent(100))
    await at('artwork-1', 1, 101, foreignEvent(101))
    expect(await exported(store)).toBe(before)
    await at('artwork-0', 3, 7)
    await at('artwork-0', 4, 102, foreignEvent(102))
    await at('artwork-0', 5, 8)
    await at('artwork-2', 1, 9)
    const text = await exported(store)
    const other = memoryEventStore()
    expect(await importEvents(other, linesOf(text))).toEqual({ before: 0, added: 10 })
    expect(other.events.slice(7)).toMatchObject([
      { stream: 'artwork-0', revision: 3, data: { to: 'title 7 \u2028 आशा' } },
      { stream: 'artwork-0', revision: 4 },
      { stream: 'artwork-2', revision: 2 },
    ])
    // What is imported there again is known.
    await expect(importEvents(store, linesOf(text))).resolves.toEqual({ before: 10, added: 0 })
    expect(await statsOf(store, await store.head())).toEqual(await statsOf(other, await other.head()))
  })

  it('hides no event that is lost behind another program’s', async () => {
    const store = await someLog(1)
    await store.append('artwork-0', 0, [foreignEvent(100)])
    await store.append('artwork-0', 1, [someEvent(1), someEvent(2)])
    store.events.splice(2, 1)
    await expect(checkExport(linesOf(await exported(store)))).rejects.toThrow(
      'Line 2 is event 2 of artwork-0, but 1 comes next',
    )
  })

  it('stops when it is told to', async () => {
    const store = await someLog(5)
    const stopped = exportEvents(store, await store.head(), {
      signal: AbortSignal.abort(new Error('Stopped.')),
    })
    await expect(stopped.next()).rejects.toThrow('Stopped.')
  })
})

describe('an import', () => {
  it('gives a log that is exported to the same bytes', async () => {
    const text = await exported(await someLog(1_234))
    const other = memoryEventStore()
    expect(await importEvents(other, linesOf(text))).toEqual({ before: 0, added: 1_234 })
    expect(await exported(other)).toBe(text)
  })

  it('keeps the order of streams that take turns and puts neighbours into one append', async () => {
    const store = memoryEventStore()
    await store.append('artwork-1', 'no-stream', [1, 2, 3].map(someEvent))
    await store.append('artwork-2', 'no-stream', [someEvent(4)])
    await store.append('artwork-1', 2, [someEvent(5)])
    const other = memoryEventStore()
    const appends: (readonly [string, unknown, number])[] = []
    await importEvents(
      {
        readAll: other.readAll,
        head: other.head,
        appendInOrder: async (all) => {
          appends.push(...all.map((each) => [each.stream, each.expected, each.events.length] as const))
          await other.appendInOrder(all)
        },
      },
      linesOf(await exported(store)),
    )
    expect(appends).toEqual([
      ['artwork-1', 'no-stream', 3],
      ['artwork-2', 'no-stream', 1],
      ['artwork-1', 2, 1],
    ])
  })

  it('puts no more into one append than a log takes, in whatever script', async () => {
    const store = memoryEventStore()
    const to = 'क'.repeat(40_000)
    for (let n = 0; n < 12; n += 1)
      await store.append('site-content', n === 0 ? 'no-stream' : n - 1, [{ ...someEvent(n), data: { to } }])
    const text = await exported(store)
    const other = memoryEventStore()
    expect(await importEvents(other, linesOf(text))).toEqual({ before: 0, added: 12 })
    expect(await exported(other)).toBe(text)
  })

  it('has no more events in memory than a page of the log, however long they are', async () => {
    const store = memoryEventStore()
    const to = 'x'.repeat(400_000)
    for (let n = 0; n < 40; n += 1)
      await store.append(`blogPost-${n}`, 'no-stream', [{ ...someEvent(n), data: { to } }])
    const text = await exported(store)
    const other = memoryEventStore()
    const atOnce: number[] = []
    const { readAll, head } = other
    const appendInOrder = async (all: Parameters<typeof other.appendInOrder>[0]) => {
      atOnce.push(all.length)
      await other.appendInOrder(all)
    }
    await importEvents({ readAll, head, appendInOrder }, linesOf(text))
    expect(atOnce).toEqual([10, 10, 10, 10])
    expect(await exported(other)).toBe(text)
  })

  it('that was broken off goes on where it stopped', async () => {
    const text = await exported(await someLog(1_500))
    const other = memoryEventStore()
    let batches = 0
    const failing = {
      readAll: other.readAll,
      head: other.head,
      appendInOrder: async (all: Parameters<typeof other.appendInOrder>[0]) => {
        batches += 1
        // In the middle of the second batch.
        await other.appendInOrder(batches === 2 ? all.slice(0, 100) : all)
        if (batches === 2) throw new Error('killed')
      },
    }
    await expect(importEvents(failing, linesOf(text))).rejects.toThrow('killed')
    expect(other.events).toHaveLength(600)
    expect(await importEvents(other, linesOf(text))).toEqual({ before: 600, added: 900 })
    expect(await exported(other)).toBe(text)
    expect(await importEvents(other, linesOf(text))).toEqual({ before: 1_500, added: 0 })
  })

  it('writes nothing over a log of other events, nor behind one that went on', async () => {
    const text = await exported(await someLog(20))
    const other = await someLog(30)
    await expect(importEvents(other, linesOf(text))).rejects.toThrow('goes on behind the 20 events')
    const different = memoryEventStore()
    await different.append('artwork-0', 'no-stream', [someEvent(0)])
    await different.append('artwork-5', 'no-stream', [someEvent(77)])
    await expect(importEvents(different, linesOf(text))).rejects.toThrow(
      'other events than the file, from event 2 on',
    )
    expect(different.events).toHaveLength(2)
  })
})

describe('the check of an export', () => {
  it.each<[string, (lines: string[]) => string[], string]>([
    ['the last line missing', (lines) => lines.slice(0, -1), 'cut short'],
    ['a line missing', (lines) => lines.toSpliced(4, 1), 'lines are missing or doubled'],
    ['the last event missing', (lines) => lines.toSpliced(-2, 1), 'tells of 10 events, there are 9'],
    ['a line twice', (lines) => lines.toSpliced(4, 0, lines[4] ?? ''), 'lines are missing or doubled'],
    ['two lines changed round', (lines) => lines.toSpliced(3, 2, lines[4] ?? '', lines[3] ?? ''), 'checksum'],
    ['a changed letter', (lines) => lines.with(4, (lines[4] ?? '').replace('title', 'tatle')), 'checksum'],
    ['a blank more', (lines) => lines.with(4, `${lines[4] ?? ''} `), 'checksum'],
    ['something behind the end', (lines) => [...lines, lines[0] ?? ''], 'behind the last line'],
    ['nothing at all', () => [], 'cut short'],
  ])('finds %s', async (_, change, words) => {
    const lines = (await exported(await someLog(10))).split('\n').slice(0, -1)
    const changed = change(lines)
    await expect(checkExport(linesOf(changed.map((line) => `${line}\n`).join('')))).rejects.toThrow(words)
  })
})

describe('the ids of an export', () => {
  it('are each there once, however they are written', () => {
    const see = idsOnce()
    see(someEvent(10))
    see(someEvent(11))
    const again = someEvent(10).id.toUpperCase()
    expect(() => see({ id: again })).toThrow(`Line 3 has the id of another event (${again})`)
  })
})

describe('the statistics of a log', () => {
  it('count events, streams, types and bytes, with the checksum of an export', async () => {
    const store = await someLog(7)
    await store.append('artwork-9', 'no-stream', [
      { ...someEvent(900), type: 'ArtworkSold', data: {}, occurredAt: '2027-01-01T00:00:00.000Z' },
    ])
    const lines = (await exported(store)).split('\n').slice(0, -1)
    const own = lines.slice(0, -1).map((line) => Buffer.byteLength(line) + 1)
    expect(await statsOf(store, await store.head())).toEqual({
      ...(JSON.parse(lines.at(-1) ?? '') as object),
      streams: 4,
      bytes: own.reduce((sum, each) => sum + each),
      largest: Math.max(...own),
      first: '2026-03-04T05:06:07.089Z',
      last: '2027-01-01T00:00:00.000Z',
      types: { ArtworkRetitled: 7, ArtworkSold: 1 },
    })
  })

  it('of an empty log are zeros', async () => {
    expect(await statsOf(memoryEventStore(), null)).toMatchObject({
      events: 0,
      streams: 0,
      first: null,
      types: {},
    })
  })
})
