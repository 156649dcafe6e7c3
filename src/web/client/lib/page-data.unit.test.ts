import { describe, expect, it } from 'vitest'
import { artworkPath, idInAddress } from '#web/contract/artwork-address.ts'
import { makeArtwork, makeSiteContent, uuid } from '#web/contract/testing/make-page-data.ts'
import {
  artistNameOf,
  categoryIn,
  contactEmailOf,
  featuredArtworks,
  heroTitleOf,
  publicArtworks,
  artworksIn,
} from './page-data.ts'

describe('which works are shown', () => {
  it('shows those that are visible and available, in the order they came', () => {
    const artworks = [
      makeArtwork(4),
      makeArtwork(1, { isVisible: false }),
      makeArtwork(2, { isAvailable: false }),
      makeArtwork(3),
    ]
    expect(publicArtworks(artworks).map(({ id }) => id)).toEqual([uuid(4), uuid(3)])
  })

  it('features the first three', () => {
    const artworks = Array.from({ length: 6 }, (_, number) => makeArtwork(number, { isFeatured: number > 0 }))
    expect(featuredArtworks(artworks).map(({ id }) => id)).toEqual([uuid(1), uuid(2), uuid(3)])
  })

  it('filters by the exact name', () => {
    const artworks = [makeArtwork(0, { category: 'Oil' }), makeArtwork(1, { category: 'oil' })]
    expect(artworksIn(artworks, 'Oil')).toHaveLength(1)
    expect(artworksIn(artworks, null)).toHaveLength(2)
  })

  it.each([
    ['Still Life', 'Still Life'],
    ['', null],
    ['all', null],
    [undefined, null],
    [7, null],
  ])('reads the filter %o as %o', (value, category) => {
    expect(categoryIn(value)).toBe(category)
  })
})

describe('texts with their fallbacks', () => {
  it.each([
    [{ heroTitle: 'Wall', artistName: 'Leela' }, 'Wall'],
    [{ heroTitle: '', artistName: 'Leela' }, 'Leela'],
    [{ heroTitle: '', artistName: '' }, 'The Artist'],
  ])('takes %o for the title %s', (change, title) => {
    expect(heroTitleOf(makeSiteContent(change))).toBe(title)
  })

  it('has a name and an address before anything was saved', () => {
    expect(artistNameOf(null)).toBe('The Artist')
    expect(contactEmailOf(null, false)).toBe('studio@example.org')
  })

  it('has no address of nobody once the world reads it', () => {
    expect(contactEmailOf(null, true)).toBeNull()
    expect(contactEmailOf({ contactEmail: '' }, true)).toBeNull()
    expect(contactEmailOf({ contactEmail: 'asha@example.in' }, true)).toBe('asha@example.in')
  })
})

describe('addresses of works', () => {
  it('reads back the id that it wrote', () => {
    const artwork = makeArtwork(5)
    expect(idInAddress(artworkPath(artwork).replace('/artwork/', ''))).toBe(artwork.id)
    expect(artworkPath({ id: uuid(5), slug: '' })).toBe(`/artwork/work-${uuid(5)}`)
  })

  it.each(['', 'x', 'a-very-long-slug-without-any-id-at-the-end'])('finds none in "%s"', (segment) => {
    expect(idInAddress(segment)).toBeNull()
  })
})
