import { describe, expect, it } from 'vitest'
import { artwork, artworkChange, artworkFilter, artworkPosition, newArtwork } from './artworks.ts'
import { detailsIn } from './details.ts'
import { refusal } from './testing/refusal.ts'
import { ownImage, sampleArtwork } from './testing/samples.ts'

const least = { title: 'Rain', imageUrl: ownImage }

describe('a new work', () => {
  it('gets the defaults, but no year: that is the year of the command', () => {
    expect(newArtwork.parse(least)).toEqual({
      title: 'Rain',
      imageUrl: ownImage,
      description: '',
      price: 0,
      category: '',
      medium: '',
      dimensions: '',
      ...detailsIn(),
      qrCodeUrl: null,
      isVisible: true,
      isAvailable: true,
      isFeatured: false,
      saleStatus: 'for_sale',
      altText: '',
      sortOrder: 0,
    })
  })

  it.each(['unframed', 'framed', 'framed_glass'])('may say how it is framed: %s', (framing) => {
    expect(newArtwork.parse({ ...least, framing })).toHaveProperty('framing', framing)
  })

  it('is framed in one of the known ways', () => {
    expect(refusal(newArtwork, { ...least, framing: 'gold' }).fields).toEqual({
      framing: 'Framing must be one of unsaid, unframed, framed, framed_glass',
    })
  })

  it('may say that its year is unknown', () => {
    expect(newArtwork.parse({ ...least, yearCreated: null })).toHaveProperty('yearCreated', null)
  })

  it.each([undefined, null, '', '  '])(
    'without a picture (%j) is refused in the words of the specification',
    (imageUrl) => {
      expect(refusal(newArtwork, { title: 'Rain', imageUrl }).fields).toEqual({
        imageUrl: 'Please upload an image or provide an image URL.',
      })
    },
  )

  it.each([
    ['https://a.example/b.jpg', true],
    [`https://a.example/${'b'.repeat(2_048 - 18)}`, true],
    [`https://a.example/${'b'.repeat(2_049 - 18)}`, false],
    ['/qr/abc.png', false],
    ['javascript:alert(1)', false],
  ])('takes the picture %.40s: %s', (imageUrl, expected) => {
    expect(newArtwork.safeParse({ ...least, imageUrl }).success).toBe(expected)
  })

  it.each([
    ['title', 200],
    ['description', 5_000],
    ['altText', 300],
    ['category', 200],
    ['medium', 200],
    ['dimensions', 300],
  ])('%s ends at %d characters', (key, max) => {
    expect(newArtwork.safeParse({ ...least, [key]: 'x'.repeat(max) }).success).toBe(true)
    expect(Object.keys(refusal(newArtwork, { ...least, [key]: 'x'.repeat(max + 1) }).fields ?? {})).toEqual([
      key,
    ])
  })

  it.each(['isVisible', 'isAvailable', 'isFeatured'])('%s is true or false, nothing like it', (key) => {
    for (const value of ['true', 1, null]) {
      expect(refusal(newArtwork, { ...least, [key]: value }).fields?.[key]).toMatch(/must be true or false$/)
    }
  })

  it('knows four sale states', () => {
    expect(refusal(newArtwork, { ...least, saleStatus: 'gone' }).fields).toEqual({
      saleStatus: 'Sale status must be one of for_sale, reserved, sold, not_for_sale',
    })
  })

  it('may not choose its own id or dates', () => {
    expect(Object.keys(refusal(newArtwork, { ...least, id: 'x', createdAt: 'x' }).fields ?? {})).toEqual([
      'id',
      'createdAt',
    ])
  })
})

describe('a change to a work', () => {
  it('holds only what was sent', () => {
    expect(Object.keys(artworkChange.parse({ isAvailable: false }))).toEqual(['isAvailable'])
    expect(Object.keys(artworkChange.parse({}))).toEqual([])
  })

  it('may be the record as GET answered it', () => {
    const settable = new Set(Object.keys(newArtwork.shape))
    settable.delete('qrCodeUrl')
    const expected = Object.entries(sampleArtwork).filter(([key]) => settable.has(key))
    expect(artworkChange.parse(artwork.parse(sampleArtwork))).toEqual(Object.fromEntries(expected))
    expect(expected).toHaveLength(settable.size)
  })

  it('refuses other unknown keys beside those that it ignores', () => {
    expect(refusal(artworkChange, { id: 'x', usedBy: 1, rank: 'a0' }).fields).toEqual({
      usedBy: '"usedBy" is not a field of this call',
      rank: '"rank" is not a field of this call',
    })
  })

  it.each([
    ['/qr/abc.png', {}],
    [null, { qrCodeUrl: null }],
    ['', { qrCodeUrl: null }],
    [ownImage, { qrCodeUrl: ownImage }],
    ['https://bank.example/qr.png', { qrCodeUrl: 'https://bank.example/qr.png' }],
  ])('with the QR code %j is %j', (qrCodeUrl, expected) => {
    expect(artworkChange.parse({ qrCodeUrl })).toEqual(expected)
  })

  it('takes the version that the sender has seen', () => {
    expect(artworkChange.parse({ expectedVersion: '3' })).toEqual({ expectedVersion: 3 })
    expect(refusal(artworkChange, { expectedVersion: -1 }).fields).toHaveProperty('expectedVersion')
  })

  it('cannot empty what a work must have', () => {
    expect(refusal(artworkChange, { title: '', imageUrl: '' }).fields).toEqual({
      title: 'Title is required',
      imageUrl: 'Please upload an image or provide an image URL.',
    })
  })
})

describe('the place of a work', () => {
  it('is before another one or the last', () => {
    expect(artworkPosition.parse({ before: null })).toEqual({ before: null })
    expect(artworkPosition.parse({ before: sampleArtwork.id.toUpperCase() })).toEqual({
      before: sampleArtwork.id,
    })
  })

  it.each([undefined, 'first', 3])('is not %j', (before) => {
    expect(refusal(artworkPosition, { before }).fields).toHaveProperty('before')
  })
})

describe('the filter of the list', () => {
  it('ignores other keys, and takes an empty value for none', () => {
    expect(artworkFilter.parse({ category: '', deleted: '', utm_source: 'x' })).toEqual({})
  })

  it('keeps the name as it is and reads deleted as yes or no', () => {
    expect(artworkFilter.parse({ category: ' Oil  ', deleted: 'true' })).toEqual({
      category: ' Oil  ',
      deleted: true,
    })
    expect(artworkFilter.parse({ deleted: 'false' })).toEqual({ deleted: false })
  })

  it('refuses two categories and a deleted that is neither', () => {
    expect(refusal(artworkFilter, { category: ['a', 'b'], deleted: 'yes' }).fields).toEqual({
      category: 'Give one category',
      deleted: 'deleted must be true or false',
    })
  })
})
