import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { CheckpointMoved, type ViewWrite } from '#application/kernel/ports/documents.ts'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { memoryDocuments } from '#application/testing/memory-documents.ts'
import { memoryEventStore, positionOf } from '#application/testing/memory-event-store.ts'
import { toArtwork } from '../testing/artworks.ts'
import { recorded } from '../testing/history.ts'
import { type CatchUpOptions, catchUp } from './catch-up.ts'
import { openFolds } from './fold-group.ts'
import type { Projection, ViewDocument } from './projection.ts'

const page = 1_000
const perEvent = 10
/** More than a batch changes, and fewer than two: the next one goes on with some of its documents. */
const tallies = 15_000
const price = toArtwork('w1', { type: 'ArtworkPriceChanged', data: { from: 1, to: 2 } })
/** Three whole pages and some more. */
const log = recorded(Array.from({ length: 3.5 * page }, () => price))
const end = log.at(-1)!.position

/** Each event is counted in ten documents, so that every page of the log fills a batch. */
const counting: Projection = {
  view: { name: 'tallies', version: 1, indexes: [] },
  models: [],
  handles: ['ArtworkPriceChanged'],
  targets: ({ revision }) => ({
    ids: Array.from({ length: perEvent }, (_, n) => `t${(revision * perEvent + n) % tallies}`),
  }),
  apply: (doc, { position }, id): ViewDocument => ({ id, position, count: Number(doc?.['count'] ?? 0) + 1 }),
}

/** Documents whose writes wait until they are let through, and are then refused or stored. */
const slowDocuments = () => {
  const documents = memoryDocuments()
  const begun: ViewWrite[] = []
  const answers: PromiseWithResolvers<void>[] = []
  const write: typeof documents.write = async (writes, onLeft) => {
    const answer = Promise.withResolvers<void>()
    begun.push(writes[0]!)
    answers.push(answer)
    await answer.promise
    await documents.write(writes, onLeft)
  }
  /** Waits until the n-th write has begun. */
  const isBegun = (n: number): Promise<void> => expect.poll(() => begun).toHaveLength(n)
  return { documents, begun, answers, isBegun, slow: { ...documents, write } }
}

const begin = async (given: Partial<CatchUpOptions> = {}) => {
  const { documents, begun, answers, isBegun, slow } = slowDocuments()
  const eventStore = memoryEventStore()
  eventStore.events.push(...log)
  const stopping = new AbortController()
  const seen = { folded: 0, shown: [] as string[] }
  const options: CatchUpOptions = {
    eventStore,
    group: await openFolds(slow, [counting]),
    signal: stopping.signal,
    onProgress: (events) => {
      seen.folded = events
    },
    store: async (gathered) => {
      await gathered.store()
      seen.shown.push(gathered.position)
    },
    ...given,
  }
  const ended = catchUp(options).then(
    () => null,
    (error: unknown) => error,
  )
  return { documents, begun, answers, isBegun, stopping, seen, ended }
}

/** How often each event was counted, of all that are stored. */
const countsOf = (documents: ReturnType<typeof memoryDocuments>): readonly number[] => {
  const counts = Array.from({ length: tallies }, () => 0)
  for (const { id, count } of documents.all(counting.view).values())
    counts[Number(id.slice(1))] = Number(count)
  return counts
}
const countsUpTo = (events: number): readonly number[] => {
  const counts = Array.from({ length: tallies }, () => 0)
  for (let n = 0; n < events * perEvent; n += 1) counts[n % tallies] = (counts[n % tallies] ?? 0) + 1
  return counts
}
const storedTo = async (documents: ReturnType<typeof memoryDocuments>) =>
  (await documents.checkpoints([counting.view]))[0] ?? null

/** Stores what comes of forty events, each with a text of so many characters. */
const storedOf = async (characters: number): Promise<number> => {
  const eventStore = memoryEventStore()
  const data = { from: '', to: 'x'.repeat(characters) }
  const retitled = toArtwork('w1', { type: 'ArtworkRetitled', data })
  eventStore.events.push(...recorded(Array.from({ length: 40 }, () => retitled)))
  const group = await openFolds(memoryDocuments(), [{ ...counting, handles: ['ArtworkRetitled'] }])
  let stored = 0
  const store = async (): Promise<void> => void (stored += 1)
  await catchUp({ eventStore, group, signal: new AbortController().signal, store })
  return stored
}

