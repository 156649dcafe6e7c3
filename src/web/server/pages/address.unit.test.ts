import { describe, expect, it } from 'vitest'
import { makeArtwork, makePageData, uuid } from '#web/contract/testing/make-page-data.ts'
import { destinationOf, homeQueryOf, keyGuess, placesOf } from './address.ts'
import { artworkPath } from '#web/contract/artwork-address.ts'

// A number whose id has letters in it, so that capitals make a difference.
const artwork = makeArtwork(0xabc)
const places = placesOf(makePageData(0, { artworks: [makeArtwork(0), artwork] }))
const address = `/artwork/study-2748-of-the-monsoon-${artwork.id}`

describe('destinationOf', () => {
  it('finds a work under its own address', () => {
    expect(destinationOf(address, '', places)).toEqual({
      kind: 'page',
      page: { kind: 'artwork', id: artwork.id },
      key: address,
      contactSent: false,
    })
  })

  it.each([
    ['another slug', `/artwork/old-title-${artwork.id}`],
    ['no slug', `/artwork/${artwork.id}`],
    ['capitals in the id', `/artwork/study-2748-of-the-monsoon-${artwork.id.toUpperCase()}`],
  ])('leads %s to the right one', (_, path) => {
    expect(destinationOf(path, '', places)).toEqual({ kind: 'redirect', location: address })
  })

  it('writes "work" for an empty slug', () => {
    expect(artworkPath({ id: uuid(1), slug: '' })).toBe(`/artwork/work-${uuid(1)}`)
  })

  it.each(['/nope', '/artwork/', '/artwork/x', `/artwork/study-${uuid(77)}`, '/artwork/a/b', '//', '/%zz'])(
    'answers %s with the one not-found page',
    (path) => {
      expect(destinationOf(path, '', places)).toMatchObject({ page: { kind: 'not-found' }, key: 'not-found' })
    },
  )

  it('keeps a page of an existing category, and none of a made-up one', () => {
    expect(destinationOf('/', 'category=Landscape', places)).toMatchObject({
      page: { kind: 'home', category: 'Landscape' },
      key: '/?["Landscape",false]',
    })
    expect(destinationOf('/', 'category=nope', places)).toMatchObject({
      page: { kind: 'home', category: 'nope' },
      key: null,
    })
  })

  it.each(['', 'category=', 'category=all', 'utm_source=x', 'utm_source=x&category=all'])(
    'takes "%s" for the plain homepage',
    (query) => {
      expect(destinationOf('/', query, places)).toMatchObject({
        page: { kind: 'home', category: null },
        key: '/',
      })
    },
  )

  it('tells a page after a sent form from the plain one', () => {
    const sent = destinationOf('/', 'contact=sent', places)
    expect(sent).toMatchObject({ contactSent: true })
    expect(sent).not.toMatchObject({ key: '/' })
  })
})

describe('homeQueryOf', () => {
  it('reads no more of a query than a link has', () => {
    const long = '&a'.repeat(7_000)
    expect(homeQueryOf(`category=Still+Life${long}`).category).toBe('Still Life')
    expect(homeQueryOf(`${long}&category=Still+Life`).category).toBeNull()
  })
})

describe('keyGuess', () => {
  it.each([
    ['/', ''],
    ['/', 'utm_source=x'],
    ['/', 'category=Still+Life'],
    ['/', 'category=Still%20Life&utm_source=x'],
    ['/', 'contact=sent'],
    ['/admin', ''],
    [address, 'utm_source=x'],
  ])('is the key under which %s?%s is kept', (path, query) => {
    expect(destinationOf(path, query, places)).toMatchObject({ key: keyGuess(path, query) })
  })
})
