import { afterEach, describe, expect, it, vi } from 'vitest'
import { CheckpointMoved } from '#application/kernel/ports/documents.ts'
import {
  EngineAway,
  type Position,
  type RecordedEvent,
  UnknownPosition,
} from '#application/kernel/ports/event-store.ts'
import { traceBy } from '#application/kernel/traced.ts'
import { allProjections } from '../all-projections.ts'
import { artworksProjection } from '../artworks/artworks-view.ts'
import { findArtwork, listAllArtworks } from '../artworks/queries.ts'
import type { Projection } from './projection.ts'
import { ViewsAstray } from './astray.ts'
import { type Projector, startProjector } from './projector.ts'
import { appendAll, type Happened, recorded } from '../testing/history.ts'
import { memoryDocuments, type MemoryDocuments } from '#application/testing/memory-documents.ts'
import {
  memoryEventStore,
  type MemoryEventStore,
  positionOf,
} from '#application/testing/memory-event-store.ts'
import {
  categoryAdded,
  imageProcessed,
  imageUploaded,
  payment,
  imageHash,
  toArtwork,
  artworkAdded,
} from '../testing/artworks.ts'
import { parkedView } from './fold.ts'
import type { ViewChange } from './views.ts'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
const owner = { signedIn: true }
const running: Projector[] = []

const start = (
  eventStore: MemoryEventStore,
  documents: MemoryDocuments,
  projections: readonly Projection[] = allProjections,
): Projector => {
  const projector = startProjector({ eventStore, documents, projections, log: quiet })
  running.push(projector)
  return projector
}
afterEach(async () => {
  await Promise.all(running.splice(0).map((projector) => projector.stop()))
})

/** A log that holds a history already. */
const logOf = (...history: readonly Happened[]): MemoryEventStore => {
  const eventStore = memoryEventStore()
  eventStore.events.push(...recorded(history))
  return eventStore
}

const append = async (eventStore: MemoryEventStore, ...history: readonly Happened[]): Promise<Position> => {
  const all = recorded([
    ...eventStore.events.map(({ stream }) => ({ ...categoryAdded('x', 'x'), stream })),
    ...history,
  ])
  return appendAll(eventStore, all.slice(eventStore.events.length))
}

const price = (from: number, to: number) =>
  toArtwork('w1', { type: 'ArtworkPriceChanged', data: { from, to } })
const rename = (from: string, to: string): Happened => ({
  stream: 'categories',
  event: { type: 'CategoryRenamed', data: { id: 'c1', from, to } },
})

