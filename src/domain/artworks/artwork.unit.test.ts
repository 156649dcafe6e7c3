import { describe, expect, test } from 'vitest'
import { type ArtworkCommand, artworkDecider, artworkStream, artworkOf } from './artwork.ts'
import { defaultAltText, laterFields } from './fields.ts'
import type { ArtworkEvent } from './events.ts'
import type { ArtworkChanges } from './revise.ts'
import { nextVersion, type FoldedArtwork } from './state.ts'
import { anArtwork } from './testing/an-artwork.ts'
import { causes, given, refuses } from '../testing/decider-spec.ts'

const today = '2026-03-01'
const artwork = anArtwork()
const add = (changes: Partial<FoldedArtwork> = {}): ArtworkCommand => ({
  type: 'AddArtwork',
  artwork: anArtwork(changes),
  today,
})
const added = (changes: Partial<FoldedArtwork> = {}): ArtworkEvent => ({
  type: 'ArtworkAdded',
  data: anArtwork(changes),
})
const revise = (changes: ArtworkChanges): ArtworkCommand => ({ type: 'ReviseArtwork', changes, today })
const deleted: ArtworkEvent = { type: 'ArtworkDeleted', data: { title: artwork.title } }
const restored: ArtworkEvent = { type: 'ArtworkRestored', data: {} }
const removed: ArtworkEvent = { type: 'SampleArtworkRemoved', data: {} }

test('each field that came later came in a version of its own, one more than the last', () => {
  expect(laterFields.map(({ since }) => since)).toEqual(laterFields.map((_, index) => index + 2))
})

test('each work has a stream of its own', () => {
  expect(artworkStream('7')).toBe('artwork-7')
})

describe('adding', () => {
  test('a work is added as it was given', () => {
    expect(given(artworkDecider).when(add())).toEqual(causes(added()))
  })

  test('texts of one line lose outer and doubled blanks', () => {
    const outcome = given(artworkDecider).when(
      add({ title: '  Blue \n  Door ', category: { id: null, name: ' Still  life ' }, qrCodeUrl: '' }),
    )
    expect(outcome).toEqual(causes(added({ title: 'Blue Door', category: { id: null, name: 'Still life' } })))
  })

  test('the same id is added once', () => {
    expect(given(artworkDecider, added()).when(add())).toMatchObject(refuses('blocked'))
  })

  test('several wrong fields are named together', () => {
    expect(given(artworkDecider).when(add({ title: ' ', price: -1 }))).toMatchObject(
      refuses('invalid', 'title', 'price'),
    )
  })
})

describe('values that a work may not have', () => {
  const wrong: readonly (readonly [string, ArtworkChanges])[] = [
    ['title', { title: '   ' }],
    ['title', { title: '\u200b' }],
    ['title', { title: 'x'.repeat(201) }],
    ['description', { description: 'x'.repeat(5001) }],
    ['imageUrl', { picture: { imageUrl: '', source: 'link', hash: null } }],
    ['imageUrl', { picture: { imageUrl: `https://x.in/${'x'.repeat(2048)}`, source: 'link', hash: null } }],
    ['price', { price: -1 }],
    ['price', { price: 100_000_001 }],
    ['price', { price: 1.5 }],
    ['price', { price: Number.NaN }],
    ['category', { category: { id: null, name: 'x'.repeat(201) } }],
    ['medium', { medium: { id: null, name: 'x'.repeat(201) } }],
    ['dimensions', { dimensions: 'x'.repeat(301) }],
    ['yearCreated', { yearCreated: 999 }],
    ['yearCreated', { yearCreated: 2028 }],
    ['yearCreated', { yearCreated: 2020.5 }],
    // A caller that knows no types.
    ['framing', { framing: 'gold' as never }],
    ['framing', { framing: 'toString' as never }],
    ['altText', { altText: 'x'.repeat(301) }],
    ['qrCodeUrl', { qrCodeUrl: 'javascript:alert(1)' }],
    ['qrCodeUrl', { qrCodeUrl: '//other.site/qr.png' }],
    ['qrCodeUrl', { qrCodeUrl: 'http://bank.in/qr.png' }],
    ['qrCodeUrl', { qrCodeUrl: `https://bank.in/${'x'.repeat(2048)}` }],
    ['sortOrder', { sortOrder: 0.5 }],
    ['sortOrder', { sortOrder: Number.NaN }],
  ]
  test.each(wrong)('%s: %j', (field, changes) => {
    expect(given(artworkDecider, added()).when(revise(changes))).toMatchObject(refuses('invalid', field))
    expect(
      given(artworkDecider).when({ ...add(), artwork: { ...artwork, ...changes } } as ArtworkCommand),
    ).toMatchObject(refuses('invalid', field))
  })
  const right: readonly ArtworkChanges[] = [
    { title: 'x'.repeat(200) },
    { price: 0 },
    { price: 100_000_000 },
    { yearCreated: 1000 },
    { yearCreated: 2027 },
    { yearCreated: null },
    { qrCodeUrl: 'https://bank.in/qr.png' },
    { qrCodeUrl: `/images/${'b'.repeat(64)}/original-view.jpg` },
    { sortOrder: -3 },
    { category: { id: null, name: '' } },
  ]
  test.each(right)('but may have %j', (changes) => {
    expect(
      given(artworkDecider).when({ ...add(), artwork: { ...artwork, ...changes } } as ArtworkCommand),
    ).toHaveProperty('events.length', 1)
  })
})

