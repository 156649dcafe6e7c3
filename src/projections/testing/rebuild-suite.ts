import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Document, Documents, ViewDefinition } from '#application/kernel/ports/documents.ts'
import type { EventStore, NewEvent, Position } from '#application/kernel/ports/event-store.ts'
import { allProjections } from '../all-projections.ts'
import { findArtwork, listPublicArtworks } from '../artworks/queries.ts'
import type { Projection } from '../runtime/projection.ts'
import { type Projector, startProjector } from '../runtime/projector.ts'
import { buildAstray } from '../runtime/rebuild-by-projector.ts'
import type { BuildOptions, BuildReport } from '../runtime/rebuild.ts'
import { type Happened, recorded } from './history.ts'
import { categoryAdded, toArtwork, artworkAdded } from './artworks.ts'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const artworks = 20
const changesPerArtwork = 60

/** The two engines that a rebuild is about, opened on what they hold already. */
interface RebuildEngines {
  readonly eventStore: EventStore
  readonly documents: Documents
  /** Puts something that cannot be read in the place of a document, as a broken disk or a hand would. */
  readonly corrupt: (view: ViewDefinition, id: string) => Promise<void>
  readonly setCheckpoint: (view: ViewDefinition, position: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** Makes a place for one test: opened again and again, then removed. */
type MakePlace = () => Promise<{
  readonly open: () => Promise<RebuildEngines>
  readonly remove: () => Promise<void>
}>

let opened: RebuildEngines
let eventStore: EventStore
let documents: Documents
let projector: Projector
let place: Awaited<ReturnType<MakePlace>>

const open = async (projections: readonly Projection[] = allProjections): Promise<void> => {
  opened = await place.open()
  ;({ eventStore, documents } = opened)
  projector = startProjector({ eventStore, documents, projections, log: quiet })
  await projector.ready
}
const close = async (): Promise<void> => {
  await projector.stop()
  await opened.close()
}

const price = (artwork: number, from: number, to: number): Happened =>
  toArtwork(uuid(artwork), { type: 'ArtworkPriceChanged', data: { from, to } })

/** A log of some thousand events on a few works. */
const fill = async (): Promise<void> => {
  const story = Array.from({ length: artworks }, (_, n) => [
    artworkAdded(uuid(n), { price: 0, rank: `a${String(n).padStart(3, '0')}` }),
    ...Array.from({ length: changesPerArtwork }, (__, change) => price(n, change, change + 1)),
  ])
  const events = recorded([categoryAdded(uuid(900), 'Hills'), ...story.flat()])
  const streams = Map.groupBy(events, ({ stream }) => stream)
  await Promise.all([...streams].map(([stream, all]) => eventStore.append(stream, 'no-stream', all)))
}

let more = 0
/** Changes a work's price once more. @returns whether it was shown */
const changePrice = async (artwork: number, to: number): Promise<boolean> => {
  const stream = `artwork-${uuid(artwork)}`
  const revision = (await eventStore.readStream(stream, 0)).length - 1
  more += 1
  const event: NewEvent = { ...recorded([price(artwork, 0, to)])[0]!, id: uuid(10_000 + more) }
  const { position } = await eventStore.append(stream, revision, [event])
  return projector.shows(position)
}

/** Changes what is served without an event, as a mistake in the program or a hand in the data would. */
const spoil = async (view: string, change: (doc: Document) => Document | null): Promise<void> => {
  const place = allProjections.find((each) => each.view.name === view)!.view
  const [at = null] = await documents.checkpoints([place])
  const [doc] = await documents.find(place, { limit: 1 })
  const changed = change(doc!)
  const write = changed === null ? { put: [], remove: [doc!.id] } : { put: [changed], remove: [] }
  await documents.write([{ view: place, ...write, from: at, to: at! }])
}

const never = new AbortController().signal
const plainly: BuildOptions = { views: [], fresh: false, signal: never, onProgress: () => undefined }
const everything = async () =>
  Promise.all(allProjections.map(async ({ view }) => [view.name, await documents.find(view, {})]))
/** Places of builds that hold something. */
const builds = async (): Promise<readonly ViewDefinition[]> => {
  const places = ['rebuild', 'verify'].flatMap((build) =>
    allProjections.map(({ view }) => ({ ...view, build })),
  )
  const checkpoints = await documents.checkpoints(places)
  return places.filter((_, n) => checkpoints[n] != null)
}

/** What a rebuild and a verification promise, on any engines. */
export const rebuildSuite = (name: string, makePlace: MakePlace): void => {
  describe(`views built anew: ${name}`, () => {
    beforeEach(async () => {
      place = await makePlace()
      await open()
      await fill()
      await projector.shows((await eventStore.head())!)
    })
    afterEach(async () => {
      await close()
      await place.remove()
    })

    describe('what is stored cannot be read', () => {
      const viewOf = (name: string): ViewDefinition =>
        allProjections.find(({ view }) => view.name === name)!.view

      it('holds nobody up, differs in a verification, and is made anew by a rebuild', async () => {
        await projector.stop()
        await opened.corrupt(viewOf('artworks'), uuid(0))
        await opened.close()
        await open()
        expect(await changePrice(0, 7_000)).toBe(true)
        expect(await changePrice(1, 8_000)).toBe(true)
        expect((await findArtwork(documents, uuid(1), { signedIn: true }))?.price).toBe(8_000)
        await expect(findArtwork(documents, uuid(0), { signedIn: true })).rejects.toThrow(
          '"atelier projections rebuild artworks"',
        )
        const of = (report: BuildReport) => report.views.find(({ view }) => view === 'artworks')
        expect(of(await projector.build('verify', plainly))?.differences).toEqual([
          { view: 'artworks', id: uuid(0), kind: 'different', fields: {} },
        ])
        const rebuilt = await projector.build('rebuild', plainly)
        expect([rebuilt.switched, of(rebuilt)?.differences.length]).toEqual([true, 1])
        expect((await findArtwork(documents, uuid(0), { signedIn: true }))?.price).toBe(7_000)
        expect((await projector.lag()).parked).toBe(0)
        expect(of(await projector.build('verify', plainly))).toMatchObject({ differences: [], parked: [] })
      })

      it.each(['9999999999999999', 'nothing that a log ever gave'])(
        'a view that says it stands at %s is verified and rebuilt from the log alone',
        async (position) => {
          const before = await everything()
          await projector.stop()
          await opened.setCheckpoint(viewOf('artworks'), position)
          await opened.corrupt(viewOf('artworks'), uuid(0))
          const some = allProjections.filter(({ view }) => view.name === 'artworks')
          const [verified] = (await buildAstray(opened, some, 'verify', plainly)).views
          expect(verified).toMatchObject({ astray: position, differences: [{ id: uuid(0) }] })
          expect((await buildAstray(opened, some, 'rebuild', plainly)).switched).toBe(true)
          await opened.close()
          await open()
          expect(await everything()).toEqual(before)
          expect(await changePrice(0, 9_000)).toBe(true)
          expect((await findArtwork(documents, uuid(0), { signedIn: true }))?.price).toBe(9_000)
        },
      )

      it('a rebuild that broke off on another log is begun anew', async () => {
        const built = { ...viewOf('artworks'), build: 'rebuild' }
        await documents.prepare([built])
        // Any text that sorts behind the end of this log.
        const beyond = '9999999999999999' as Position
        const put = [{ id: uuid(999), position: beyond }]
        await documents.write([{ view: built, put, remove: [], from: null, to: beyond }])
        const report = await projector.build('rebuild', { ...plainly, views: ['artworks'] })
        expect(report).toMatchObject({ switched: true, views: [{ differences: [] }] })
      })
    })

    describe('verify', () => {
      it('finds nothing where nothing is wrong, and leaves nothing behind', async () => {
        const report = await projector.build('verify', plainly)
        expect(report.views.map(({ view }) => view)).toEqual(allProjections.map(({ view }) => view.name))
        expect(report.views.flatMap(({ differences }) => differences)).toEqual([])
        expect(report).toMatchObject({ events: 1 + artworks * (1 + changesPerArtwork), switched: false })
        expect(await builds()).toEqual([])
      })

      it('finds each document that was changed, lost or made up by hand', async () => {
        await spoil('artworks', (doc) => ({ ...doc, price: 1_000_000 }))
        await spoil('categories', () => null)
        await spoil('activity', (doc) => ({ ...doc, id: 'zz-made-up' }))
        const report = await projector.build('verify', plainly)
        expect(report.views.flatMap(({ differences }) => differences)).toEqual([
          {
            view: 'artworks',
            id: uuid(0),
            kind: 'different',
            fields: { price: { served: 1_000_000, log: changesPerArtwork } },
          },
          { view: 'categories', id: uuid(900), kind: 'missing', fields: {} },
          { view: 'activity', id: 'zz-made-up', kind: 'surplus', fields: {} },
        ])
        expect((await findArtwork(documents, uuid(0), { signedIn: true }))?.price).toBe(1_000_000)
        expect(await builds()).toEqual([])
      })

      it('is not led astray by what is written meanwhile', async () => {
        let written = 0
        const writing = projector.build('verify', {
          ...plainly,
          onProgress: () => {
            written += 1
            void changePrice(written % artworks, written)
          },
        })
        const report = await writing
        expect(report.views.flatMap(({ differences }) => differences)).toEqual([])
        expect(written).toBeGreaterThan(10)
      })

      it('looks at the views it is asked for', async () => {
        await spoil('artworks', () => null)
        const report = await projector.build('verify', { ...plainly, views: ['categories'] })
        expect(report.views).toMatchObject([{ view: 'categories', documents: 1, differences: [] }])
      })
    })

    describe('rebuild', () => {
      it('serves what the log says, tells who looks, and lasts over a restart', async () => {
        const right = await everything()
        await spoil('artworks', (doc) => ({ ...doc, price: 7 }))
        const heard: unknown[] = []
        projector.onChange(({ models }) => heard.push(models))
        const [artworks, categories] = [projector.version(['artworks']), projector.version(['categories'])]
        const report = await projector.build('rebuild', plainly)
        expect(report.switched).toBe(true)
        expect(await everything()).toEqual(right)
        expect(heard).toEqual([['artworks']])
        // Pages made of the former documents are made anew, others are not.
        const renewed = projector.version(['artworks'])
        expect(renewed).not.toBe(artworks)
        expect(projector.version(['categories'])).toBe(categories)
        expect(await builds()).toEqual([])
        await close()
        await open()
        expect(projector.version(['artworks'])).toBe(renewed)
        expect(await changePrice(3, 5)).toBe(true)
        expect((await findArtwork(documents, uuid(3), { signedIn: true }))?.price).toBe(5)
      })

      it('fails no read, shows nothing wrong and stalls no write', { timeout: 180_000 }, async () => {
        const ids = (await listPublicArtworks(documents)).map(({ id }) => id)
        const acknowledged = new Map<string, number>()
        let going = true
        let [reads, writes] = [0, 0]
        const wrong: string[] = []
        const readers = [0, 1, 2].map(async (reader) => {
          for (; going; await turn()) {
            const id = ids[(reads + reader) % ids.length]!
            const atLeast = acknowledged.get(id) ?? 0
            const [list, one] = [
              await listPublicArtworks(documents),
              await findArtwork(documents, id, { signedIn: false }),
            ]
            reads += 1
            if (list.map((each) => each.id).join() !== ids.join()) wrong.push('the list has other works')
            if ((one?.price ?? -1) < atLeast) wrong.push(`${id} shows ${one?.price}, not ${atLeast}`)
          }
        })
        const writer = (async () => {
          for (let n = 1; going; n += 1, await turn()) {
            const [artwork, to] = [n % artworks, 1_000 + n]
            if (!(await changePrice(artwork, to))) wrong.push('a write was not shown')
            writes += 1
            acknowledged.set(uuid(artwork), to)
          }
        })()
        for (let round = 0; round < 3; round += 1) {
          const before = { reads, writes }
          expect((await projector.build('rebuild', plainly)).switched).toBe(true)
          // More than were under way when it began: neither waited for its end.
          expect(reads).toBeGreaterThan(before.reads + 3)
          expect(writes).toBeGreaterThan(before.writes + 1)
        }
        going = false
        await Promise.all([...readers, writer])
        expect(wrong).toEqual([])
        const { views } = await projector.build('verify', plainly)
        expect(views.flatMap(({ differences }) => differences)).toEqual([])
      })

      it('goes on where it was broken off', async () => {
        const stopping = new AbortController()
        const begun = projector.build('rebuild', {
          ...plainly,
          signal: stopping.signal,
          onProgress: ({ done }) => {
            if (done >= 1_000) stopping.abort()
          },
        })
        await expect(begun).rejects.toThrow('goes on where this one ended')
        expect(await builds()).not.toEqual([])
        await close()
        await open()
        const right = await everything()
        const report = await projector.build('rebuild', plainly)
        expect(report.events).toBeLessThan(artworks * changesPerArtwork - 500)
        expect(report.switched).toBe(true)
        expect(await everything()).toEqual(right)
      })

      it('begins anew when told so', async () => {
        const stopping = new AbortController()
        const onProgress = ({ done }: { done: number }) => {
          if (done >= 1_000) stopping.abort()
        }
        await projector
          .build('rebuild', { ...plainly, signal: stopping.signal, onProgress })
          .catch(() => undefined)
        const report = await projector.build('rebuild', { ...plainly, fresh: true })
        expect(report.events).toBe(1 + artworks * (1 + changesPerArtwork))
      })

      it('does not switch to a view that lost an event which is served', async () => {
        await close()
        const worse = allProjections.map((projection) => ({
          ...projection,
          apply: (...args: Parameters<Projection['apply']>) => {
            if (projection.view.name === 'categories') throw new Error('A mistake in the program')
            return projection.apply(...args)
          },
        }))
        await open(worse)
        const report = await projector.build('rebuild', { ...plainly, views: ['categories'] })
        expect(report).toMatchObject({
          switched: false,
          views: [{ parked: [{ reason: 'A mistake in the program' }] }],
        })
        expect(await documents.count(allProjections[2]!.view, {})).toBe(1)
      })

      it('runs one at a time', async () => {
        const first = projector.build('rebuild', plainly)
        await expect(projector.build('verify', plainly)).rejects.toThrow('already')
        await first
      })

      it('ends with the projector', async () => {
        const begun = projector.build('rebuild', { ...plainly, onProgress: () => void projector.stop() })
        await expect(begun).rejects.toThrow(/stopped/i)
      })
    })
  })
}
