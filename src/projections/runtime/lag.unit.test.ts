import { expect, it } from 'vitest'
import type { RecordedEvent } from '#application/kernel/ports/event-store.ts'
import { memoryDocuments } from '#application/testing/memory-documents.ts'
import { memoryEventStore, positionOf } from '#application/testing/memory-event-store.ts'
import { artworksProjection } from '../artworks/artworks-view.ts'
import { imagesProjection } from '../images/images-view.ts'
import { artworkAdded } from '../testing/artworks.ts'
import { appendAll, recorded } from '../testing/history.ts'
import { measureLag } from './lag.ts'

it('counts from the view that is furthest behind, also where that shows nothing yet and comes last', async () => {
  const eventStore = memoryEventStore()
  await appendAll(eventStore, recorded([artworkAdded('w1'), artworkAdded('w2'), artworkAdded('w3')]))
  const places = [
    { view: artworksProjection.view, position: positionOf(0) },
    { view: imagesProjection.view, position: null },
  ]
  const lag = await measureLag({ eventStore, documents: memoryDocuments() }, places)
  expect(lag.views.map(({ events }) => events)).toEqual([2, 3])
  expect(lag.events).toBe(3)
})

it('tells since when a view lags also where the time of the oldest event has rotted', async () => {
  const eventStore = memoryEventStore()
  await appendAll(eventStore, recorded([artworkAdded('w1'), artworkAdded('w2')]))
  eventStore.events.splice(0, 1, { ...eventStore.events[0], occurredAt: '' } as RecordedEvent)
  const lag = await measureLag({ eventStore, documents: memoryDocuments() }, [
    { view: artworksProjection.view, position: null },
  ])
  expect(lag.seconds).toBeGreaterThan(0)
})
