import { describe, expect, it } from 'vitest'
import { makeArtwork, uuid } from '#web/contract/testing/make-page-data.ts'
import { categoryOf, galleryList, artworksOf } from './artwork-list.ts'

const artworks = Array.from({ length: 6 }, (_, number) => makeArtwork(number))
const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id)

describe('artworksOf', () => {
  it('counts all public works for a direct link', () => {
    expect(artworksOf(undefined, artworks, uuid(1))).toBe(artworks)
  })

  it('counts the featured strip when the work was opened from it', () => {
    expect(ids(artworksOf({ kind: 'featured' }, artworks, uuid(1)))).toEqual([uuid(0), uuid(1), uuid(2)])
  })

  it('counts the filtered gallery when the work was opened from it', () => {
    const list = galleryList('Still Life')
    expect(ids(artworksOf(list, artworks, uuid(3)))).toEqual([uuid(1), uuid(3), uuid(5)])
    expect(categoryOf(list)).toBe('Still Life')
  })

  it('counts all works when the open one has left the list', () => {
    expect(artworksOf(galleryList('Still Life'), artworks, uuid(2))).toBe(artworks)
  })
})

describe('galleryList', () => {
  it('is no list for the unfiltered gallery', () => {
    expect(galleryList(null)).toBeUndefined()
    expect(categoryOf(undefined)).toBeNull()
    expect(categoryOf({ kind: 'featured' })).toBeNull()
  })
})