const everything = (documents: MemoryDocuments) =>
  allProjections.map(({ view }) => [
    view.name,
    [...documents.all(view).values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  ])

const story: readonly Happened[] = [
  categoryAdded('c1', 'Hills'),
  artworkAdded('w1', { category: { id: 'c1', name: 'Hills' } }),
  imageUploaded(imageHash),
  price(96_000, 90_000),
  payment('asha@okbank'),
  artworkAdded('w2', { category: { id: 'c1', name: 'Hills' }, rank: 'a1' }),
  rename('Hills', 'Mountains'),
  imageProcessed(imageHash),
  toArtwork('w2', { type: 'ArtworkDeleted', data: { title: '' } }),
  price(90_000, 88_000),
]

describe('the projector', () => {
  it('is ready once all that was in the log is shown', async () => {
    const documents = memoryDocuments()
    const projector = start(logOf(...story), documents)
    await projector.ready
    expect(await findArtwork(documents, 'w1', owner)).toMatchObject({ price: 88_000, category: 'Mountains' })
    expect(await projector.lag()).toMatchObject({ state: 'live', events: 0, seconds: 0, parked: 0 })
  })

  it('is ready at once on an empty log', async () => {
    const projector = start(memoryEventStore(), memoryDocuments())
    await expect(projector.ready).resolves.toBeUndefined()
  })

  it('shows an event before whoever waits for it hears of it', async () => {
    const [eventStore, documents] = [logOf(artworkAdded('w1')), memoryDocuments()]
    const projector = start(eventStore, documents)
    await projector.ready
    const waiting = projector.shows(positionOf(2))
    await append(eventStore, price(96_000, 1), price(1, 2))
    expect(await waiting).toBe(true)
    expect(await findArtwork(documents, 'w1', owner)).toMatchObject({ price: 2, version: 3 })
    expect(await projector.shows(positionOf(0))).toBe(true)
  })

  it('names its views in what is traced of a change', async () => {
    const [eventStore, steps] = [logOf(artworkAdded('w1')), [] as unknown[]]
    traceBy({
      begin: (name, attributes) => {
        steps.push([name, attributes])
        return { correlationId: null, within: (work) => work(), end: () => undefined }
      },
    })
    try {
      const ofArtworks = allProjections.filter(({ view }) => view.name === artworksProjection.view.name)
      const projector = start(eventStore, memoryDocuments(), ofArtworks)
      await projector.ready
      const position = await append(eventStore, price(96_000, 1))
      await projector.shows(position)
      await expect
        .poll(() => steps)
        .toEqual([
          ['project', { 'atelier.views': 'artworks', 'atelier.events': 1, 'atelier.position': position }],
        ])
    } finally {
      traceBy(null)
    }
  })

  it('shows the same whether it followed live or replayed', async () => {
    const [eventStore, live] = [memoryEventStore(), memoryDocuments()]
    const projector = start(eventStore, live)
    await projector.ready
    for (const happened of story) await projector.shows(await append(eventStore, happened))

    const replayed = memoryDocuments()
    await start(logOf(...story), replayed).ready
    const untimed = JSON.stringify(everything(live))
    expect(JSON.stringify(everything(replayed))).toBe(untimed)
    expect(replayed.writeCount()).toBe(1)
  })

  it('stores what no answer is made of a little later, once for many events', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const [eventStore, documents] = [logOf(artworkAdded('w1')), memoryDocuments()]
      const following = (name: string): Projector =>
        startProjector({
          eventStore,
          documents,
          projections: allProjections.filter(({ view }) => view.name === name),
          log: quiet,
          delays: { passedMs: 1_000, unawaitedMs: 100 },
        })
      const [artworks, activity] = [following('artworks'), following('activity')]
      running.push(artworks, activity)
      await Promise.all([artworks.ready, activity.ready])
      const before = documents.writeCount()
      for (const [from, to] of [
        [96_000, 1],
        [1, 2],
        [2, 3],
      ] as const)
        await artworks.shows(await append(eventStore, price(from, to)))
      expect(documents.writeCount()).toBe(before + 3)
      const listed = activity.shows(positionOf(3))
      await vi.advanceTimersByTimeAsync(100)
      expect(await listed).toBe(true)
      expect(documents.writeCount()).toBe(before + 4)
    } finally {
      vi.useRealTimers()
    }
  })

  it('keeps what was folded in and not stored yet when views are built anew', async () => {
    const [eventStore, documents] = [logOf(artworkAdded('w1')), memoryDocuments()]
    const taken: number[] = []
    const projections = allProjections
      .filter(({ view }) => view.name === 'activity')
      .map((projection) => ({
        ...projection,
        targets: (...[event, number]: Parameters<Projection['targets']>) => {
          if (event.position === positionOf(2)) taken.push(number)
          return projection.targets(event, number)
        },
      }))
    const delays = { passedMs: 60_000, unawaitedMs: 60_000 }
    const projector = startProjector({ eventStore, documents, projections, log: quiet, delays })
    running.push(projector)
    await projector.ready
    await append(eventStore, price(96_000, 1))
    await append(eventStore, price(1, 2))
    await expect.poll(() => taken.length).toBeGreaterThan(0)
    const { signal } = new AbortController()
    const options = { views: [], fresh: true, signal, onProgress: () => undefined }
    expect((await projector.build('rebuild', options)).switched).toBe(true)
    await append(eventStore, price(2, 3))
    const { views } = await projector.build('verify', options)
    expect(views.flatMap(({ differences }) => differences)).toEqual([])
  })

  it('stores each document once however many of its events a batch holds', async () => {
    const documents = memoryDocuments()
    const write = vi.spyOn(documents, 'write')
    const prices = Array.from({ length: 500 }, (_, n) => price(n, n + 1))
    await start(logOf(artworkAdded('w1'), ...prices), documents, [
      artworksProjection as unknown as Projection,
    ]).ready
    const artworks = write.mock.calls
      .flatMap(([writes]) => writes)
      .filter(({ view }) => view.name === 'artworks')
    expect(artworks.map(({ put }) => put.length)).toEqual([1])
  })

  it('renames many works in the batch in which they came to their category', async () => {
    const documents = memoryDocuments()
    const hills = { id: 'c1', name: 'Hills' }
    const artworks = Array.from({ length: 50 }, (_, n) => artworkAdded(`w${n}`, { category: hills }))
    const moves = toArtwork('w7', {
      type: 'ArtworkCategorised',
      data: { from: hills, to: { id: null, name: 'Sea' } },
    })
    await start(logOf(...artworks, moves, rename('Hills', 'Peaks')), documents).ready
    const shown = await listAllArtworks(documents)
    expect(shown.filter(({ category }) => category === 'Peaks')).toHaveLength(49)
    expect(shown.find(({ id }) => id === 'w7')?.category).toBe('Sea')
  })

  it('tells what changed, after it can be read', async () => {
    const [eventStore, documents] = [logOf(artworkAdded('w1')), memoryDocuments()]
    const projector = start(eventStore, documents)
    await projector.ready
    const heard: ViewChange[] = []
    projector.onChange((change) => heard.push(change))
    await projector.shows(await append(eventStore, price(96_000, 1)))
    await projector.shows(await append(eventStore, categoryAdded('c1', 'Hills')))
    expect(heard.map(({ models }) => models)).toMatchObject([
      expect.arrayContaining(['artworks']),
      expect.arrayContaining(['categories']),
    ])
    expect(heard[0]?.models).not.toContain('categories')
    expect(heard.map(({ position }) => position)).toEqual([positionOf(1), positionOf(2)])
  })

  it('changes the version of a view only when the view changes', async () => {
    const eventStore = logOf(artworkAdded('w1'))
    const projector = start(eventStore, memoryDocuments())
    await projector.ready
    const artworks = projector.version(['artworks', 'images'])
    await projector.shows(await append(eventStore, categoryAdded('c1', 'Hills')))
    expect(projector.version(['artworks', 'images'])).toBe(artworks)
    await projector.shows(await append(eventStore, price(96_000, 1)))
    expect(projector.version(['artworks', 'images'])).not.toBe(artworks)
  })

  it('gives a view the same version after a restart while nothing changed it', async () => {
    const [eventStore, documents] = [logOf(artworkAdded('w1')), memoryDocuments()]
    const first = start(eventStore, documents)
    await first.ready
    await first.shows(await append(eventStore, categoryAdded('c1', 'Hills')))
    const [artworks, categories] = [first.version(['artworks']), first.version(['categories'])]
    await first.stop()
    const second = start(eventStore, documents)
    await second.ready
    expect(second.version(['artworks'])).toBe(artworks)
    expect(second.version(['categories'])).toBe(categories)
    await second.shows(await append(eventStore, price(96_000, 1)))
    expect(second.version(['artworks'])).not.toBe(artworks)
  })

  it('gives a view a new version when a batch was stored in part before the restart', async () => {
    const [eventStore, documents] = [logOf(artworkAdded('w1')), memoryDocuments()]
    const first = start(eventStore, documents)
    await first.ready
    const artworks = first.version(['artworks'])
    // An engine without transactions gets as far as the documents, not to the checkpoint.
    const stopping = Promise.withResolvers<void>()
    documents.fault = (seam) => {
      if (seam === 'before') return
      stopping.resolve()
      throw new Error('cut off')
    }
    await append(eventStore, price(96_000, 1))
    await stopping.promise
    await first.stop()
    documents.fault = null
    expect((await documents.places([artworksProjection.view]))[0]?.position).toBe(positionOf(0))
    const second = start(eventStore, documents)
    await second.ready
    expect(second.version(['artworks'])).not.toBe(artworks)
  })

  it('ends well when its lease is lost while it stops and a writing hangs', async () => {
    const eventStore = logOf(...story)
    const documents = memoryDocuments()
    const begun = Promise.withResolvers<void>()
    const hanging = Promise.withResolvers<never>()
    const write: MemoryDocuments['write'] = () => {
      begun.resolve()
      return hanging.promise
    }
    const lease = new AbortController()
    const projector = startProjector({
      eventStore,
      documents: { ...documents, write },
      projections: allProjections,
      log: quiet,
      signal: lease.signal,
    })
    await begun.promise
    const stopped = projector.stop()
    lease.abort(new EngineAway('mongodb', 'the lease could not be renewed'))
    hanging.reject(new EngineAway('mongodb', 'no answer'))
    await stopped
    expect(await projector.ended).toBeNull()
  })

  it('answers waiting commands with false when it stops', async () => {
    const projector = start(memoryEventStore(), memoryDocuments())
    await projector.ready
    const waiting = projector.shows(positionOf(5))
    await projector.stop()
    expect(await waiting).toBe(false)
    expect(await projector.shows(positionOf(5))).toBe(false)
    expect(await projector.ended).toBeNull()
  })
})