describe('revising', () => {
  test('each field that really changes has its own event, in the order of the form', () => {
    const image = { imageUrl: 'https://x.in/a.jpg', source: 'copying', hash: null } as const
    const outcome = given(artworkDecider, added()).when(
      revise({
        title: 'Blue Door',
        description: 'Found in Goa',
        picture: image,
        price: 50_000,
        category: { id: 'c2', name: 'Portrait' },
        medium: { id: 'm1', name: 'Ink' },
        dimensions: '10 × 10 cm',
        yearCreated: null,
        framing: 'framed',
        altText: 'A door',
        qrCodeUrl: 'https://bank.in/qr.png',
        isAvailable: false,
        isVisible: false,
        isFeatured: true,
        saleStatus: 'reserved',
        sortOrder: 3,
      }),
    )
    expect(outcome).toEqual(
      causes<ArtworkEvent>(
        { type: 'ArtworkRetitled', data: { from: artwork.title, to: 'Blue Door' } },
        { type: 'ArtworkDescribed', data: { from: '', to: 'Found in Goa' } },
        { type: 'ArtworkPictureReplaced', data: { from: artwork.picture, to: image } },
        { type: 'ArtworkPriceChanged', data: { from: 45_000, to: 50_000 } },
        { type: 'ArtworkCategorised', data: { from: artwork.category, to: { id: 'c2', name: 'Portrait' } } },
        { type: 'ArtworkMediumChanged', data: { from: artwork.medium, to: { id: 'm1', name: 'Ink' } } },
        { type: 'ArtworkDimensionsChanged', data: { from: '60 × 90 cm', to: '10 × 10 cm' } },
        { type: 'ArtworkYearChanged', data: { from: 2024, to: null } },
        { type: 'ArtworkFramed', data: { from: 'unsaid', to: 'framed' } },
        { type: 'ArtworkAltTextChanged', data: { from: '', to: 'A door' } },
        { type: 'ArtworkQrCodeChanged', data: { from: null, to: 'https://bank.in/qr.png' } },
        { type: 'ArtworkHidden', data: {} },
        { type: 'ArtworkUnpublished', data: {} },
        { type: 'ArtworkFeatured', data: {} },
        { type: 'ArtworkReserved', data: { from: 'for_sale' } },
        { type: 'ArtworkMoved', data: { sortOrder: 3, rank: 'a0', from: { sortOrder: 0, rank: 'a0' } } },
      ),
    )
  })

  test('the switches go back by their own words', () => {
    const off = { isAvailable: false, isVisible: false, isFeatured: true }
    expect(
      given(artworkDecider, added(off)).when(
        revise({ isAvailable: true, isVisible: true, isFeatured: false }),
      ),
    ).toEqual(
      causes<ArtworkEvent>(
        { type: 'ArtworkMadeAvailable', data: {} },
        { type: 'ArtworkPublished', data: {} },
        { type: 'ArtworkUnfeatured', data: {} },
      ),
    )
  })

  test('the whole work sent back changes nothing', () => {
    expect(given(artworkDecider, added()).when(revise(artwork))).toEqual(causes())
  })

  test('the default alt text sent back as it is shown never becomes the own one', () => {
    const shown = 'Monsoon over Yamuna, Oil on canvas, 2024'
    expect(given(artworkDecider, added()).when(revise({ altText: shown }))).toEqual(causes())
    expect(given(artworkDecider, added({ altText: 'Rain' })).when(revise({ altText: shown }))).toEqual(
      causes<ArtworkEvent>({ type: 'ArtworkAltTextChanged', data: { from: 'Rain', to: shown } }),
    )
  })

  test('the address that is shown already is no new picture', () => {
    const image = { imageUrl: 'https://x.in/a.jpg', source: 'link', hash: null } as const
    expect(
      given(artworkDecider, added({ picture: image })).when(
        revise({ picture: { ...image, source: 'copying' } }),
      ),
    ).toEqual(causes())
  })

  test('a QR code that is not shown just now, sent back as none, is kept for later', () => {
    const manual = { qrCodeUrl: 'https://bank.example/qr.png' }
    const none = revise({ qrCodeUrl: null })
    expect(given(artworkDecider, added({ ...manual, saleStatus: 'sold' })).when(none)).toEqual(causes())
    expect(given(artworkDecider, added({ ...manual, price: 0 })).when(none)).toEqual(causes())
    expect(given(artworkDecider, added(manual)).when(none)).toEqual(
      causes({ type: 'ArtworkQrCodeChanged', data: { from: manual.qrCodeUrl, to: null } }),
    )
  })
})

