import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Documents, servedForMs, type ViewDefinition } from '#application/kernel/ports/documents.ts'
import { EngineAway } from '#application/kernel/ports/event-store.ts'
import { allProjections } from '../all-projections.ts'
import { artworksProjection } from '../artworks/artworks-view.ts'
import { type FollowedViews, followViews } from './followed-views.ts'
import type { Projection } from './projection.ts'
import { type Projector, startProjector } from './projector.ts'
import { categoriesProjection } from '../taxonomy/taxonomy-view.ts'
import { appendAll, type Happened, recorded } from '../testing/history.ts'
import { memoryDocuments, type MemoryDocuments } from '#application/testing/memory-documents.ts'
import {
  memoryEventStore,
  type MemoryEventStore,
  positionOf,
} from '#application/testing/memory-event-store.ts'
import { categoryAdded, toArtwork, artworkAdded } from '../testing/artworks.ts'
import type { ViewChange } from './views.ts'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
const running: (FollowedViews | Projector)[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()))
})

const projecting = (eventStore: MemoryEventStore, documents: MemoryDocuments): Projector => {
  const projector = startProjector({ eventStore, documents, projections: allProjections, log: quiet })
  running.push(projector)
  return projector
}
const projectingOnly = (
  eventStore: MemoryEventStore,
  documents: MemoryDocuments,
  names: readonly string[],
): void => {
  const projections = allProjections.filter(({ view }) => names.includes(view.name))
  running.push(startProjector({ eventStore, documents, projections, log: quiet }))
}
const following = (
  eventStore: MemoryEventStore,
  documents: Documents,
  showsWithinMs = 2_000,
): FollowedViews => {
  const views = followViews({ eventStore, documents, projections: allProjections, log: quiet, showsWithinMs })
  running.push(views)
  return views
}

/** A log, and how things happen in it. */
const history = () => {
  const eventStore = memoryEventStore()
  const happened: Happened[] = []
  const happen = async (...more: readonly Happened[]) => {
    happened.push(...more)
    return appendAll(eventStore, recorded(happened).slice(-more.length))
  }
  return { eventStore, happen }
}
const price = (from: number, to: number) =>
  toArtwork('w1', { type: 'ArtworkPriceChanged', data: { from, to } })
const patient = { timeout: 10_000, interval: 5 }

describe('views that are ahead of the log', () => {
  const { view } = artworksProjection
  const isAstray = (views: FollowedViews, is: boolean): Promise<void> =>
    vi.waitFor(() => expect(views.astray() !== null).toBe(is), patient)

  it('show nothing to a command, say so, and show it again when that is over', async () => {
    const { eventStore, happen } = history()
    const documents = memoryDocuments()
    const projector = projecting(eventStore, documents)
    const views = following(eventStore, documents, 20_000)
    expect(await views.shows(await happen(artworkAdded('w1')))).toBe(true)
    await projector.stop()
    const [from = null] = await documents.checkpoints([view])
    await documents.write([{ view, put: [], remove: [], from, to: positionOf(900) }])
    expect(await views.shows(await happen(price(96_000, 1)))).toBe(false)
    await isAstray(views, true)
    expect(await views.lag()).toMatchObject({ state: 'astray', trouble: expect.stringContaining('artworks') })
    await documents.write([{ view, put: [], remove: [], from: positionOf(900), to: from! }])
    projecting(eventStore, documents)
    await isAstray(views, false)
    expect(await views.shows(await happen(price(1, 2)))).toBe(true)
  })

  it('are found out by the first write to an older copy of the log, though all was well before', async () => {
    const { eventStore, happen } = history()
    const documents = memoryDocuments()
    const projector = projecting(eventStore, documents)
    const views = following(eventStore, documents, 20_000)
    expect(await views.shows(await happen(artworkAdded('w1'), price(96_000, 1), price(1, 2)))).toBe(true)
    await projector.stop()
    eventStore.events.splice(1)
    const written = recorded([artworkAdded('w1'), categoryAdded('c1', 'Hills')]).slice(1)
    expect(await views.shows(await appendAll(eventStore, written))).toBe(false)
    await isAstray(views, true)
  })

  it('are not asked of the log for what this process wrote itself', async () => {
    const { eventStore, happen } = history()
    const documents = memoryDocuments()
    projecting(eventStore, documents)
    const head = vi.fn<typeof eventStore.head>(eventStore.head)
    const views = following({ ...eventStore, head }, documents, 20_000)
    expect(await views.shows(await happen(artworkAdded('w1')))).toBe(true)
    const before = head.mock.calls.length
    expect(await views.shows(await happen(price(96_000, 1)))).toBe(true)
    expect(head.mock.calls.length).toBe(before)
  })
})

