import { describe, expect, test } from 'vitest'
import { type ArtworkCommand, artwork, workOf } from './artwork.ts'
import type { ArtworkEvent } from './events.ts'
import { canUndo } from './undo.ts'
import { aWork } from './testing/a-work.ts'
import { causes, given, refuses } from '#domain/decider-spec.ts'

const today = '2026-03-01'
const work = aWork()
const added: ArtworkEvent = { type: 'ArtworkAdded', data: work }
const priced = (from: number, to: number): ArtworkEvent => ({
  type: 'ArtworkPriceChanged',
  data: { from, to },
})
const deleted: ArtworkEvent = { type: 'ArtworkDeleted', data: { title: work.title } }
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
    expect(given(artwork, added, priced(45_000, 1)).when(undo(priced(45_000, 1)))).toEqual(
      causes(priced(1, 45_000)),
    )
  })

  test('all that one command changed goes back together', () => {
    const [, ...events] = given(artwork, added).after(everything)
    expect(events).toHaveLength(15)
    const back = given(artwork, added, ...events).after(undo(...events))
    expect(workOf(given(artwork, ...back).state)).toEqual(work)
  })

  test('an undo can be undone', () => {
    const [, ...events] = given(artwork, added).after(everything)
    const history = [added, ...events]
    const back = given(artwork, ...history)
      .after(undo(...events))
      .slice(history.length)
    const forth = given(artwork, ...history, ...back).after(undo(...back))
    expect(workOf(given(artwork, ...forth).state)).toEqual(workOf(given(artwork, ...history).state))
  })

  test('nothing goes back when one of the values was changed since', () => {
    const [, ...events] = given(artwork, added).after(everything)
    expect(given(artwork, added, ...events, priced(1, 2)).when(undo(...events))).toMatchObject(
      refuses('blocked'),
    )
    const moved: ArtworkEvent = {
      type: 'ArtworkMoved',
      data: { sortOrder: 3, rank: 'b', from: { sortOrder: 3, rank: 'a0' } },
    }
    expect(given(artwork, added, ...events, moved).when(undo(...events))).toMatchObject(refuses('blocked'))
  })

  test('a place in the order goes back, rank included', () => {
    const moved: ArtworkEvent = {
      type: 'ArtworkMoved',
      data: { sortOrder: 2, rank: 'z', from: { sortOrder: 0, rank: 'a0' } },
    }
    expect(given(artwork, added, moved).when(undo(moved))).toEqual(
      causes({
        type: 'ArtworkMoved',
        data: { sortOrder: 0, rank: 'a0', from: { sortOrder: 2, rank: 'z' } },
      }),
    )
  })

  test('switched on again since counts as changed', () => {
    const hidden: ArtworkEvent = { type: 'ArtworkHidden', data: {} }
    const shown: ArtworkEvent = { type: 'ArtworkMadeAvailable', data: {} }
    expect(given(artwork, added, hidden, shown).when(undo(hidden))).toMatchObject(refuses('blocked'))
    expect(given(artwork, added, hidden, shown).when(undo(shown))).toEqual(causes(hidden))
  })

  test.each([
    ['ArtworkSold', 'sold'],
    ['ArtworkReserved', 'reserved'],
    ['ArtworkWithdrawnFromSale', 'not_for_sale'],
  ] as const)('%s goes back to what it was', (type, saleStatus) => {
    const event: ArtworkEvent = { type, data: { from: 'for_sale' } }
    expect(given(artwork, added, event).when(undo(event))).toEqual(
      causes({ type: 'ArtworkReleased', data: { from: saleStatus } }),
    )
  })

  test('a deletion is undone by restoring, and that by deleting', () => {
    expect(given(artwork, added, deleted).when(undo(deleted))).toEqual(causes(restored))
    expect(given(artwork, added, deleted, restored).when(undo(restored))).toEqual(causes(deleted))
    expect(given(artwork, added, deleted, restored).when(undo(deleted))).toMatchObject(refuses('blocked'))
    expect(given(artwork, added, deleted).versionFor(undo(deleted))).toBe(2)
  })

  test('a deleted work refuses the undoing of anything else as missing', () => {
    expect(given(artwork, added, priced(45_000, 1), deleted).when(undo(priced(45_000, 1)))).toMatchObject(
      refuses('missing'),
    )
    expect(given(artwork, added, deleted).when(undo(restored))).toMatchObject(refuses('missing'))
    expect(given(artwork).when(undo(deleted))).toMatchObject(refuses('missing'))
  })

  test('an adding, background work and nothing at all cannot be undone', () => {
    expect(given(artwork, added).when(undo(added))).toMatchObject(refuses('blocked'))
    expect(given(artwork, added).when(undo())).toMatchObject(refuses('blocked'))
    expect(canUndo(['ArtworkPictureCopied'])).toBe(false)
    expect(canUndo(['ArtworkPriceChanged', 'SampleArtworkRemoved'])).toBe(false)
    expect(canUndo(['ArtworkPriceChanged', 'ArtworkHidden'])).toBe(true)
  })
})
