import { describe, expect, it } from 'vitest'
import { makeArtwork, makeSiteContent, uuid } from '#web/contract/testing/page-data.ts'
import {
  altTextOf,
  artistNameOf,
  artworkPath,
  categoryIn,
  contactEmailOf,
  featuredWorks,
  heroTitleOf,
  idInAddress,
  publicWorks,
  worksIn,
} from './page-data.ts'

describe('which works are shown', () => {
  it('shows those that are visible and available, in the order they came', () => {
    const works = [
      makeArtwork(4),
      makeArtwork(1, { isVisible: false }),
      makeArtwork(2, { isAvailable: false }),
      makeArtwork(3),
    ]
    expect(publicWorks(works).map(({ id }) => id)).toEqual([uuid(4), uuid(3)])
  })

  it('features the first three (decisions 28)', () => {
    const works = Array.from({ length: 6 }, (_, number) => makeArtwork(number, { isFeatured: number > 0 }))
    expect(featuredWorks(works).map(({ id }) => id)).toEqual([uuid(1), uuid(2), uuid(3)])
  })

  it('filters by the exact name', () => {
    const works = [makeArtwork(0, { category: 'Oil' }), makeArtwork(1, { category: 'oil' })]
    expect(worksIn(works, 'Oil')).toHaveLength(1)
    expect(worksIn(works, null)).toHaveLength(2)
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

describe('texts with their fallbacks (specification §1)', () => {
  it.each([
    [{ heroTitle: 'Wall', artistName: 'Leela' }, 'Wall'],
    [{ heroTitle: '', artistName: 'Leela' }, 'Leela'],
    [{ heroTitle: '', artistName: '' }, 'The Artist'],
  ])('takes %o for the title %s', (change, title) => {
    expect(heroTitleOf(makeSiteContent(change))).toBe(title)
  })

  it('has a name and an address before anything was saved', () => {
    expect(artistNameOf(null)).toBe('The Artist')
    expect(contactEmailOf(null)).toBe('studio@example.org')
  })

  it('describes a picture by title, medium and year unless she wrote better (decisions 31)', () => {
    const work = makeArtwork(0, { title: 'Haldi', medium: 'Oil', yearCreated: 2025 })
    expect(altTextOf(work)).toBe('Haldi, Oil, 2025')
    expect(altTextOf({ ...work, medium: '', yearCreated: null })).toBe('Haldi')
    expect(altTextOf({ ...work, altText: 'A yellow field' })).toBe('A yellow field')
  })
})

describe('addresses of works (decisions 84)', () => {
  it('reads back the id that it wrote', () => {
    const work = makeArtwork(5)
    expect(idInAddress(artworkPath(work).replace('/artwork/', ''))).toBe(work.id)
    expect(artworkPath({ id: uuid(5), slug: '' })).toBe(`/artwork/work-${uuid(5)}`)
  })

  it.each(['', 'x', 'a-very-long-slug-without-any-id-at-the-end'])('finds none in "%s"', (segment) => {
    expect(idInAddress(segment)).toBeNull()
  })
})