describe('labels', () => {
  const names = { category: { c1: 'Landscapes', c9: 'Landscape' }, medium: { m1: 'Oil on canvas' } }
  const label = (category: { id: string | null; name: string }): ArtworkCommand => ({
    type: 'ReviseArtwork',
    changes: { category },
    today,
    names,
  })

  test('sent back under the name it was renamed to, a category is no change', () => {
    expect(given(artworkDecider, added()).when(label({ id: 'c1', name: 'Landscapes' }))).toEqual(causes())
  })

  test('a later category under the old name is a change, told with the name shown today', () => {
    expect(given(artworkDecider, added()).when(label({ id: 'c9', name: 'Landscape' }))).toEqual(
      causes({
        type: 'ArtworkCategorised',
        data: { from: { id: 'c1', name: 'Landscapes' }, to: { id: 'c9', name: 'Landscape' } },
      }),
    )
  })

  test('a text that was in no set is not adopted by a later medium of that name', () => {
    const command: ArtworkCommand = {
      type: 'ReviseArtwork',
      changes: { medium: { id: 'm1', name: 'Oil on canvas' } },
      today,
      names,
    }
    expect(given(artworkDecider, added()).when(command)).toEqual(causes())
  })
})

describe('order', () => {
  test('a move says where the work stood', () => {
    expect(given(artworkDecider, added()).when({ type: 'MoveArtwork', sortOrder: 2, rank: 'b1' })).toEqual(
      causes({
        type: 'ArtworkMoved',
        data: { sortOrder: 2, rank: 'b1', from: { sortOrder: 0, rank: 'a0' } },
      }),
    )
  })
  test('a move to where it stands is none', () => {
    expect(given(artworkDecider, added()).when({ type: 'MoveArtwork', sortOrder: 0, rank: 'a0' })).toEqual(
      causes(),
    )
  })
  test('a place is a whole number', () => {
    expect(
      given(artworkDecider, added()).when({ type: 'MoveArtwork', sortOrder: 0.5, rank: 'a0' }),
    ).toMatchObject(refuses('invalid', 'sortOrder'))
  })
})

describe('sale', () => {
  const sales = [
    ['sold', 'ArtworkSold'],
    ['reserved', 'ArtworkReserved'],
    ['for_sale', 'ArtworkReleased'],
    ['not_for_sale', 'ArtworkWithdrawnFromSale'],
  ] as const
  test.each(sales)('%s causes %s, once, from any other status', (saleStatus, event) => {
    for (const from of ['for_sale', 'reserved', 'sold', 'not_for_sale'] as const)
      expect(given(artworkDecider, added({ saleStatus: from })).when(revise({ saleStatus }))).toEqual(
        from === saleStatus ? causes() : causes({ type: event, data: { from } }),
      )
  })
})