describe('views that another process writes', () => {
  it('are ready when all that was in the log at the start is shown', async () => {
    const { eventStore, happen } = history()
    const documents = memoryDocuments()
    await happen(categoryAdded('c1', 'Hills'), artworkAdded('w1'))
    const views = following(eventStore, documents, 20)
    let isReady = false
    void views.ready.then(() => {
      isReady = true
    })
    expect(await views.shows(await happen(price(96_000, 1))).then(() => isReady)).toBe(false)
    projecting(eventStore, documents)
    await views.ready
  })

  it('are read while the log answers this process alone not at all', async () => {
    const { eventStore, happen } = history()
    const documents = memoryDocuments()
    const head = vi.fn<typeof eventStore.head>(eventStore.head)
    const views = following({ ...eventStore, head }, documents)
    projecting(eventStore, documents)
    await views.ready
    head.mockImplementation(() => Promise.withResolvers<never>().promise)
    const before = await views.version(['artworks'])
    const others = following(eventStore, documents, 20_000)
    expect(await others.shows(await happen(artworkAdded('w1')))).toBe(true)
    expect(await views.version(['artworks'])).not.toBe(before)
    expect(await views.version(['artworks'])).toBe(await others.version(['artworks']))
  })

  it('show a command what it wrote, and let it go when that takes too long', async () => {
    const { eventStore, happen } = history()
    const documents = memoryDocuments()
    const views = following(eventStore, documents, 20)
    const position = await happen(artworkAdded('w1'))
    expect(await views.shows(position)).toBe(false)
    const patientViews = following(eventStore, documents, 20_000)
    const shown = patientViews.shows(position)
    projecting(eventStore, documents)
    expect(await shown).toBe(true)
    expect(await documents.get(artworksProjection.view, 'w1')).not.toBeNull()
  })

  it('are waited for by what a command wrote: a view that stands still holds no other up', async () => {
    const { eventStore, happen } = history()
    const documents = memoryDocuments()
    const views = following(eventStore, documents, 20_000)
    projectingOnly(eventStore, documents, ['artworks', 'images', 'categories'])
    expect(await views.shows(await happen(artworkAdded('w1')), ['ArtworkAdded'])).toBe(true)
    expect(await views.shows(await happen(categoryAdded('c1', 'Hills')), ['CategoryAdded'])).toBe(true)
    expect(await following(eventStore, documents, 20).shows(await happen(price(96_000, 1)))).toBe(false)
  })

  describe('and of which another version is read elsewhere, as during an update', () => {
    const [one, other] = [artworksProjection, { ...artworksProjection }].map((projection, n) => ({
      ...projection,
      view: { ...projection.view, version: n + 1 },
    }))
    if (one === undefined || other === undefined) throw new Error('There are two')
    const both = async (served: readonly ViewDefinition[]) => {
      const { eventStore, happen } = history()
      const documents: Documents = {
        ...memoryDocuments(),
        serve: async () => ({ others: served, isAnew: false }),
      }
      const project = (projection: Projection) =>
        running.push(startProjector({ eventStore, documents, projections: [projection], log: quiet }))
      project(one)
      const told: string[] = []
      const log = { ...quiet, warn: (_: object, words: string): void => void told.push(words) }
      const options = { eventStore, documents, projections: [one], log, isServing: true }
      const views = followViews({ ...options, showsWithinMs: 20_000 })
      const impatient = followViews({ ...options, showsWithinMs: 50 })
      running.push(views, impatient)
      await Promise.all([views.ready, impatient.ready])
      return { views, impatient, happen, project, told }
    }

    it('are shown once that one shows it too', async () => {
      const { views, impatient, happen, project, told } = await both([other.view])
      const position = await happen(artworkAdded('w1'))
      await vi.waitFor(async () => {
        expect(await impatient.shows(position, ['ArtworkAdded'])).toBe(false)
        expect(told).toEqual([expect.stringContaining('another version shows what is late')])
      })
      const shown = views.shows(position, ['ArtworkAdded'])
      views.stored(one.view.name, { position, changedAt: position })
      project(other)
      expect(await shown).toBe(true)
      expect(await impatient.shows(position, ['ArtworkAdded'])).toBe(true)
      expect(views.shownTo()).toBe(position)
    })

    it('are closed while those who write may not have waited for them, and until all is shown', async () => {
      vi.useFakeTimers()
      onTestFinished(() => void vi.useRealTimers())
      const { eventStore, happen } = history()
      const anew = [true, false, true, true, false]
      const documents: Documents = {
        ...memoryDocuments(),
        serve: async () => ({ others: [other.view], isAnew: anew.shift() ?? false }),
      }
      const options = { eventStore, documents, projections: [one], log: quiet }
      const projector = startProjector(options)
      const views = followViews({ ...options, isServing: true })
      const mayBeReadAfter = async (ms: number): Promise<boolean> => {
        await vi.advanceTimersByTimeAsync(ms)
        return views.mayBeRead()
      }
      expect(await mayBeReadAfter(3_900)).toBe(false)
      expect(await mayBeReadAfter(1_000)).toBe(true)
      // Who keeps them is away, this process stands still, and something is hidden.
      await projector.stop()
      await happen(artworkAdded('w1'))
      expect(await mayBeReadAfter(2_100)).toBe(false)
      expect(await mayBeReadAfter(60_000)).toBe(false)
      const again = startProjector(options)
      // Said once more meanwhile, and too late again.
      expect(await mayBeReadAfter(4_000)).toBe(false)
      expect(await mayBeReadAfter(1_000)).toBe(true)
      expect(anew).toEqual([])
      await Promise.all([views.stop(), again.stop()])
    })

    it('stay closed while those who write may not know of it, also where an engine fails and all is shown', async () => {
      vi.useFakeTimers()
      onTestFinished(() => void vi.useRealTimers())
      const { eventStore, happen } = history()
      const anew = [false, true, false, true, true, false]
      const stored = memoryDocuments()
      let isAway = false
      const documents: Documents = {
        ...stored,
        places: async (asked) => {
          if (isAway) throw new Error('away')
          return stored.places(asked)
        },
        serve: async () => ({ others: [other.view], isAnew: anew.shift() ?? false }),
      }
      const options = { eventStore, documents, projections: [one], log: quiet }
      const views = followViews({ ...options, isServing: true })
      const mayBeReadAfter = async (ms: number): Promise<boolean> => {
        await vi.advanceTimersByTimeAsync(ms)
        return views.mayBeRead()
      }
      expect(await mayBeReadAfter(100)).toBe(true)
      // Not heard for a while: closed, though nothing was written.
      expect(await mayBeReadAfter(2_000)).toBe(false)
      expect(await mayBeReadAfter(3_800)).toBe(false)
      expect(await mayBeReadAfter(200)).toBe(true)
      // The same once more, and again while it waits for what was written.
      expect(await mayBeReadAfter(2_000)).toBe(false)
      await happen(artworkAdded('w1'))
      await vi.advanceTimersByTimeAsync(6_100)
      expect(anew).toEqual([false])
      isAway = true
      await vi.advanceTimersByTimeAsync(100)
      isAway = false
      const projector = startProjector({ ...options, documents: stored })
      expect(await mayBeReadAfter(3_500)).toBe(false)
      expect(await mayBeReadAfter(1_000)).toBe(true)
      await Promise.all([views.stop(), projector.stop()])
    })

    it('are opened where they stay seconds behind what is written all the time', async () => {
      vi.useFakeTimers()
      onTestFinished(() => void vi.useRealTimers())
      const { eventStore, happen } = history()
      const heads = [await happen(artworkAdded('w1'))]
      let saidAt = Number.NEGATIVE_INFINITY
      const documents: Documents = {
        ...memoryDocuments(),
        places: async (asked) => {
          const position = heads.at(-10) ?? null
          return asked.map(() => ({ position, changedAt: position }))
        },
        serve: async () => {
          const isAnew = Date.now() - saidAt > servedForMs
          saidAt = Date.now()
          return { others: [other.view], isAnew }
        },
      }
      const views = followViews({ eventStore, documents, projections: [one], log: quiet, isServing: true })
      for (let second = 0; second < 30; second++) {
        heads.push(await happen(price(second, second + 1)))
        await vi.advanceTimersByTimeAsync(1_000)
      }
      expect(views.mayBeRead()).toBe(true)
      await views.stop()
    })

    it('hold nobody up where that one is of another view', async () => {
      const { views, happen } = await both([{ ...categoriesProjection.view, version: 99 }])
      expect(await views.shows(await happen(artworkAdded('w1')), ['ArtworkAdded'])).toBe(true)
    })
  })

  it('are closed where they were put back from an older copy, until all of the log is shown', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { eventStore, happen } = history()
    const added = await happen(artworkAdded('w1'))
    const hidden = await happen(price(96_000, 1))
    let shown = hidden
    const documents: Documents = {
      ...memoryDocuments(),
      places: async (asked) => asked.map(() => ({ position: shown, changedAt: shown })),
    }
    const options = { eventStore, documents, projections: allProjections, log: quiet }
    const views = followViews({ ...options, isServing: true })
    const mayBeReadAfter = async (ms: number): Promise<boolean> => {
      await vi.advanceTimersByTimeAsync(ms)
      return views.mayBeRead()
    }
    expect(await mayBeReadAfter(3_000)).toBe(true)
    const before = await views.version(['artworks'])
    shown = added
    // Nor is anybody answered who came before it was seen.
    await expect(views.version(['artworks'])).rejects.toThrow('not up to date')
    expect(await mayBeReadAfter(60_000)).toBe(false)
    shown = hidden
    expect(await mayBeReadAfter(8_000)).toBe(true)
    const after = await views.version(['artworks'])
    expect(after).toContain(hidden)
    // What was made just before may be of documents that were older already.
    expect(after).not.toBe(before)
    // The next copy is seen by itself.
    shown = added
    expect(await mayBeReadAfter(500)).toBe(false)
    await views.stop()
  })

  it('are known without a reading where this process has stored them', async () => {
    const { eventStore, happen } = history()
    const documents = memoryDocuments()
    const places = vi.fn<typeof documents.places>(documents.places)
    const views = following(eventStore, { ...documents, places }, 20_000)
    await views.ready
    const changes: ViewChange[] = []
    views.onChange((change) => changes.push(change))
    const position = await happen(artworkAdded('w1'))
    const shown = views.shows(position, ['ArtworkAdded'])
    views.stored('artworks', { position, changedAt: position })
    expect(await shown).toBe(true)
    expect(changes).toEqual([{ models: ['artworks'], position }])
  })

  it('are told of all at once, so that nobody who hears of one alone comes back behind the others', async () => {
    const { eventStore, happen } = history()
    await happen(artworkAdded('w1'), categoryAdded('c1', 'Hills'), price(96_000, 1))
    const places = new Map([
      [artworksProjection.view.name, positionOf(1)],
      [categoriesProjection.view.name, positionOf(1)],
    ])
    const documents: Documents = {
      ...memoryDocuments(),
      places: async (asked) =>
        asked.map(({ name }) => ({
          position: places.get(name) ?? null,
          changedAt: places.get(name) ?? null,
        })),
    }
    const projections = allProjections.filter(({ view }) => places.has(view.name))
    const views = followViews({ eventStore, documents, projections, log: quiet })
    running.push(views)
    await views.version(['artworks'])
    const changes: ViewChange[] = []
    views.onChange((change) => changes.push(change))
    places.set(artworksProjection.view.name, positionOf(3))
    places.set(categoriesProjection.view.name, positionOf(2))
    await views.version(['artworks'])
    expect(changes).toEqual([{ models: ['artworks', 'categories'], position: positionOf(3) }])
  })

  it('are not looked at for who was answered by what this process stored, but looked at some time', async () => {
    vi.useFakeTimers()
    try {
      const { eventStore, happen } = history()
      const documents = memoryDocuments()
      const places = vi.fn<typeof documents.places>(documents.places)
      const views = following(eventStore, { ...documents, places }, 20_000)
      await views.ready
      await vi.advanceTimersByTimeAsync(0)
      places.mockClear()
      const position = await happen(artworkAdded('w1'))
      const shown = views.shows(position, ['ArtworkAdded'])
      views.stored('artworks', { position, changedAt: position })
      expect(await shown).toBe(true)
      await vi.advanceTimersByTimeAsync(100)
      expect(places).not.toHaveBeenCalled()
      await vi.advanceTimersByTimeAsync(1_000)
      expect(places).toHaveBeenCalled()
    } finally {
      vi.useRealTimers()
    }
  })

  it('are looked at when somebody says that they were stored, where they are waited for', async () => {
    const { eventStore, happen } = history()
    const documents = memoryDocuments()
    let readings = 0
    const counted: Documents = {
      ...documents,
      places: async (asked) => {
        readings += 1
        return documents.places(asked)
      },
    }
    const views = following(eventStore, counted, 20_000)
    await views.ready
    await vi.waitFor(() => expect(readings).toBeGreaterThan(0), patient)
    const before = readings
    const shown = views.shows(await happen(artworkAdded('w1')), ['ArtworkAdded'])
    views.mayHaveMoved('messages')
    expect(readings).toBe(before)
    views.mayHaveMoved('artworks')
    await vi.waitFor(() => expect(readings).toBeGreaterThan(before), patient)
    projecting(eventStore, documents)
    expect(await shown).toBe(true)
  })

  it('have a version of their own, that differs once a document of theirs has changed', async () => {
    const { eventStore, happen } = history()
    const documents = memoryDocuments()
    const projector = projecting(eventStore, documents)
    const views = following(eventStore, documents)
    await projector.shows(await happen(categoryAdded('c1', 'Hills'), artworkAdded('w1')))
    const names = [artworksProjection.view.name, categoriesProjection.view.name]
    const versions = () => Promise.all(names.map((name) => views.version([name])))
    const [artworks, categories] = await versions()
    expect(await views.version(names)).toBe(`${artworks} ${categories}`)
    await projector.shows(await happen(price(96_000, 90_000)))
    const [artworksNow, categoriesNow] = await versions()
    expect(artworksNow).not.toBe(artworks)
    expect(categoriesNow).toBe(categories)
    expect([artworksNow, categoriesNow]).toEqual(names.map((name) => projector.version([name])))
  })

  it('never call half of a batch by the name of the whole', async () => {
    const { eventStore, happen } = history()
    const documents = memoryDocuments()
    const projector = projecting(eventStore, documents)
    await projector.shows(await happen(artworkAdded('w1')))
    // Written beside the documents and before the checkpoints, as on an engine without transactions.
    const early = await happen(price(96_000, 90_000))
    await projector.shows(early)
    const names = [artworksProjection.view.name]
    const whole = projector.version(names)
    const halfWay: Documents = {
      ...documents,
      places: async (asked) => asked.map(() => ({ position: positionOf(0), changedAt: positionOf(0) })),
    }
    const views = following(eventStore, halfWay, 20)
    expect(await views.version(names)).not.toBe(whole)
    expect(await views.shows(early)).toBe(false)
  })

  it('are asked once for all who ask together, and again for who asks later', async () => {
    const { eventStore, happen } = history()
    const documents = memoryDocuments()
    projecting(eventStore, documents)
    await happen(artworkAdded('w1'))
    let readings = 0
    const views = following(eventStore, {
      ...documents,
      places: async (asked) => {
        readings += 1
        return documents.places(asked)
      },
    })
    await views.ready
    const before = readings
    await Promise.all(Array.from({ length: 100 }, () => views.version([artworksProjection.view.name])))
    // The one that was under way when they came has begun too early for them.
    expect(readings - before).toBeLessThanOrEqual(3)
    const then = readings
    await views.version([artworksProjection.view.name])
    expect(readings).toBeGreaterThan(then)
  })

  it('tell what people see changing, and where', async () => {
    const { eventStore, happen } = history()
    const documents = memoryDocuments()
    const projector = projecting(eventStore, documents)
    await projector.shows(await happen(categoryAdded('c1', 'Hills'), artworkAdded('w1')))
    const views = following(eventStore, documents)
    await views.version([])
    const changes: ViewChange[] = []
    const stop = views.onChange((change) => changes.push(change))
    const position = await happen(price(96_000, 90_000))
    await vi.waitFor(() => expect(changes.at(-1)?.position).toBe(position), patient)
    const models = new Set(changes.flatMap((change) => change.models))
    expect(models).toContain('artworks')
    expect(models).not.toContain('categories')
    stop()
  })

  it('say how far they are behind, and go on by themselves after an engine was away', async () => {
    const { eventStore, happen } = history()
    const documents = memoryDocuments()
    let isAway = true
    await happen(artworkAdded('w1'))
    const views = following(eventStore, {
      ...documents,
      places: async (asked) => {
        if (isAway) throw new EngineAway('mongodb', 'MongoDB does not answer')
        return documents.places(asked)
      },
    })
    await expect(views.version([])).rejects.toThrow('MongoDB does not answer')
    await expect(views.lag()).rejects.toThrow('MongoDB does not answer')
    isAway = false
    expect(await views.lag()).toMatchObject({ state: 'catching-up', events: 1 })
    projecting(eventStore, documents)
    await views.ready
    expect(await views.lag()).toMatchObject({ state: 'live', events: 0, seconds: 0 })
  })

  it('are not up to date while one of them was never stored, whichever it is', async () => {
    const { eventStore, happen } = history()
    const documents = memoryDocuments()
    const position = await happen(artworkAdded('w1'), price(96_000, 1))
    const names = allProjections.map(({ view }) => view.name)
    projectingOnly(eventStore, documents, names.slice(0, -1))
    await vi.waitFor(async () => {
      const stored = await documents.checkpoints(allProjections.map(({ view }) => view))
      expect(stored.filter((each) => each === position)).toHaveLength(names.length - 1)
    }, patient)
    const views = following(eventStore, documents)
    expect(await views.lag()).toMatchObject({ state: 'catching-up', events: 2 })
    expect(views.shownTo()).toBe(null)
    projectingOnly(eventStore, documents, names.slice(-1))
    await views.ready
    expect(views.shownTo()).toBe(position)
  })
})
