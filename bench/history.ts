import { setTimeout as pause } from 'node:timers/promises'
import { encodeEvent } from '#application/kernel/codec.ts'
import type { Documents } from '#application/kernel/ports/documents.ts'
import type { EventStore, NewEvent } from '#application/kernel/ports/event-store.ts'
import { anArtwork } from '#domain/artworks/testing/an-artwork.ts'
import type { DomainEvent } from '#domain/events.ts'
import type { Database } from '#infrastructure/embedded/database.ts'
import { droppedPrefix } from '#infrastructure/embedded/documents.ts'
import { catchUp } from '#projections/runtime/catch-up.ts'
import { openFolds } from '#projections/runtime/fold-group.ts'
import type { Projection } from '#projections/runtime/projection.ts'
import { enveloped } from './envelope.ts'
import { median } from './measure.ts'

const image = {
  imageUrl: `/images/${'a'.repeat(64)}/original-view.jpg`,
  source: 'own',
  hash: 'a'.repeat(64),
} as const

const added = (stream: number): DomainEvent => ({
  type: 'ArtworkAdded',
  data: anArtwork({
    title: `Monsoon over the Ghats, no. ${stream}`,
    description: 'Painted out of doors in one sitting, between two showers, on the way down to the sea.',
    picture: image,
    price: 96_000,
    category: { id: null, name: 'Landscape' },
    rank: `a${stream}`,
  }),
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

/** @returns event `number` of a stream, with an id of its own */
export const eventOf = (stream: number, number: number): NewEvent =>
  enveloped(encodeEvent(number === 0 ? added(stream) : changed(number)))

const rounds = 3

/** Resolves when an embedded data file has emptied the tables that were dropped. */
export const untilCleared = async ({ sql }: Pick<Database, 'sql'>): Promise<void> => {
  const dropped = sql('SELECT 1 FROM sqlite_schema WHERE name LIKE ? LIMIT 1')
  while (dropped.get(`${droppedPrefix}%`) !== undefined) await pause(10)
}

/** What is replayed, and into where. */
export interface Replayed {
  readonly log: EventStore
  readonly documents: Documents
  readonly events: number
  /** resolves when nothing of the round before is cleared away any more: no first start and no rebuild does that meanwhile */
  readonly cleared?: () => Promise<void>
}

/** The whole log again through some views into empty places, several times. @returns events per second (middle) */
export const replayRate = async (replayed: Replayed, projections: readonly Projection[]): Promise<number> => {
  const { log, documents, events, cleared } = replayed
  const rates: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const { view } of projections) await documents.drop(view)
    await cleared?.()
    const start = performance.now()
    const group = await openFolds(documents, projections)
    const parked: string[] = []
    await catchUp({
      eventStore: log,
      group,
      signal: new AbortController().signal,
      store: async (gathered) => {
        await gathered.store()
        parked.push(...gathered.parked.map(({ reason }) => reason))
      },
    })
    rates.push((events / (performance.now() - start)) * 1000)
    if (parked.length > 0) throw new Error(`${parked.length} events were parked: ${parked[0]}`)
  }
  return median(rates)
}