describe('a projector in trouble', () => {
  const poison = (event: RecordedEvent): RecordedEvent => ({ ...event, data: { from: 'nonsense', to: {} } })

  it('parks an event that cannot be read, says so, and goes on', async () => {
    const [eventStore, documents] = [
      logOf(artworkAdded('w1'), price(96_000, 1), price(1, 2)),
      memoryDocuments(),
    ]
    eventStore.events[1] = poison(eventStore.events[1]!)
    const alarm = vi.spyOn(quiet, 'error')
    const projector = start(eventStore, documents)
    await projector.ready
    expect(alarm).toHaveBeenCalledWith(
      expect.objectContaining({ view: 'artworks', stream: 'artwork-w1' }),
      expect.stringContaining('parked'),
    )
    expect(await findArtwork(documents, 'w1', owner)).toMatchObject({ price: 2, version: 2 })
    const parked = [...documents.all(parkedView(artworksProjection.view)).values()]
    expect(parked).toMatchObject([
      { view: 'artworks', type: 'ArtworkPriceChanged', stream: 'artwork-w1', position: positionOf(1) },
    ])
    expect(parked[0]?.['reason']).toContain('ArtworkPriceChanged')
    expect((await projector.lag()).parked).toBeGreaterThan(0)
  })

  it('parks an event that a view fails at after three tries, whole, and keeps other views going', async () => {
    const apply = vi.fn<Projection['apply']>((doc, event, id, read, number) => {
      if (event.type === 'CategoryRenamed' && id === 'w2') throw new Error('No, not this one')
      return (artworksProjection as unknown as Projection).apply(doc, event, id, read, number)
    })
    const failing = { ...(artworksProjection as unknown as Projection), apply }
    const projections = [failing, ...allProjections.filter(({ view }) => view.name !== 'artworks')]
    const hills = { category: { id: 'c1', name: 'Hills' } }
    const documents = memoryDocuments()
    const eventStore = logOf(
      categoryAdded('c1', 'Hills'),
      artworkAdded('w1', hills),
      artworkAdded('w2', hills),
      rename('Hills', 'Peaks'),
      price(96_000, 5),
    )
    const projector = start(eventStore, documents, projections)
    await projector.ready
    const artworks = await listAllArtworks(documents)
    expect(artworks.map(({ category, price: now }) => [category, now])).toEqual([
      ['Hills', 5],
      ['Hills', 96_000],
    ])
    expect(
      apply.mock.calls.filter(([, event, id]) => event.type === 'CategoryRenamed' && id === 'w2'),
    ).toHaveLength(3)
    expect([...documents.all(parkedView(artworksProjection.view)).values()]).toMatchObject([
      { reason: 'No, not this one' },
    ])
    const categories = allProjections.find(({ view }) => view.name === 'categories')!
    expect([...documents.all(categories.view).values()]).toMatchObject([{ name: 'Peaks' }])
  })

  it('passes over types it does not know and moves on', async () => {
    const eventStore = logOf(artworkAdded('w1'))
    eventStore.events.push({
      ...eventStore.events[0]!,
      type: 'SomethingNew',
      id: 'x',
      position: positionOf(1),
    })
    const documents = memoryDocuments()
    const projector = start(eventStore, documents)
    await projector.ready
    expect(await documents.checkpoints([artworksProjection.view])).toEqual([positionOf(1)])
    expect((await projector.lag()).parked).toBe(0)
  })

  it('ends up right when it is thrown out between documents and checkpoint', async () => {
    const documents = memoryDocuments()
    const before = start(logOf(...story.slice(0, 4)), documents)
    await before.ready
    await before.stop()
    documents.fault = (seam) => {
      if (seam === 'between') throw new EngineAway('documents', 'Cut off')
    }
    const cut = start(logOf(...story), documents)
    await expect.poll(async () => (await cut.lag()).trouble).toBe('Cut off')
    await cut.stop()
    documents.fault = null
    await start(logOf(...story), documents).ready
    const fresh = memoryDocuments()
    await start(logOf(...story), fresh).ready
    expect(everything(documents)).toEqual(everything(fresh))
  })

  it('ends with the reason where nobody waits for an engine that is away', async () => {
    const away = new EngineAway('log', 'The event log does not answer')
    const eventStore = { ...logOf(...story), head: () => Promise.reject(away) }
    const documents = memoryDocuments()
    const projector = startProjector({ eventStore, documents, projections: [], log: quiet, waits: false })
    await expect(projector.ready).rejects.toBe(away)
    expect(await projector.ended).toBe(away)
  })

  it('asks a failing engine again, tells waiting commands, and shows everything in the end', async () => {
    const [eventStore, documents] = [logOf(artworkAdded('w1')), memoryDocuments()]
    const projector = start(eventStore, documents)
    await projector.ready
    let failures = 2
    documents.fault = (seam) => {
      if (seam === 'before' && failures-- > 0) throw new EngineAway('documents', 'Away')
    }
    const position = await append(eventStore, price(96_000, 1))
    expect(await projector.shows(position)).toBe(false)
    await expect.poll(() => projector.lag()).toMatchObject({ events: 0, trouble: null })
    expect(await findArtwork(documents, 'w1', owner)).toMatchObject({ price: 1, version: 2 })
  })

  it('subscribes again where it was when the subscription breaks off', async () => {
    const [eventStore, documents] = [logOf(artworkAdded('w1')), memoryDocuments()]
    const projector = start(eventStore, documents)
    await projector.ready
    eventStore.cut(new Error('Connection lost'))
    const position = await append(eventStore, price(96_000, 1))
    expect(await projector.shows(position)).toBe(true)
    expect(await findArtwork(documents, 'w1', owner)).toMatchObject({ price: 1, version: 2 })
  })

  it('stops when another projector has moved a checkpoint', async () => {
    const [eventStore, documents] = [logOf(artworkAdded('w1'), price(96_000, 1)), memoryDocuments()]
    const first = start(eventStore, documents)
    await first.ready
    // Another runner has been here: this one still believes the checkpoint stands at the last event.
    const { view } = artworksProjection
    await documents.write([{ view, put: [], remove: [], from: positionOf(1), to: positionOf(0) }])
    await append(eventStore, price(1, 2))
    expect(await first.ended).toBeInstanceOf(CheckpointMoved)
    expect(await first.lag()).toMatchObject({ state: 'failed' })
    expect(await first.shows(positionOf(2))).toBe(false)
  })

  it('ends loudly when the views stand where the log has never been', async () => {
    const eventStore = logOf(artworkAdded('w1'))
    const lost = new UnknownPosition('another log')
    const projector = start({ ...eventStore, readAll: async () => Promise.reject(lost) }, memoryDocuments())
    expect(await projector.ended).toBe(lost)
    expect(await projector.shows(positionOf(0))).toBe(false)
  })

  it('goes on though a listener fails', async () => {
    const eventStore = logOf(artworkAdded('w1'))
    const projector = start(eventStore, memoryDocuments())
    await projector.ready
    projector.onChange(() => {
      throw new Error('Broken listener')
    })
    expect(await projector.shows(await append(eventStore, price(96_000, 1)))).toBe(true)
  })

  it('measures its lag against the log, also when it does nothing any more', async () => {
    const eventStore = logOf(artworkAdded('w1'))
    const projector = start(eventStore, memoryDocuments())
    await projector.ready
    await projector.stop()
    await append(eventStore, price(96_000, 1), price(1, 2))
    const lag = await projector.lag()
    expect(lag).toMatchObject({ state: 'stopped', events: 2 })
    expect(lag.seconds).toBeGreaterThan(0)
  })
})

