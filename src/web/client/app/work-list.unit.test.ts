import { describe, expect, it } from 'vitest'
import { makeArtwork, uuid } from '#web/contract/testing/page-data.ts'
import { categoryOf, galleryList, worksOf } from './work-list.ts'

const works = Array.from({ length: 6 }, (_, number) => makeArtwork(number))
const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id)

describe('worksOf (decisions 29)', () => {
  it('counts all public works for a direct link', () => {
    expect(worksOf(undefined, works, uuid(1))).toBe(works)
  })

  it('counts the featured strip when the work was opened from it', () => {
    expect(ids(worksOf({ kind: 'featured' }, works, uuid(1)))).toEqual([uuid(0), uuid(1), uuid(2)])
  })

  it('counts the filtered gallery when the work was opened from it', () => {
    const list = galleryList('Still Life')
    expect(ids(worksOf(list, works, uuid(3)))).toEqual([uuid(1), uuid(3), uuid(5)])
    expect(categoryOf(list)).toBe('Still Life')
  })

  it('counts all works when the open one has left the list', () => {
    expect(worksOf(galleryList('Still Life'), works, uuid(2))).toBe(works)
  })
})

describe('galleryList', () => {
  it('is no list for the unfiltered gallery', () => {
    expect(galleryList(null)).toBeUndefined()
    expect(categoryOf(undefined)).toBeNull()
    expect(categoryOf({ kind: 'featured' })).toBeNull()
  })
})
