import { expect, it } from 'vitest'
import { artworkStream } from '#domain/artworks/artwork.ts'
import { unreadableToPeople } from '../kernel/codec.ts'
import { envelop } from '../kernel/envelope.ts'
import { ownerCommand, testApplication } from '../testing/application.ts'
import { artworkInput } from '../testing/artwork-input.ts'
import { addArtwork } from './artworks.ts'
import { batchArtworks } from './batch.ts'

it('does all rows but the one of which something in the log cannot be read', async () => {
  const { app, eventStore } = testApplication()
  const { id: rotted } = await addArtwork(app, artworkInput(), ownerCommand())
  const { id: whole } = await addArtwork(app, artworkInput(), ownerCommand())
  const stream = artworkStream(rotted)
  const events = envelop([{ type: 'ArtworkHidden', data: {} }], stream, ownerCommand())
  await eventStore.append(
    stream,
    0,
    events.map((event) => ({ ...event, schemaVersion: 0 })),
  )
  const changed = [rotted, whole].map((id) => ({
    what: 'change' as const,
    id,
    changes: { price: 7 },
    expectedVersion: null,
  }))
  const { rows } = await batchArtworks(app, changed, ownerCommand())
  expect(rows).toEqual([
    { id: rotted, outcome: 'blocked', fields: { id: unreadableToPeople } },
    { id: whole, outcome: 'changed' },
  ])
})