describe('views that are ahead of the log', () => {
  const { view } = artworksProjection
  const beyond = positionOf(900)
  const plainly = {
    views: [],
    fresh: false,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  }
  /** A projector that is up to date, and soon looks whether it still is. */
  const live = async (of: { readonly alone?: boolean; readonly lookEveryMs?: number } = {}) => {
    const [eventStore, documents] = [logOf(artworkAdded('w1'), artworkAdded('w2')), memoryDocuments()]
    const options = { eventStore, documents, projections: allProjections, log: quiet, lookEveryMs: 5, ...of }
    const projector = startProjector(options)
    running.push(projector)
    await projector.ready
    const moveCheckpoint = async (to: Position): Promise<void> => {
      const [from = null] = await documents.checkpoints([view])
      await documents.write([{ view, put: [], remove: [], from, to }])
    }
    return { eventStore, documents, projector, moveCheckpoint }
  }
  const isAside = (projector: Projector): Promise<void> =>
    expect
      .poll(() => projector.lag())
      .toMatchObject({
        state: 'astray',
        trouble: expect.stringMatching(/artworks .* at .*projections rebuild --all/),
      })

  it('are noticed without a write, keep nobody waiting, and are gone on with after a rebuild', async () => {
    const { eventStore, documents, projector, moveCheckpoint } = await live()
    await moveCheckpoint(beyond)
    await isAside(projector)
    expect(projector.astray()?.message).toContain('atelier doctor')
    expect(await projector.shows(await append(eventStore, price(96_000, 1)))).toBe(false)
    const verified = await projector.build('verify', plainly)
    expect(verified.views.find((each) => each.view === 'artworks')).toMatchObject({ astray: beyond })
    expect(await projector.build('rebuild', plainly)).toMatchObject({ switched: true })
    await expect.poll(() => projector.lag()).toMatchObject({ state: 'live', trouble: null })
    expect(projector.astray()).toBeNull()
    expect(await findArtwork(documents, 'w1', owner)).toMatchObject({ price: 1 })
    expect(await projector.shows(await append(eventStore, price(1, 2)))).toBe(true)
    expect((await findArtwork(documents, 'w1', owner))?.price).toBe(2)
  })

  it('are noticed by the write that comes first, by a verification and by a rebuild', async () => {
    const looksRarely = { lookEveryMs: 3_600_000 }
    for (const notice of ['write', 'verify', 'rebuild'] as const) {
      const { eventStore, projector, moveCheckpoint } = await live(looksRarely)
      await moveCheckpoint(beyond)
      if (notice === 'write')
        expect(await projector.shows(await append(eventStore, price(96_000, 1)))).toBe(false)
      if (notice === 'verify')
        expect((await projector.build('verify', plainly)).views.filter(({ astray }) => astray)).toHaveLength(
          1,
        )
      if (notice !== 'rebuild') await isAside(projector)
      expect((await projector.build('rebuild', plainly)).switched).toBe(true)
      expect(await projector.shows(await append(eventStore, price(1, 2)))).toBe(true)
    }
  })

  it('are gone on with by themselves when the log has come back', async () => {
    const { eventStore, documents, projector } = await live()
    await projector.shows(await append(eventStore, price(96_000, 1)))
    const newest = eventStore.events.pop()!
    await isAside(projector)
    eventStore.events.push(newest)
    await expect.poll(() => projector.lag()).toMatchObject({ state: 'live', trouble: null })
    expect(await findArtwork(documents, 'w1', owner)).toMatchObject({ price: 1 })
  })

  it('are gone on with by themselves when their checkpoint alone was put right', async () => {
    const { eventStore, documents, projector, moveCheckpoint } = await live()
    const [right = null] = await documents.checkpoints([view])
    await moveCheckpoint(beyond)
    await isAside(projector)
    await moveCheckpoint(right ?? positionOf(0))
    await expect.poll(() => projector.lag()).toMatchObject({ state: 'live', trouble: null })
    expect(await projector.shows(await append(eventStore, price(96_000, 1)))).toBe(true)
    expect(await findArtwork(documents, 'w1', owner)).toMatchObject({ price: 1 })
  })

  it('are noticed where only a document is, by the event that is about it', async () => {
    const { eventStore, documents, projector } = await live()
    await projector.stop()
    const w1 = documents.all(view).get('w1')!
    documents.all(view).set('w1', { ...w1, position: beyond })
    const again = start(eventStore, documents)
    await again.ready
    expect(await again.shows(await append(eventStore, price(96_000, 1)))).toBe(false)
    await isAside(again)
    expect((await again.build('rebuild', plainly)).switched).toBe(true)
    expect(await again.shows(await append(eventStore, price(1, 2)))).toBe(true)
    expect((await findArtwork(documents, 'w1', owner))?.price).toBe(2)
  })

  it('refuse the start of a projector that is waited for', async () => {
    const { eventStore, documents, projector, moveCheckpoint } = await live()
    await projector.stop()
    await moveCheckpoint(beyond)
    await expect(start(eventStore, documents).ready).rejects.toBeInstanceOf(ViewsAstray)
  })

  it('a checkpoint that was set back by hand is gone on from by whoever projects alone', async () => {
    const { eventStore, documents, projector, moveCheckpoint } = await live({ alone: true })
    const before = projector.version(['artworks'])
    await moveCheckpoint(positionOf(0))
    // What was read before it was noticed may be of older documents.
    await expect.poll(() => projector.version(['artworks'])).not.toBe(before)
    await append(eventStore, price(96_000, 1))
    await expect.poll(() => findArtwork(documents, 'w1', owner)).toMatchObject({ price: 1, version: 2 })
    expect(await projector.lag()).toMatchObject({ state: 'live', trouble: null })
  })

  it('whoever projects alone catches up, and says so, until all that was set back is stored again', async () => {
    const { documents, projector, moveCheckpoint } = await live({ alone: true })
    await moveCheckpoint(positionOf(0))
    documents.fault = (seam) => {
      if (seam === 'before') throw new EngineAway('documents', 'Away')
    }
    await expect.poll(() => projector.lag()).toMatchObject({ state: 'catching-up', trouble: 'Away' })
    documents.fault = null
    await expect.poll(() => projector.lag()).toMatchObject({ state: 'live', trouble: null })
  })

  it('a checkpoint that was set back is noticed while nothing is written', async () => {
    const { projector, moveCheckpoint } = await live()
    await moveCheckpoint(positionOf(0))
    expect(await projector.ended).toBeInstanceOf(CheckpointMoved)
  })
})

describe('views at different places of the log', () => {
  it('bring the one that is behind up first, without showing others anything twice', async () => {
    const documents = memoryDocuments()
    const others = allProjections.filter(({ view }) => view.name !== 'artworks')
    const first = start(logOf(...story), documents, others)
    await first.ready
    await first.stop()
    const writes: string[] = []
    const original = documents.write
    vi.spyOn(documents, 'write').mockImplementation(async (all) => {
      for (const { view } of all) writes.push(view.name)
      await original(all)
    })
    await start(logOf(...story), documents).ready
    expect(writes).toEqual(['artworks'])
    const fresh = memoryDocuments()
    await start(logOf(...story), fresh).ready
    expect(everything(documents)).toEqual(everything(fresh))
  })

  it('build a new version of a view from the beginning, beside the old one', async () => {
    const documents = memoryDocuments()
    const old = start(logOf(...story), documents)
    await old.ready
    await old.stop()
    const next = {
      ...(artworksProjection as unknown as Projection),
      view: { ...artworksProjection.view, version: 99 },
    }
    await start(logOf(...story), documents, [next, ...allProjections.slice(1)]).ready
    expect([...documents.all(next.view).values()]).toEqual([
      ...documents.all(artworksProjection.view).values(),
    ])
  })
})
