import { describe, expect, test } from 'vitest'
import { type ArtworkCommand, artworkDecider, artworkOf } from './artwork.ts'
import type { ArtworkEvent } from './events.ts'
import { anArtwork } from './testing/an-artwork.ts'
import { causes, given, refuses } from '../testing/decider-spec.ts'

const today = '2026-03-01'
const artwork = anArtwork()
const added: ArtworkEvent = { type: 'ArtworkAdded', data: artwork }
const priced = (from: number, to: number): ArtworkEvent => ({
  type: 'ArtworkPriceChanged',
  data: { from, to },
})
const deleted: ArtworkEvent = { type: 'ArtworkDeleted', data: { title: artwork.title } }
const restored: ArtworkEvent = { type: 'ArtworkRestored', data: {} }
const undo = (...events: readonly ArtworkEvent[]): ArtworkCommand => ({
  type: 'UndoArtworkChange',
  events,
})

const everything: ArtworkCommand = {
  type: 'ReviseArtwork',
  today,
  changes: {
    title: 'Blue Door',
    description: 'Found in Goa',
    picture: { imageUrl: 'https://x.in/a.jpg', source: 'link', hash: null },
    price: 1,
    category: { id: null, name: 'Doors' },
    medium: { id: 'm1', name: 'Ink' },
    dimensions: '1 × 1 cm',
    yearCreated: null,
    altText: 'A door',
    qrCodeUrl: 'https://bank.in/qr.png',
    isAvailable: false,
    isVisible: false,
    isFeatured: true,
    saleStatus: 'sold',
    sortOrder: 3,
  },
}

describe('undoing', () => {
  test('a price goes back', () => {
    expect(given(artworkDecider, added, priced(45_000, 1)).when(undo(priced(45_000, 1)))).toEqual(
      causes(priced(1, 45_000)),
    )
  })

  test('all that one command changed goes back together', () => {
    const [, ...events] = given(artworkDecider, added).after(everything)
    expect(events).toHaveLength(15)
    const back = given(artworkDecider, added, ...events).after(undo(...events))
    expect(artworkOf(given(artworkDecider, ...back).state)).toEqual(artwork)
  })

  test('a picture goes back also where the one of another site was copied since', () => {
    const there = 'https://x.in/a.jpg'
    const hash = 'b'.repeat(64)
    const copy = { imageUrl: `/images/${hash}/original-view.jpg`, source: 'own', hash } as const
    const replaced: ArtworkEvent = {
      type: 'ArtworkPictureReplaced',
      data: { from: artwork.picture, to: { imageUrl: there, source: 'copying', hash: null } },
    }
    const copied: ArtworkEvent = {
      type: 'ArtworkPictureCopied',
      data: { sourceUrl: there, imageUrl: copy.imageUrl, hash },
    }
    const back: ArtworkEvent = {
      type: 'ArtworkPictureReplaced',
      data: { from: copy, to: artwork.picture },
    }
    const history = [added, replaced, copied]
    expect(given(artworkDecider, ...history).when(undo(replaced))).toEqual(causes(back))
    const again = given(artworkDecider, ...history, back).after(undo(back))
    expect(artworkOf(given(artworkDecider, ...again).state)?.picture).toEqual(copy)
  })

  test('an undo can be undone', () => {
    const [, ...events] = given(artworkDecider, added).after(everything)
    const history = [added, ...events]
    const back = given(artworkDecider, ...history)
      .after(undo(...events))
      .slice(history.length)
    const forth = given(artworkDecider, ...history, ...back).after(undo(...back))
    expect(artworkOf(given(artworkDecider, ...forth).state)).toEqual(
      artworkOf(given(artworkDecider, ...history).state),
    )
  })

  test('nothing goes back when one of the values was changed since', () => {
    const [, ...events] = given(artworkDecider, added).after(everything)
    expect(given(artworkDecider, added, ...events, priced(1, 2)).when(undo(...events))).toMatchObject(
      refuses('blocked'),
    )
    const moved: ArtworkEvent = {
      type: 'ArtworkMoved',
      data: { sortOrder: 3, rank: 'b', from: { sortOrder: 3, rank: 'a0' } },
    }
    expect(given(artworkDecider, added, ...events, moved).when(undo(...events))).toMatchObject(
      refuses('blocked'),
    )
  })

  test('a place in the order goes back, rank included', () => {
    const moved: ArtworkEvent = {
      type: 'ArtworkMoved',
      data: { sortOrder: 2, rank: 'z', from: { sortOrder: 0, rank: 'a0' } },
    }
    expect(given(artworkDecider, added, moved).when(undo(moved))).toEqual(
      causes({
        type: 'ArtworkMoved',
        data: { sortOrder: 0, rank: 'a0', from: { sortOrder: 2, rank: 'z' } },
      }),
    )
  })

  test('switched on again since counts as changed', () => {
    const hidden: ArtworkEvent = { type: 'ArtworkHidden', data: {} }
    const shown: ArtworkEvent = { type: 'ArtworkMadeAvailable', data: {} }
    expect(given(artworkDecider, added, hidden, shown).when(undo(hidden))).toMatchObject(refuses('blocked'))
    expect(given(artworkDecider, added, hidden, shown).when(undo(shown))).toEqual(causes(hidden))
  })

  test.each([
    ['ArtworkSold', 'sold'],
    ['ArtworkReserved', 'reserved'],
    ['ArtworkWithdrawnFromSale', 'not_for_sale'],
  ] as const)('%s goes back to what it was', (type, saleStatus) => {
    const event: ArtworkEvent = { type, data: { from: 'for_sale' } }
    expect(given(artworkDecider, added, event).when(undo(event))).toEqual(
      causes({ type: 'ArtworkReleased', data: { from: saleStatus } }),
    )
  })

  test('a deletion is undone by restoring, and that by deleting', () => {
    expect(given(artworkDecider, added, deleted).when(undo(deleted))).toEqual(causes(restored))
    expect(given(artworkDecider, added, deleted, restored).when(undo(restored))).toEqual(causes(deleted))
    expect(given(artworkDecider, added, deleted, restored).when(undo(deleted))).toMatchObject(
      refuses('blocked'),
    )
    expect(given(artworkDecider, added, deleted).versionFor(undo(deleted))).toBe(2)
  })

  test('a deleted work refuses the undoing of anything else as missing', () => {
    expect(
      given(artworkDecider, added, priced(45_000, 1), deleted).when(undo(priced(45_000, 1))),
    ).toMatchObject(refuses('missing'))
    expect(given(artworkDecider, added, deleted).when(undo(restored))).toMatchObject(refuses('missing'))
    expect(given(artworkDecider).when(undo(deleted))).toMatchObject(refuses('missing'))
  })

  test('an adding is taken back by deleting, while nothing was changed since', () => {
    expect(given(artworkDecider, added).when(undo(added))).toEqual(causes(deleted))
    expect(given(artworkDecider, added, priced(45_000, 1)).when(undo(added))).toMatchObject(
      refuses('blocked'),
    )
    expect(given(artworkDecider, added, deleted).when(undo(added))).toMatchObject(refuses('blocked'))
  })

  test('nothing at all cannot be undone', () => {
    expect(given(artworkDecider, added).when(undo())).toMatchObject(refuses('blocked'))
  })
})
