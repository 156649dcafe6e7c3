import { describe, expect, it } from 'vitest'
import type { Documents } from '#application/kernel/ports/documents.ts'
import { unsetLaterFields } from '#domain/artworks/fields.ts'
import { artworksProjection } from './artworks-view.ts'
import {
  artworkPlaces,
  firstRank,
  artworkTitles,
  findArtwork,
  findCardSubject,
  listAllArtworks,
  listDeletedArtworks,
  listPublicArtworks,
  publicArtworksWithCards,
  termsOfArtworks,
  upiUriOfQr,
  artworksUsing,
} from './queries.ts'
import { imagesProjection } from '../images/images-view.ts'
import type { Projection } from '../runtime/projection.ts'
import { type Happened, projected, timeOf } from '../testing/history.ts'
import {
  categoryAdded,
  imageProcessed,
  imageUploaded,
  payment,
  imageHash,
  toArtwork,
  artworkAdded,
} from '../testing/artworks.ts'

const projections = [artworksProjection, imagesProjection] as unknown as readonly Projection[]
const after = (...history: readonly Happened[]) => projected(projections, history)
const owner = { signedIn: true }
const artworkAfter = async (...history: readonly Happened[]) =>
  findArtwork(await after(...history), 'w1', owner)

const renamed = (id: string, from: string, to: string): Happened => ({
  stream: 'categories',
  event: { type: 'CategoryRenamed', data: { id, from, to } },
})