describe('deleting and restoring', () => {
  test('a deletion keeps the title for the activity log', () => {
    expect(given(artworkDecider, added()).when({ type: 'DeleteArtwork' })).toEqual(causes(deleted))
  })

  const others: readonly ArtworkCommand[] = [
    revise({ price: 1 }),
    { type: 'MoveArtwork', sortOrder: 1, rank: 'b' },
    { type: 'DeleteArtwork' },
  ]
  test.each(others)('a deleted work refuses $type as missing', (command) => {
    expect(given(artworkDecider, added(), deleted).when(command)).toMatchObject(refuses('missing'))
    expect(given(artworkDecider, added(), deleted).versionFor(command)).toBeNull()
  })
  test.each([
    ...others,
    { type: 'RestoreArtwork' },
    { type: 'RemoveSampleArtwork' },
    { type: 'RecordPictureCopied', sourceUrl: '', imageUrl: '', hash: '' },
    { type: 'RecordPictureLinked', sourceUrl: '', reason: '' },
  ] satisfies ArtworkCommand[])(
    'a work that never was, and a removed sample, refuse $type as missing',
    (command) => {
      expect(given(artworkDecider).when(command)).toMatchObject(refuses('missing'))
      const gone = given(artworkDecider, added({ sample: true }), removed)
      expect(gone.when(command)).toMatchObject(refuses('missing'))
      expect(gone.versionFor(command)).toBeNull()
      expect(artworkOf(gone.state)).toBeNull()
    },
  )

  test('a deleted work comes back as it was', () => {
    expect(given(artworkDecider, added(), deleted).when({ type: 'RestoreArtwork' })).toEqual(causes(restored))
    expect(artworkOf(given(artworkDecider, added(), deleted, restored).state)).toEqual(artwork)
  })
  test('a work that is not deleted cannot be restored', () => {
    expect(given(artworkDecider, added()).when({ type: 'RestoreArtwork' })).toMatchObject(refuses('blocked'))
    expect(given(artworkDecider, added(), deleted, restored).when({ type: 'RestoreArtwork' })).toMatchObject(
      refuses('blocked'),
    )
  })
  test('a restored work can be worked on and deleted again', () => {
    const back = given(artworkDecider, added(), deleted, restored)
    expect(back.when({ type: 'DeleteArtwork' })).toEqual(causes(deleted))
    expect(back.versionFor(revise({}))).toBe(3)
  })
})

describe('samples', () => {
  const sample = added({ sample: true })
  const undo = (...events: readonly ArtworkEvent[]): ArtworkCommand => ({ type: 'UndoArtworkChange', events })
  test('a sample work is removed', () => {
    expect(given(artworkDecider, sample).when({ type: 'RemoveSampleArtwork' })).toEqual(causes(removed))
  })
  test.each([
    { type: 'ArtworkRetitled', data: { from: artwork.title, to: 'Mine' } },
    { type: 'ArtworkPriceChanged', data: { from: artwork.price, to: 1 } },
    { type: 'ArtworkHidden', data: {} },
    { type: 'ArtworkMoved', data: { sortOrder: 1, rank: 'a1', from: { sortOrder: 0, rank: 'a0' } } },
    deleted,
  ] satisfies ArtworkEvent[])('$type makes a sample hers, for good', (change) => {
    expect(given(artworkDecider, sample, change).when({ type: 'RemoveSampleArtwork' })).toMatchObject(
      refuses('blocked'),
    )
    const back = given(artworkDecider, sample, change).after(undo(change))
    expect(given(artworkDecider, ...back).when({ type: 'RemoveSampleArtwork' })).toMatchObject(
      refuses('blocked'),
    )
  })
  test('a copied picture is no change of hers', () => {
    const copied: ArtworkEvent = {
      type: 'ArtworkPictureCopied',
      data: { sourceUrl: 'x', imageUrl: `/images/${'b'.repeat(64)}/original-view.jpg`, hash: 'bb' },
    }
    expect(given(artworkDecider, sample, copied).when({ type: 'RemoveSampleArtwork' })).toEqual(
      causes(removed),
    )
  })
  test('a removed sample is brought back as a sample, and that is undone too', () => {
    const gone = given(artworkDecider, sample, removed)
    expect(gone.when(undo(removed))).toEqual(causes(restored))
    const back = given(artworkDecider, sample, removed, restored)
    expect(artworkOf(back.state)).toMatchObject({ sample: true })
    expect(back.when(undo(restored))).toEqual(causes(removed))
    expect(back.when(undo(removed))).toMatchObject(refuses('blocked'))
  })
  test("the owner's own work is never removed as a sample", () => {
    expect(given(artworkDecider, added()).when({ type: 'RemoveSampleArtwork' })).toMatchObject(
      refuses('blocked'),
    )
  })
})

