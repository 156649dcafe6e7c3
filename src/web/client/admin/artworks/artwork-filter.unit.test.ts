import { expect, test } from 'vitest'
import type { Artwork } from '#web/contract/artworks.ts'
import { categoriesOf, NO_FILTER, artworksFitting } from './artwork-filter.ts'

const artwork = (fields: Partial<Artwork>): Artwork =>
  // Only the fields that a filter looks at.
  ({
    title: '',
    medium: '',
    category: '',
    yearCreated: null,
    dimensions: '',
    description: '',
    isAvailable: true,
    isVisible: true,
    isFeatured: false,
    saleStatus: 'for_sale',
    ...fields,
  }) as Artwork

const neel = artwork({
  title: 'Néel, after the Rains',
  medium: 'Indigo',
  category: 'Abstract',
  yearCreated: 2025,
})
const kajal = artwork({
  title: 'Kajal',
  framing: 'unframed',
  category: 'Paper',
  isAvailable: false,
  saleStatus: 'sold',
})
const unpublished = artwork({ title: 'IMG 2041', isVisible: false })
const all = [neel, kajal, unpublished]

const found = (filter: Partial<typeof NO_FILTER>) => artworksFitting(all, { ...NO_FILTER, ...filter })

test('without a filter the very list is given back', () => {
  expect(found({ text: '  ' })).toBe(all)
})

test('every word must occur, whatever its case and accents', () => {
  expect(found({ text: 'NEEL 2025 indigo' })).toEqual([neel])
  expect(found({ text: 'neel paper' })).toEqual([])
})

test('what a label says besides is found by its words', () => {
  expect(found({ text: 'unframed' })).toEqual([kajal])
})

test.each([
  ['hidden', [kajal]],
  ['unpublished', [unpublished]],
  ['sold', [kajal]],
  ['available', [neel]],
])('the state %s finds its works', (state, artworks) => {
  expect(found({ state })).toEqual(artworks)
})

test('a category is matched exactly and combined with the rest', () => {
  expect(found({ category: 'Paper' })).toEqual([kajal])
  expect(found({ category: 'Paper', state: 'available' })).toEqual([])
  expect(categoriesOf(all)).toEqual(['Abstract', 'Paper'])
})