/** Time enough for everything that waits for no store. */
const manyTurns = async (): Promise<void> => {
  for (let n = 0; n < 50; n += 1) await nextTurn()
}

describe('catching up', () => {
  it('folds the next batch while one is stored, and no further one', async () => {
    const { begun, answers, isBegun, seen, ended, documents } = await begin()
    await isBegun(1)
    await expect.poll(() => seen.folded).toBe(2 * page)
    await manyTurns()
    expect(seen).toEqual({ folded: 2 * page, shown: [] })
    expect(begun).toHaveLength(1)
    for (let n = 1; n <= 4; n += 1) {
      await isBegun(n)
      answers[n - 1]!.resolve()
    }
    expect(await ended).toBeNull()
    const ends = [page, 2 * page, 3 * page, log.length].map((events) => positionOf(events - 1))
    expect(begun.map(({ from, to }) => [from, to])).toEqual(ends.map((to, n) => [ends[n - 1] ?? null, to]))
    expect(seen.shown).toEqual(ends)
    expect(countsOf(documents)).toEqual(countsUpTo(log.length))
  })

  it('stores a batch that failed again, and the next one only then', async () => {
    let tries = 0
    const store: CatchUpOptions['store'] = async (gathered) => {
      for (;;) {
        try {
          return await gathered.store()
        } catch (thrown) {
          if (!(thrown instanceof EngineAway)) throw thrown
          tries += 1
        }
      }
    }
    const { begun, answers, isBegun, ended, documents } = await begin({ store })
    for (let n = 1; n <= 6; n += 1) {
      await isBegun(n)
      if (n === 2 || n === 3) answers[n - 1]!.reject(new EngineAway('documents', 'Away'))
      else answers[n - 1]!.resolve()
    }
    expect(await ended).toBeNull()
    expect(tries).toBe(2)
    expect(begun[2]).toEqual(begun[1])
    expect(begun[3]).toEqual(begun[1])
    expect(countsOf(documents)).toEqual(countsUpTo(log.length))
  })

  it('forgets what was folded behind a batch that cannot be stored, and another goes on before it', async () => {
    const { begun, answers, isBegun, ended, documents } = await begin()
    await isBegun(1)
    answers[0]!.resolve()
    await isBegun(2)
    const moved = new CheckpointMoved('tallies')
    answers[1]!.reject(moved)
    expect(await ended).toBe(moved)
    expect(begun).toHaveLength(2)
    expect(await storedTo(documents)).toBe(positionOf(page - 1))
    expect(countsOf(documents)).toEqual(countsUpTo(page))
    const eventStore = memoryEventStore()
    eventStore.events.push(...log)
    const group = await openFolds(documents, [counting])
    await catchUp({ eventStore, group, signal: new AbortController().signal })
    expect(await storedTo(documents)).toBe(end)
    expect(countsOf(documents)).toEqual(countsUpTo(log.length))
  })

  it('ends with nothing under way when it is stopped or the log fails', async () => {
    for (const how of ['stopped', 'log'] as const) {
      const lost = new Error('The log is away')
      const readAll: CatchUpOptions['eventStore']['readAll'] = async (after, limit) => {
        const first = after === null ? 0 : Number(after) + 1
        if (how === 'log' && first >= page) throw lost
        return log.slice(first, first + limit)
      }
      const { begun, answers, isBegun, stopping, ended, documents } = await begin({ eventStore: { readAll } })
      await isBegun(1)
      if (how === 'stopped') stopping.abort()
      let isOver = false
      void ended.then(() => {
        isOver = true
      })
      await manyTurns()
      expect(isOver).toBe(false)
      answers[0]!.resolve()
      expect(await ended).toBe(how === 'log' ? lost : null)
      expect(begun).toHaveLength(1)
      expect(await storedTo(documents)).toBe(positionOf(page - 1))
      expect(countsOf(documents)).toEqual(countsUpTo(page))
    }
  })

  it('stores long texts page by page, so that few of them are held', async () => {
    expect(await storedOf(500)).toBe(1)
    expect(await storedOf(500_000)).toBeGreaterThan(3)
  })
})