describe('a work as it is shown', () => {
  it.each([
    ['it has', imageHash],
    ['it has no more', 'b'.repeat(64)],
    ['none is known', null],
  ])('has its own image, whether the one asked for beside it is what %s', async (_, likely) => {
    const documents = await after(imageUploaded(imageHash), artworkAdded('w1'))
    const shown = await findArtwork(documents, 'w1', owner, likely)
    expect(shown?.image).toMatchObject({ width: expect.any(Number) })
    expect(shown).toEqual(await findArtwork(documents, 'w1', owner))
  })

  it('is asked for together with the image that it likely has', async () => {
    const documents = await after(imageUploaded(imageHash), artworkAdded('w1'))
    const asked: string[] = []
    const counted: Documents = {
      ...documents,
      getMany: (view, ids) => {
        asked.push(...ids)
        return documents.getMany(view, ids)
      },
    }
    const shown = findArtwork(counted, 'w1', owner, imageHash)
    expect(asked).toEqual([imageHash])
    await shown
    expect(asked).toEqual([imageHash])
  })

  it('has everything that was said at its adding', async () => {
    expect(await artworkAfter(artworkAdded('w1'))).toEqual({
      id: 'w1',
      title: 'Monsoon over the Ghats',
      description: 'Rain coming in.',
      imageUrl: `/images/${imageHash}/original-view.jpg`,
      price: 96_000,
      category: '',
      dimensions: '90 × 120 cm',
      medium: 'Oil on canvas',
      yearCreated: 2024,
      ...unsetLaterFields,
      qrCodeUrl: null,
      isVisible: true,
      isAvailable: true,
      isFeatured: false,
      sortOrder: 0,
      saleStatus: 'for_sale',
      altText: 'Monsoon over the Ghats, Oil on canvas, 2024',
      slug: 'monsoon-over-the-ghats',
      version: 1,
      sample: false,
      imageSource: 'own',
      image: null,
      upi: null,
      createdAt: timeOf(0),
      updatedAt: timeOf(0),
    })
  })

  it.each([
    [
      { type: 'ArtworkRetitled', data: { from: '', to: 'Rain' } },
      { title: 'Rain', slug: 'rain' },
    ],
    [{ type: 'ArtworkDescribed', data: { from: '', to: 'New' } }, { description: 'New' }],
    [{ type: 'ArtworkPriceChanged', data: { from: 96_000, to: 88_000 } }, { price: 88_000 }],
    [
      { type: 'ArtworkCategorised', data: { from: { id: null, name: '' }, to: { id: 'c1', name: 'Hills' } } },
      { category: 'Hills' },
    ],
    [
      { type: 'ArtworkMediumChanged', data: { from: { id: null, name: '' }, to: { id: 'm1', name: 'Ink' } } },
      { medium: 'Ink' },
    ],
    [{ type: 'ArtworkFramed', data: { from: 'unsaid', to: 'framed' } }, { framing: 'framed' }],
    [{ type: 'ArtworkDimensionsChanged', data: { from: '', to: '1 × 1 m' } }, { dimensions: '1 × 1 m' }],
    [{ type: 'ArtworkYearChanged', data: { from: 2024, to: null } }, { yearCreated: null }],
    [{ type: 'ArtworkAltTextChanged', data: { from: '', to: 'Rain' } }, { altText: 'Rain' }],
    [{ type: 'ArtworkHidden', data: {} }, { isAvailable: false }],
    [{ type: 'ArtworkUnpublished', data: {} }, { isVisible: false }],
    [{ type: 'ArtworkFeatured', data: {} }, { isFeatured: true }],
    [{ type: 'ArtworkReserved', data: { from: 'for_sale' } }, { saleStatus: 'reserved' }],
    [{ type: 'ArtworkSold', data: { from: 'for_sale' } }, { saleStatus: 'sold' }],
    [{ type: 'ArtworkWithdrawnFromSale', data: { from: 'for_sale' } }, { saleStatus: 'not_for_sale' }],
    [
      { type: 'ArtworkMoved', data: { sortOrder: 3, rank: 'b', from: { sortOrder: 0, rank: 'a0' } } },
      { sortOrder: 3 },
    ],
  ] as const)('follows %o', async (event, shown) => {
    const artwork = await artworkAfter(artworkAdded('w1'), toArtwork('w1', event))
    expect(artwork).toMatchObject({ ...shown, version: 2, createdAt: timeOf(0), updatedAt: timeOf(1) })
  })

  it('takes each switch back', async () => {
    const artwork = await artworkAfter(
      artworkAdded('w1', { isAvailable: false, isVisible: false, isFeatured: true, saleStatus: 'sold' }),
      toArtwork('w1', { type: 'ArtworkMadeAvailable', data: {} }),
      toArtwork('w1', { type: 'ArtworkPublished', data: {} }),
      toArtwork('w1', { type: 'ArtworkUnfeatured', data: {} }),
      toArtwork('w1', { type: 'ArtworkReleased', data: { from: 'sold' } }),
    )
    expect(artwork).toMatchObject({
      isAvailable: true,
      isVisible: true,
      isFeatured: false,
      saleStatus: 'for_sale',
    })
  })

  it('shows the copied picture, without counting the copy as a change of hers', async () => {
    const sourceUrl = 'https://elsewhere.example/a.jpg'
    const artwork = await artworkAfter(
      artworkAdded('w1', { picture: { imageUrl: sourceUrl, source: 'copying', hash: null } }),
      toArtwork('w1', {
        type: 'ArtworkPictureCopied',
        data: { sourceUrl, imageUrl: '/images/x/original-view.jpg', hash: imageHash },
      }),
      imageUploaded(imageHash),
    )
    expect(artwork).toMatchObject({ imageUrl: '/images/x/original-view.jpg', imageSource: 'own', version: 1 })
    expect(artwork?.image).not.toBeNull()
  })

  it('says that a picture is shown from another site', async () => {
    const imageUrl = 'https://elsewhere.example/a.jpg'
    const artwork = await artworkAfter(
      artworkAdded('w1', { picture: { imageUrl, source: 'copying', hash: null } }),
      toArtwork('w1', { type: 'ArtworkPictureLinked', data: { sourceUrl: imageUrl, reason: 'Gone' } }),
    )
    expect(artwork).toMatchObject({ imageUrl, imageSource: 'link', image: null, version: 1 })
  })

  it.each([
    ['before', [imageUploaded(imageHash), imageProcessed(imageHash), artworkAdded('w1')]],
    ['after', [artworkAdded('w1'), imageUploaded(imageHash), imageProcessed(imageHash)]],
  ] as const)('knows its picture, processed %s it was added', async (_, history) => {
    const artwork = await artworkAfter(...history)
    expect(artwork?.image).toEqual({
      width: 4_000,
      height: 3_000,
      placeholder: 'data:image/webp;base64,AAAA',
      color: '#336699',
      ready: true,
    })
  })
})

