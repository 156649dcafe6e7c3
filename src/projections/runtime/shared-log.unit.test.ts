import { afterEach, describe, expect, it, vi } from 'vitest'
import { memoryDocuments } from '#application/testing/memory-documents.ts'
import { memoryEventStore, type MemoryEventStore } from '#application/testing/memory-event-store.ts'
import type { Documents } from '#application/kernel/ports/documents.ts'
import {
  EngineAway,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '#application/kernel/ports/event-store.ts'
import { allProjections } from '../all-projections.ts'
import { artworkAdded, toArtwork } from '../testing/artworks.ts'
import { appendAll, type Happened, recorded } from '../testing/history.ts'
import { type Projector, startProjector } from './projector.ts'
import { shareLog } from './shared-log.ts'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
const patient = { timeout: 10_000, interval: 5 }
const running: Projector[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()))
})

const kept = 50

/** A log, how often it is read, and how things happen in it. */
const history = () => {
  const eventStore = memoryEventStore()
  const happened: Happened[] = []
  const happen = async (...more: readonly Happened[]): Promise<Position> => {
    happened.push(...more)
    return appendAll(eventStore, recorded(happened).slice(-more.length))
  }
  const subscribe = vi.fn<EventStore['subscribe']>(eventStore.subscribe)
  const readAll = vi.fn<EventStore['readAll']>(eventStore.readAll)
  const log = shareLog({ ...eventStore, subscribe, readAll }, kept)
  return { eventStore, happen, subscribe, readAll, log }
}
const price = (to: number) => toArtwork('w1', { type: 'ArtworkPriceChanged', data: { from: to - 1, to } })

/** A projector for each of these views, as one process has them. */
const leading = (log: EventStore, names: readonly string[], documentsOf: (view: string) => Documents) =>
  names.map((name) => {
    const projector = startProjector({
      eventStore: log,
      documents: documentsOf(name),
      projections: allProjections.filter(({ view }) => view.name === name),
      log: quiet,
    })
    running.push(projector)
    return projector
  })

describe('views that share one reading of the log', () => {
  it('have one subscription and read a long way once', async () => {
    const { log, happen, subscribe, readAll } = history()
    await happen(artworkAdded('w1'), ...Array.from({ length: 3_001 }, (_, n) => price(n)))
    const documents = memoryDocuments()
    const names = ['artworks', 'activity', 'images']
    const projectors = leading(log, names, () => documents)
    await Promise.all(projectors.map(({ ready }) => ready))
    const position = await happen(price(1))
    expect(await Promise.all(projectors.map((each) => each.shows(position)))).toEqual([true, true, true])
    expect(subscribe).toHaveBeenCalledTimes(1)
    // Whole pages for all of them, and the end of the log for each.
    expect(readAll.mock.calls.filter(([, limit]) => limit > 1).length).toBeLessThanOrEqual(
      3 + 2 * names.length,
    )
  })

  it('do not wait for one that cannot be stored, which comes after when it can', async () => {
    const { log, happen, readAll } = history()
    const documents = memoryDocuments()
    let isFailing = true
    const failing: Documents = {
      ...documents,
      write: async (writes) => {
        if (isFailing) throw new EngineAway('mongodb', 'This view cannot be written')
        return documents.write(writes)
      },
    }
    const [artworks, activity] = leading(log, ['artworks', 'activity'], (view) =>
      view === 'activity' ? failing : documents,
    )
    await artworks?.ready
    // More than is kept for it.
    let position = await happen(artworkAdded('w1'))
    for (let n = 0; n < 6; n += 1) {
      position = await happen(...Array.from({ length: kept / 2 }, (_, each) => price(n * kept + each)))
      expect(await artworks?.shows(position)).toBe(true)
    }
    const before = readAll.mock.calls.length
    isFailing = false
    await vi.waitFor(async () => expect((await activity?.lag())?.events).toBe(0), patient)
    expect(readAll.mock.calls.length).toBeGreaterThan(before)
    const after = await happen(price(1))
    expect(await activity?.shows(after)).toBe(true)
  })

  it('all hear that the subscription broke off, and go on together', async () => {
    const { eventStore, log, happen, subscribe } = history()
    const documents = memoryDocuments()
    const projectors = leading(log, ['artworks', 'activity'], () => documents)
    await Promise.all(projectors.map(({ ready }) => ready))
    await projectors[0]?.shows(await happen(artworkAdded('w1')))
    cut(eventStore)
    const position = await happen(price(1))
    expect(await Promise.all(projectors.map((each) => each.shows(position)))).toEqual([true, true])
    expect(subscribe).toHaveBeenCalledTimes(2)
  })

  it('miss nothing that came while somebody asked where the log ends', async () => {
    const { log, happen, readAll } = history()
    const end = await happen(artworkAdded('w1'))
    // The end as it is now is on its way for long.
    const answer = Promise.withResolvers<readonly RecordedEvent[]>()
    readAll.mockReturnValueOnce(answer.promise)
    const lookedFor = log.readAll(end, 1_000)
    const { signal } = new AbortController()
    const begin = () => log.subscribe(end, { limit: 1_000, signal })[Symbol.asyncIterator]()
    const quick = begin()
    const last = await happen(price(1))
    expect((await quick.next()).value?.at(-1)?.position).toBe(last)
    // It has taken that, so that nobody keeps it.
    const further = quick.next()
    const late = begin().next()
    answer.resolve([])
    expect(await lookedFor).toEqual([])
    expect((await late).value?.at(-1)?.position).toBe(last)
    await happen(price(2))
    await further
  })

  it('let go of the log when the last one has left', async () => {
    const { log, happen, subscribe } = history()
    const [one] = leading(log, ['artworks'], () => memoryDocuments())
    await one?.ready
    await one?.shows(await happen(artworkAdded('w1')))
    await one?.stop()
    expect(subscribe.mock.calls[0]?.[1].signal.aborted).toBe(true)
  })
})

const cut = (eventStore: MemoryEventStore): void => eventStore.cut(new Error('cut off'))
