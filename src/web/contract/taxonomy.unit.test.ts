import { describe, expect, it } from 'vitest'
import { nameKey } from './forms.ts'
import { category, newTaxonomyEntry, taxonomyEntryChange } from './taxonomy.ts'
import { refusal } from './testing/refusal.ts'
import { sampleCategory } from './testing/samples.ts'

describe('a new category or medium', () => {
  it('gets the defaults', () => {
    expect(newTaxonomyEntry.parse({ name: '  Oil   paint ' })).toEqual({
      name: 'Oil paint',
      description: '',
      isActive: true,
      sortOrder: 0,
    })
  })

  it.each([undefined, '', ' '])('without a name (%j) is refused', (name) => {
    expect(refusal(newTaxonomyEntry, { name }).fields).toEqual({ name: 'Name is required' })
  })

  it.each(['all', 'ALL', ' All  Artwork ', 'ａｌｌ'])('may not be called "%s"', (name) => {
    expect(refusal(newTaxonomyEntry, { name }).fields).toEqual({
      name: 'This name is used for the whole gallery; please choose another name',
    })
  })

  it('may be called something that only begins so', () => {
    expect(newTaxonomyEntry.parse({ name: 'All Artworks' }).name).toBe('All Artworks')
  })

  it('refuses a sort order that is no number', () => {
    expect(refusal(newTaxonomyEntry, { name: 'Oil', sortOrder: 'abc' }).fields).toEqual({
      sortOrder: 'Sort order must be a whole number',
    })
  })

  it('has a name of at most 200 characters', () => {
    expect(newTaxonomyEntry.safeParse({ name: 'x'.repeat(200) }).success).toBe(true)
    expect(refusal(newTaxonomyEntry, { name: 'x'.repeat(201) }).fields).toHaveProperty('name')
  })
})

describe('a change to a category or medium', () => {
  it('holds only what was sent', () => {
    expect(Object.keys(taxonomyEntryChange.parse({ isActive: false }))).toEqual(['isActive'])
  })

  it('may be the record as GET answered it', () => {
    const { name, description, isActive, sortOrder } = sampleCategory
    expect(taxonomyEntryChange.parse(category.parse(sampleCategory))).toEqual({
      name,
      description,
      isActive,
      sortOrder,
    })
  })

  it('refuses unknown keys', () => {
    expect(refusal(taxonomyEntryChange, { id: 'x', slug: 'y' }).fields).toEqual({
      slug: '"slug" is not a field of this call',
    })
  })
})

it('is the same name whatever its case, its blanks and the form of its letters', () => {
  expect(nameKey('Öl\u{a0}auf  Leinwand')).toBe(nameKey('öl AUF leinwand '))
  expect(nameKey('ﬁne art')).toBe('fine art')
  expect(nameKey('Straße')).toBe(nameKey('STRASSE'))
})