describe('the copy of a picture', () => {
  const sourceUrl = 'https://x.in/a.jpg'
  const copying = added({ picture: { imageUrl: sourceUrl, source: 'copying', hash: null } })
  const copied: ArtworkEvent = {
    type: 'ArtworkPictureCopied',
    data: { sourceUrl, imageUrl: `/images/${'b'.repeat(64)}/original-view.jpg`, hash: 'bb' },
  }
  const linked: ArtworkEvent = { type: 'ArtworkPictureLinked', data: { sourceUrl, reason: 'Too large' } }
  const recordCopied: ArtworkCommand = { type: 'RecordPictureCopied', ...copied.data }
  const recordLinked: ArtworkCommand = { type: 'RecordPictureLinked', ...linked.data }

  test('arrives once, and the work shows its own picture', () => {
    expect(given(artworkDecider, copying).when(recordCopied)).toEqual(causes(copied))
    const after = given(artworkDecider, copying, copied)
    expect(after.when(recordCopied)).toEqual(causes())
    expect(after.when(recordLinked)).toEqual(causes())
    expect(artworkOf(after.state)?.picture).toEqual({
      imageUrl: `/images/${'b'.repeat(64)}/original-view.jpg`,
      source: 'own',
      hash: 'bb',
    })
  })
  test('fails once, and the work links to the other site; a later try may still arrive', () => {
    expect(given(artworkDecider, copying).when(recordLinked)).toEqual(causes(linked))
    const after = given(artworkDecider, copying, linked)
    expect(after.when(recordLinked)).toEqual(causes())
    expect(artworkOf(after.state)?.picture.source).toBe('link')
    expect(after.when(recordCopied)).toEqual(causes(copied))
  })
  test('of an address given up meanwhile is of no use', () => {
    expect(given(artworkDecider, added()).when(recordCopied)).toEqual(causes())
    expect(given(artworkDecider, added()).when(recordLinked)).toEqual(causes())
  })
  test('reaches a deleted work too, which may be restored', () => {
    expect(given(artworkDecider, copying, deleted).when(recordCopied)).toEqual(causes(copied))
  })
  test('leaves the version alone, so that it never refuses the owner', () => {
    expect(given(artworkDecider, copying, copied).versionFor(revise({}))).toBe(1)
    expect(given(artworkDecider, copying, linked).versionFor(revise({}))).toBe(1)
    expect(nextVersion(4, 'ArtworkPictureCopied')).toBe(4)
    expect(nextVersion(4, 'ArtworkPriceChanged')).toBe(5)
  })
})

test('the version counts every change made to a work', () => {
  const priced: ArtworkEvent = { type: 'ArtworkPriceChanged', data: { from: 45_000, to: 1 } }
  expect(given(artworkDecider).versionFor(add())).toBeNull()
  expect(given(artworkDecider, added()).versionFor(revise({}))).toBe(1)
  expect(given(artworkDecider, added(), priced).versionFor(revise({}))).toBe(2)
  expect(given(artworkDecider, added(), priced, deleted).versionFor({ type: 'RestoreArtwork' })).toBe(3)
})

test('an image is described by title, medium and year unless she wrote better', () => {
  expect(defaultAltText({ title: ' Haldi ', medium: 'Oil', yearCreated: 2025 })).toBe('Haldi, Oil, 2025')
  expect(defaultAltText({ title: 'Haldi', medium: '', yearCreated: null })).toBe('Haldi')
})
