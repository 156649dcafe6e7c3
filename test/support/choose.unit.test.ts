import { describe, expect, it } from 'vitest'
import { choose } from './choose.ts'

const files = [
  { path: 'src/domain/artworks/artwork.unit.test.ts', text: "it('is sold once')" },
  { path: 'src/web/server/app.int.test.ts', text: "it('answers pages')" },
  { path: 'test/journeys/public-artwork.journey.ts', text: "test('a work is sold once')" },
]

describe('npm test', () => {
  it('runs everything without words', () => {
    expect(choose([], files)).toEqual({ vitest: [], playwright: [], byName: false, needsClient: true })
  })

  it('starts no browser and builds nothing for a unit test', () => {
    expect(choose(['domain/artworks'], files)).toEqual({
      vitest: ['src/domain/artworks/artwork.unit.test.ts'],
      playwright: null,
      byName: false,
      needsClient: false,
    })
  })

  it('takes words that are in no path for those of a test, in both tools', () => {
    expect(choose(['sold once'], files)).toEqual({
      vitest: ['src/domain/artworks/artwork.unit.test.ts', '-t', 'sold once'],
      playwright: ['test/journeys/public-artwork.journey.ts', '-g', 'sold once'],
      byName: true,
      needsClient: true,
    })
  })

  it('narrows paths by words, and takes signs in them as they are', () => {
    expect(choose(['artwork', 'is sold once'], files).playwright).toEqual([
      'test/journeys/public-artwork.journey.ts',
      '-g',
      'is sold once',
    ])
    expect(choose(["('answers"], files).vitest).toEqual([
      'src/web/server/app.int.test.ts',
      '-t',
      String.raw`\('answers`,
    ])
  })

  it('passes options on to what runs', () => {
    expect(choose(['app.int', '--bail', '1'], files).vitest).toEqual([
      'src/web/server/app.int.test.ts',
      '--bail',
      '1',
    ])
  })

  it('says when no test matches', () => {
    expect(() => choose(['nowhere'], files)).toThrow('No test matches: nowhere')
  })
})