describe('paying for a work', () => {
  const upi = payment('asha@okbank')

  it.each([
    ['before', [upi, artworkAdded('w1')]],
    ['after', [artworkAdded('w1'), upi]],
  ] as const)('has a QR code when the settings were made %s it was added', async (_, history) => {
    const documents = await after(...history)
    const artwork = await findArtwork(documents, 'w1', owner)
    expect(artwork?.qrCodeUrl).toMatch(/^\/qr\/[0-9a-f]{32}\.png$/)
    expect(artwork?.upi).toMatchObject({ id: 'asha@okbank', payeeName: 'Asha Rao', amount: 96_000 })
    expect(await upiUriOfQr(documents, artwork?.qrCodeUrl?.slice(4, 36) ?? '')).toBe(artwork?.upi?.uri)
  })

  it('has a new QR code after a new price, and the old one is nobody’s', async () => {
    const before = (await artworkAfter(upi, artworkAdded('w1')))?.qrCodeUrl ?? ''
    const documents = await after(
      upi,
      artworkAdded('w1'),
      toArtwork('w1', { type: 'ArtworkPriceChanged', data: { from: 96_000, to: 88_000 } }),
    )
    const now = (await findArtwork(documents, 'w1', owner))?.qrCodeUrl
    expect(now).not.toBe(before)
    expect(await upiUriOfQr(documents, before.slice(4, 36))).toBeNull()
  })

  it.each([
    ['sold', toArtwork('w1', { type: 'ArtworkSold', data: { from: 'for_sale' } })],
    ['reserved', toArtwork('w1', { type: 'ArtworkReserved', data: { from: 'for_sale' } })],
    ['without price', toArtwork('w1', { type: 'ArtworkPriceChanged', data: { from: 96_000, to: 0 } })],
  ] as const)('is not offered when %s, and a manual QR code is kept for later', async (_, event) => {
    const manual = artworkAdded('w1', { qrCodeUrl: '/images/qr/original-view.jpg' })
    expect(await artworkAfter(upi, manual, event)).toMatchObject({ qrCodeUrl: null, upi: null })
    const back = toArtwork('w1', { type: 'ArtworkReleased', data: { from: 'sold' } })
    const price = toArtwork('w1', { type: 'ArtworkPriceChanged', data: { from: 0, to: 5 } })
    expect(await artworkAfter(upi, manual, event, back, price)).toMatchObject({
      qrCodeUrl: '/images/qr/original-view.jpg',
    })
  })

  it('shows a manual QR code, also without a UPI id, until it is dropped', async () => {
    const manual = artworkAdded('w1', { qrCodeUrl: '/bank.png' })
    expect(await artworkAfter(manual)).toMatchObject({ qrCodeUrl: '/bank.png', upi: null })
    expect(await artworkAfter(upi, manual)).toMatchObject({ qrCodeUrl: '/bank.png', upi: { amount: 96_000 } })
    const dropped = toArtwork('w1', { type: 'ArtworkQrCodeChanged', data: { from: '/bank.png', to: null } })
    expect((await artworkAfter(upi, manual, dropped))?.qrCodeUrl).toMatch(/^\/qr\//)
  })

  it('names the artist where no payee name is set', async () => {
    const named: Happened = {
      stream: 'site-content',
      event: {
        type: 'ContentUpdated',
        data: { changes: { artistName: { from: '', to: 'Asha R.' } }, sample: false },
      },
    }
    expect((await artworkAfter(payment('asha@okbank', ''), artworkAdded('w1'), named))?.upi?.payeeName).toBe(
      'Asha R.',
    )
  })

  it('leaves version and time of the works alone when the settings change', async () => {
    expect(await artworkAfter(artworkAdded('w1'), upi)).toMatchObject({ version: 1, updatedAt: timeOf(0) })
  })
})

describe('categories and mediums on works', () => {
  const hills = { category: { id: 'c1', name: 'Hills' } }

  it('follow a rename by id, without a new version', async () => {
    const documents = await after(
      categoryAdded('c1', 'Hills'),
      artworkAdded('w1', hills),
      artworkAdded('w2', hills),
      artworkAdded('w3', { category: { id: null, name: 'Hills' } }),
      renamed('c1', 'Hills', 'Mountains'),
      artworkAdded('w4', hills),
      renamed('c1', 'Mountains', 'Peaks'),
    )
    const artworks = await listAllArtworks(documents)
    expect(Object.fromEntries(artworks.map(({ id, category }) => [id, category]))).toEqual({
      w1: 'Peaks',
      w2: 'Peaks',
      w3: 'Hills',
      w4: 'Peaks',
    })
    expect(artworks.map(({ version }) => version)).toEqual([1, 1, 1, 1])
    expect(await artworksUsing(documents, 'categories', ['c1', 'c2'])).toEqual(
      new Map([
        ['c1', 3],
        ['c2', 0],
      ]),
    )
  })

  it('are called what they are now, also where an event names them as before: an undo, or one of the same moment', async () => {
    const documents = await after(
      artworkAdded('w1', hills),
      toArtwork('w1', {
        type: 'ArtworkCategorised',
        data: { from: hills.category, to: { id: null, name: 'Sea' } },
      }),
      renamed('c1', 'Hills', 'Peaks'),
      toArtwork('w1', {
        type: 'ArtworkCategorised',
        data: { from: { id: null, name: 'Sea' }, to: hills.category },
      }),
      artworkAdded('w2', hills),
    )
    const shown = await listPublicArtworks(documents, 'Peaks')
    expect(new Set(shown.map(({ id }) => id))).toEqual(new Set(['w1', 'w2']))
  })

  it('are followed only by works that carry them at that moment', async () => {
    const documents = await after(
      artworkAdded('w1', hills),
      artworkAdded('w2'),
      toArtwork('w1', {
        type: 'ArtworkCategorised',
        data: { from: hills.category, to: { id: null, name: 'Sea' } },
      }),
      toArtwork('w2', {
        type: 'ArtworkCategorised',
        data: { from: { id: null, name: '' }, to: hills.category },
      }),
      renamed('c1', 'Hills', 'Mountains'),
    )
    expect((await findArtwork(documents, 'w1', owner))?.category).toBe('Sea')
    expect((await findArtwork(documents, 'w2', owner))?.category).toBe('Mountains')
  })
})

describe('lists of works', () => {
  const gallery = () =>
    after(
      artworkAdded('w1', { rank: 'b', category: { id: null, name: 'Sea' } }),
      artworkAdded('w2', { rank: 'a' }),
      artworkAdded('w3', { sortOrder: -1, rank: 'z' }),
      artworkAdded('hidden', { isAvailable: false, rank: 'a0' }),
      artworkAdded('unpublished', { isVisible: false }),
      artworkAdded('deleted'),
      toArtwork('deleted', { type: 'ArtworkDeleted', data: { title: '' } }),
      artworkAdded('deleted later', { title: 'Later' }),
      toArtwork('deleted later', { type: 'ArtworkDeleted', data: { title: '' } }),
      artworkAdded('sample', { sample: true, rank: 'c' }),
      artworkAdded('removed sample', { sample: true }),
      toArtwork('removed sample', { type: 'SampleArtworkRemoved', data: {} }),
    )
  const ids = (artworks: readonly { readonly id: string }[]) => artworks.map(({ id }) => id)

  it('are in the owner’s order: sort order, rank, id', async () => {
    expect(ids(await listPublicArtworks(await gallery()))).toEqual(['w3', 'w2', 'w1', 'sample'])
    expect(ids(await artworkPlaces(await gallery()))).toEqual([
      'w3',
      'w2',
      'hidden',
      'unpublished',
      'w1',
      'sample',
    ])
  })

  it('tell the rank of the first of a sort order, also of one that is not on show', async () => {
    const documents = await after(
      artworkAdded('deleted', { rank: 'a' }),
      toArtwork('deleted', { type: 'ArtworkDeleted', data: { title: '' } }),
      artworkAdded('hidden', { rank: 'b', isVisible: false }),
      artworkAdded('w1', { rank: 'c' }),
      artworkAdded('elsewhere', { rank: 'a', sortOrder: 1 }),
    )
    expect(await Promise.all([0, 1, 2].map((order) => firstRank(documents, order)))).toEqual(['b', 'a', null])
  })

  it('are filtered by category; unknown ones are empty', async () => {
    const documents = await gallery()
    expect(ids(await listPublicArtworks(documents, 'Sea'))).toEqual(['w1'])
    expect(ids(await listPublicArtworks(documents, 'Moon'))).toEqual([])
    expect(ids(await listPublicArtworks(documents, 'all'))).toHaveLength(4)
  })

  it('of deleted works are newest first, without removed samples', async () => {
    const documents = await gallery()
    const list = async (limit: number, before?: string) =>
      ids((await listDeletedArtworks(documents, limit, before)) ?? [])
    expect(await list(10)).toEqual(['deleted later', 'deleted'])
    expect(await list(1)).toEqual(['deleted later'])
    expect(await list(1, 'deleted later')).toEqual(['deleted'])
    expect(await list(1, 'deleted')).toEqual([])
    expect(await listDeletedArtworks(documents, 1, 'w1')).toBeNull()
  })

  it('show a restored work again', async () => {
    const documents = await after(
      artworkAdded('w1'),
      toArtwork('w1', { type: 'ArtworkDeleted', data: { title: '' } }),
      toArtwork('w1', { type: 'ArtworkRestored', data: {} }),
    )
    expect(ids(await listPublicArtworks(documents))).toEqual(['w1'])
    expect(await listDeletedArtworks(documents, 10)).toEqual([])
    expect(await findArtwork(documents, 'w1', owner)).toMatchObject({ version: 3 })
  })

  // Versions before 23 November 2026 removed deleted samples with the others: what they stored is what a replay makes.
  it('that were deleted before all samples were removed know when', async () => {
    const documents = await after(
      artworkAdded('w1', { sample: true }),
      toArtwork('w1', { type: 'ArtworkDeleted', data: { title: '' } }),
      toArtwork('w1', { type: 'SampleArtworkRemoved', data: {} }),
    )
    expect(await documents.get(artworksProjection.view, 'w1')).toMatchObject({
      state: 'gone',
      deletedAt: timeOf(1),
    })
  })

  it('give anonymous readers no hidden or deleted work by id', async () => {
    const documents = await gallery()
    const anonymous = { signedIn: false }
    expect(await findArtwork(documents, 'hidden', anonymous)).toBeNull()
    expect(await findArtwork(documents, 'hidden', owner)).not.toBeNull()
    expect(await findArtwork(documents, 'deleted', owner)).toBeNull()
    expect(await findArtwork(documents, 'payee', owner)).toBeNull()
  })

  it('know samples and titles', async () => {
    const documents = await gallery()
    expect((await termsOfArtworks(documents)).filter(({ sample }) => sample).map(({ id }) => id)).toEqual([
      'sample',
    ])
    expect(await artworkTitles(documents, ['deleted later', 'nobody'])).toEqual(
      new Map([['deleted later', 'Later']]),
    )
  })
})

describe('the card of a work', () => {
  const currentCardHash = async (documents: Documents) =>
    (await publicArtworksWithCards(documents)).cards['w1'] ?? null

  it('has a new address with each thing it shows, and only then', async () => {
    const hashAfter = async (...history: readonly Happened[]) => currentCardHash(await after(...history))
    const first = await hashAfter(artworkAdded('w1'))
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    const changes = [
      toArtwork('w1', { type: 'ArtworkRetitled', data: { from: '', to: 'Rain' } }),
      toArtwork('w1', { type: 'ArtworkPriceChanged', data: { from: 96_000, to: 1 } }),
      toArtwork('w1', { type: 'ArtworkSold', data: { from: 'for_sale' } }),
      {
        stream: 'site-content',
        event: {
          type: 'ContentUpdated',
          data: { changes: { artistName: { from: '', to: 'Asha R.' } }, sample: false },
        },
      } as const,
    ]
    for (const change of changes) expect(await hashAfter(artworkAdded('w1'), change)).not.toBe(first)
    const other = toArtwork('w1', { type: 'ArtworkDescribed', data: { from: '', to: 'x' } })
    expect(await hashAfter(artworkAdded('w1'), other)).toBe(first)
  })

  it('is found with the name that its hash was made with, wherever the texts are', async () => {
    const changes = { artistName: { from: '', to: 'Asha R.' } }
    const named = {
      stream: 'site-content',
      event: { type: 'ContentUpdated', data: { changes, sample: false } },
    } as const
    const documents = await after(artworkAdded('w1'), named)
    const hash = (await currentCardHash(documents)) ?? ''
    expect(await findCardSubject(documents, hash)).toMatchObject({ artistName: 'Asha R.' })
  })

  it('is found by its hash while it is current and the work is on show', async () => {
    const documents = await after(artworkAdded('w1'))
    const hash = (await currentCardHash(documents)) ?? ''
    expect(await findCardSubject(documents, hash)).toEqual({
      id: 'w1',
      title: 'Monsoon over the Ghats',
      price: 96_000,
      saleStatus: 'for_sale',
      imageHash: imageHash,
      artistName: '',
    })
    const hidden = await after(artworkAdded('w1'), toArtwork('w1', { type: 'ArtworkHidden', data: {} }))
    expect(await findCardSubject(hidden, hash)).toBeNull()
    expect(await currentCardHash(hidden)).toBeNull()
  })
})
