import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { encodeEvent } from '#application/codec.ts'
import type { Document } from '#application/ports/documents.ts'
import type { ExpectedRevision, NewEvent } from '#application/ports/event-store.ts'
import type { DomainEvent } from '#domain/events.ts'
import { openDatabase } from '#infrastructure/embedded/database.ts'
import { openDocuments } from '#infrastructure/embedded/documents.ts'
import { openEventStore } from '#infrastructure/embedded/event-store.ts'
import { viewTable } from '#infrastructure/embedded/view-tables.ts'
import { allProjections } from '#projections/all-projections.ts'
import { artworksProjection } from '#projections/artworks/artworks-view.ts'
import { catchUp, openViews } from '#projections/catch-up.ts'
import type { Projection } from '#projections/projection.ts'
import { upsertRate, withFolder } from './floors.ts'
import { median } from './measure.ts'
import { type Bench, row } from './row.ts'

const streams = 1_000
const perStream = 100
const events = streams * perStream
const rounds = 3

const picture = {
  imageUrl: `/images/${'a'.repeat(64)}/original-view.jpg`,
  source: 'own',
  hash: 'a'.repeat(64),
} as const

const added = (stream: number): DomainEvent => ({
  type: 'ArtworkAdded',
  data: {
    title: `Monsoon over the Ghats, no. ${stream}`,
    description: 'Painted out of doors in one sitting, between two showers, on the way down to the sea.',
    picture,
    price: 96_000,
    category: { id: null, name: 'Landscape' },
    medium: { id: null, name: 'Oil on canvas' },
    dimensions: '60 × 90 cm',
    yearCreated: 2020,
    altText: '',
    qrCodeUrl: null,
    isAvailable: true,
    isVisible: true,
    isFeatured: false,
    saleStatus: 'for_sale',
    sortOrder: 0,
    rank: `a${stream}`,
    sample: false,
  },
})

/** What happens to a work over the years: mostly its price, now and then its words, its place on the wall, its sale. */
const changed = (number: number): DomainEvent => {
  switch (number % 10) {
    case 3:
      return { type: 'ArtworkRetitled', data: { from: `Title ${number - 1}`, to: `Title ${number}` } }
    case 5:
      return { type: 'ArtworkHidden', data: {} }
    case 6:
      return { type: 'ArtworkMadeAvailable', data: {} }
    case 8:
      return { type: 'ArtworkReserved', data: { from: 'for_sale' } }
    case 9:
      return { type: 'ArtworkReleased', data: { from: 'reserved' } }
    default:
      return { type: 'ArtworkPriceChanged', data: { from: 96_000 + number - 1, to: 96_000 + number } }
  }
}

const stored = (event: DomainEvent): NewEvent => {
  const commandId = randomUUID()
  return {
    id: randomUUID(),
    ...encodeEvent(event),
    occurredAt: new Date().toISOString(),
    meta: {
      commandId,
      correlationId: randomUUID(),
      causationId: commandId,
      actor: { kind: 'owner', accountId: randomUUID() },
    },
  }
}

/** The whole log again through some views into empty tables, several times. @returns events per second (middle) */
const replayRate = async (
  log: ReturnType<typeof openEventStore>,
  documents: ReturnType<typeof openDocuments>,
  projections: readonly Projection[],
): Promise<number> => {
  const rates: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const { view } of projections) await documents.drop(view)
    const start = performance.now()
    const views = await openViews(documents, projections)
    const parked: string[] = []
    await catchUp({
      eventStore: log,
      views,
      signal: new AbortController().signal,
      onStored: (written) => parked.push(...written.parked.map(({ reason }) => reason)),
    })
    rates.push((events / (performance.now() - start)) * 1000)
    if (parked.length > 0) throw new Error(`${parked.length} events were parked: ${parked[0]}`)
  }
  return median(rates)
}

/** What a projector without folding would do: one upsert per event into the view's own table with its indexes. */
const indexedUpsertRate = async (folder: string, document: Document): Promise<number> => {
  const { view } = artworksProjection
  const database = openDatabase(join(folder, 'indexed.db'))
  await openDocuments(database).prepare([view])
  const table = viewTable(view)
  const upsert = database.sql(table.upsert)
  const text = JSON.stringify(document)
  const columns = table.columns(document)
  const ids = Array.from({ length: streams }, () => randomUUID())
  const start = performance.now()
  for (let number = 0; number < perStream; number += 1)
    database.transaction('relaxed', () => ids.forEach((id) => upsert.run(text, id, ...columns)))
  const rate = (events / (performance.now() - start)) * 1000
  database.close()
  return rate
}

const bench: Bench = {
  name: `Replay of ${events.toLocaleString('en-GB')} events on ${streams.toLocaleString('en-GB')} streams`,
  run: () =>
    withFolder(async (folder) => {
      const database = openDatabase(join(folder, 'atelier.db'))
      const log = openEventStore(database)
      const documents = openDocuments(database)
      const ids = Array.from({ length: streams }, () => randomUUID())
      for (let number = 0; number < perStream; number += 1) {
        const expected: ExpectedRevision = number === 0 ? 'no-stream' : number - 1
        await Promise.all(
          ids.map((id, stream) =>
            log.append(`artwork-${id}`, expected, [stored(number === 0 ? added(stream) : changed(number))]),
          ),
        )
      }
      const works = allProjections.filter(({ view }) => view.name === artworksProjection.view.name)
      const rate = await replayRate(log, documents, works)
      const shown = await documents.count(artworksProjection.view, { state: 'present' })
      if (shown !== streams) throw new Error(`${shown} works are shown after the replay, not ${streams}`)
      const [document] = await documents.find(artworksProjection.view, { limit: 1 })
      if (document === undefined) throw new Error('No work is shown after the replay')
      const text = JSON.stringify(document)
      const together = await replayRate(log, documents, allProjections)
      const floor = upsertRate(folder, events, { documents: streams, text })
      const indexed = await indexedUpsertRate(folder, document)
      await log.close()
      database.close()
      return [
        row('artworks view', rate, '/s', {
          floor: { what: 'one bare upsert of the document per event', value: floor },
          aim: { atLeast: 0.6 },
        }),
        row('artworks view, beside its own table', rate, '/s', {
          floor: { what: 'one upsert per event, indexes kept', value: indexed },
        }),
        row(`all ${allProjections.length} views together`, together, '/s'),
      ]
    }),
}
export default bench
