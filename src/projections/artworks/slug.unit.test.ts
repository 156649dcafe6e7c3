import { describe, expect, it } from 'vitest'
import { slugOf } from './slug.ts'

describe('the slug of a title', () => {
  it.each([
    ['Monsoon over the Ghats', 'monsoon-over-the-ghats'],
    ['  Ålesund — “Straße” №1  ', 'alesund-strasse-no1'],
    ["Painter's hand", 'painters-hand'],
    ['मानसून', 'mansun'],
    ['!!!', 'work'],
    ['', 'work'],
  ])('%j is %j', (title, slug) => {
    expect(slugOf(title)).toBe(slug)
  })

  it('ends at a word within 80 characters', () => {
    const slug = slugOf('long words again and again '.repeat(10))
    expect(slug.length).toBeLessThanOrEqual(80)
    expect(slug).toMatch(/-(long|words|again|and)$/)
  })
})
