import { describe, expect, it } from 'vitest'
import { answersOf, idempotencyKey, ifMatch, routerPath } from './call.ts'
import { calls } from './calls.ts'
import { refusal } from './testing/refusal.ts'

const statuses = (name: keyof typeof calls): number[] => Object.keys(answersOf(calls[name])).map(Number)

describe('the answers of a call', () => {
  it('of a visitor who reads are few', () => {
    expect(statuses('listCategories')).toEqual([200, 304, 500, 503])
  })

  it('of the owner who changes something hold every refusal there is for that', () => {
    expect(statuses('changeArtwork')).toEqual([
      200, 202, 400, 401, 403, 404, 408, 409, 413, 415, 422, 500, 503,
    ])
  })

  it('keep what the call says of itself', () => {
    expect(answersOf(calls.sendEnquiryForm)[422]).toBeNull()
  })
})

describe('paths', () => {
  it('are written for a router too', () => {
    expect(routerPath(calls.restoreArtwork)).toBe('/api/artworks/:id/restore')
    expect(routerPath(calls.exportArtworks)).toBe('/api/artworks.csv')
  })
})

describe('If-Match', () => {
  it.each([
    ['"3"', 3],
    ['W/"12"', 12],
    ['3', 3],
    ['*', undefined],
  ])('%s is the version %s', (header, version) => {
    expect(ifMatch.parse(header)).toBe(version)
  })

  it.each(['', '"abc"', '"3', '"1", "2"', '"-1"', `"${'9'.repeat(16)}"`])('%s is none', (header) => {
    expect(refusal(ifMatch, header).message).toBe('If-Match must be the version in quotes, such as "3"')
  })
})

describe('Idempotency-Key', () => {
  it.each([
    ['0f6ee6a5-7f5e-4d55-9d62-2f3a6f3a9a11', true],
    ['x'.repeat(200), true],
    ['x'.repeat(201), false],
    ['', false],
    ['ä', false],
    ['a\nb', false],
  ])('%.40j is one: %s', (key, expected) => {
    expect(idempotencyKey.safeParse(key).success).toBe(expected)
  })
})
