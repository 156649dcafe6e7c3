import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Documents } from '#application/kernel/ports/documents.ts'
import type { EventStore, ExpectedRevision } from '#application/kernel/ports/event-store.ts'
import type { DomainEvent } from '#domain/events.ts'
import { openDatabase, type Database } from '#infrastructure/embedded/database.ts'
import { openDocuments } from '#infrastructure/embedded/documents.ts'
import { openEventStore } from '#infrastructure/embedded/event-store.ts'
import { allProjections } from '../all-projections.ts'
import { listActivity } from '../activity/queries.ts'
import { findArtwork, listPublicArtworks, upiUriOfQr } from '../artworks/queries.ts'
import { type Projector, startProjector } from './projector.ts'
import { type Happened, recorded } from '../testing/history.ts'
import { memoryDocuments } from '#application/testing/memory-documents.ts'
import { categoryAdded, payment, toArtwork, artworkAdded } from '../testing/artworks.ts'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const hills = { id: uuid(900), name: 'Hills' }

let folder: string
let database: Database
let eventStore: EventStore
let documents: Documents
let projector: Projector

const open = async (): Promise<void> => {
  database = openDatabase(join(folder, 'atelier.db'))
  eventStore = openEventStore(database)
  documents = openDocuments(database)
  projector = startProjector({ eventStore, documents, projections: allProjections, log: quiet })
  await projector.ready
}
const close = async (): Promise<void> => {
  await projector.stop()
  await eventStore.close()
  database.close()
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'projector-'))
  await open()
})
afterEach(async () => {
  await close()
  await rm(folder, { recursive: true })
})

let appended = 0
/** Appends each to the end of its stream, whatever stands there; does not wait until it is shown. */
const write = async (...history: readonly Happened[]): Promise<{ readonly shown: Promise<boolean> }> => {
  let shown = Promise.resolve(true)
  for (const event of recorded(history)) {
    const before = (await eventStore.readStream(event.stream, 0)).at(-1)?.revision
    const expected: ExpectedRevision = before ?? 'no-stream'
    appended += 1
    const { position } = await eventStore.append(event.stream, expected, [
      { ...event, id: uuid(1_000 + appended) },
    ])
    shown = projector.shows(position)
  }
  return { shown }
}
const append = async (...history: readonly Happened[]): Promise<boolean> => (await write(...history)).shown

/** What every view holds, read through the queries' own port. */
const everything = async (from: Documents) =>
  Promise.all(allProjections.map(async ({ view }) => [view.name, await from.find(view, {})]))

/** A seeded mix of changes to a few works, one category and the payment settings. */
const happenings = (seed: number, count: number): readonly Happened[] => {
  let state = seed
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
  const toAny = (event: Extract<DomainEvent, { type: `Artwork${string}` }>) => toArtwork(uuid(next(8)), event)
  const kinds: readonly (() => Happened)[] = [
    () => toAny({ type: 'ArtworkPriceChanged', data: { from: 0, to: next(100_000) } }),
    () => toAny({ type: 'ArtworkRetitled', data: { from: '', to: `Title ${next(50)}` } }),
    () => toAny({ type: 'ArtworkCategorised', data: { from: { id: null, name: '' }, to: hills } }),
    () => toAny({ type: 'ArtworkDeleted', data: { title: '' } }),
    () => toAny({ type: 'ArtworkRestored', data: {} }),
    () => payment(`asha${next(3)}@okbank`),
    () => ({
      stream: 'categories',
      event: { type: 'CategoryRenamed', data: { id: hills.id, from: '', to: `Hills ${next(9)}` } },
    }),
  ]
  return Array.from({ length: count }, () => kinds[next(kinds.length)]?.() ?? payment('asha@okbank'))
}
const artworks = Array.from({ length: 8 }, (_, n) =>
  artworkAdded(uuid(n), { category: hills, rank: `a${n}` }),
)

describe('the projector on the embedded engines', () => {
  it('shows a change at the moment its command may answer', async () => {
    expect(await append(artworkAdded(uuid(1)))).toBe(true)
    expect(await findArtwork(documents, uuid(1), { signedIn: false })).toMatchObject({ price: 96_000 })
    await append(
      toArtwork(uuid(1), { type: 'ArtworkPriceChanged', data: { from: 96_000, to: 5 } }),
      payment('a@bank'),
    )
    const artwork = await findArtwork(documents, uuid(1), { signedIn: false })
    expect(artwork).toMatchObject({ price: 5, version: 2 })
    expect(await upiUriOfQr(documents, artwork?.qrCodeUrl?.slice(4, 36) ?? '')).toContain('am=5.00')
    expect((await listActivity(documents, { limit: 1 })).items).toHaveLength(1)
  })

  it('shows every one of many changes made at once', async () => {
    const position = await Promise.all(
      recorded(artworks).map((event, n) =>
        eventStore.append(event.stream, 'no-stream', [{ ...event, id: uuid(n) }]),
      ),
    )
    await Promise.all(position.map((each) => projector.shows(each.position)))
    expect((await listPublicArtworks(documents)).map(({ id }) => id)).toEqual(artworks.map((_, n) => uuid(n)))
  })

  it.each([1, 2, 3])('after stops at any time equals a fresh replay (seed %i)', async (seed) => {
    await append(categoryAdded(hills.id, hills.name), ...artworks)
    const story = happenings(seed, 120)
    for (let from = 0; from < story.length; from += 40) {
      // Not waited for: the stop comes while the projector is at work.
      await write(...story.slice(from, from + 40))
      await close()
      await open()
    }
    const fresh = memoryDocuments()
    const replay = startProjector({ eventStore, documents: fresh, projections: allProjections, log: quiet })
    await replay.ready
    await replay.stop()
    expect(await everything(documents)).toEqual(await everything(fresh))
    expect((await projector.lag()).parked).toBe(0)
  })

  it('goes back with its documents when a commit fails between documents and checkpoint', async () => {
    await append(...artworks)
    await projector.stop()
    const torn: Documents = {
      ...documents,
      write: (writes) =>
        // The checkpoint of a view that nobody prepared: fails after the documents of the others.
        documents.write([
          ...writes,
          {
            view: { name: 'nowhere', version: 1, indexes: [] },
            put: [{ id: 'x' }],
            remove: [],
            from: null,
            to: writes[0]!.to,
          },
        ]),
    }
    const before = await everything(documents)
    const failing = startProjector({ eventStore, documents: torn, projections: allProjections, log: quiet })
    await failing.ready
    await append(toArtwork(uuid(1), { type: 'ArtworkPriceChanged', data: { from: 1, to: 7 } }))
    const head = await eventStore.head()
    expect(head === null ? true : await failing.shows(head)).toBe(false)
    await failing.stop()
    expect(await everything(documents)).toEqual(before)
    projector = startProjector({ eventStore, documents, projections: allProjections, log: quiet })
    await projector.ready
    expect(await findArtwork(documents, uuid(1), { signedIn: false })).toMatchObject({ price: 7, version: 2 })
  })
})
