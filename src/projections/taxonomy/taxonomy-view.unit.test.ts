import { describe, expect, it } from 'vitest'
import { artworksProjection } from '../artworks/artworks-view.ts'
import type { Projection } from '../runtime/projection.ts'
import { findWithUse, listActive, listWithUse } from './queries.ts'
import { categoriesProjection, mediumsProjection } from './taxonomy-view.ts'
import { type Happened, projected, timeOf } from '../testing/history.ts'
import { categoryAdded, toArtwork, artworkAdded } from '../testing/artworks.ts'

const projections = [categoriesProjection, mediumsProjection, artworksProjection] as unknown as Projection[]
const after = (...history: readonly Happened[]) => projected(projections, history)

type CategoryEvent = Extract<Happened['event'], { type: `Category${string}` }>
const category = (event: CategoryEvent): Happened => ({ stream: 'categories', event })
const hills = categoryAdded('c1', 'Hills')
const sea = categoryAdded('c2', 'Sea')

describe('categories and mediums as they are shown', () => {
  it('have what was said at their adding', async () => {
    expect(await listActive(await after(hills), 'categories')).toEqual([
      {
        id: 'c1',
        name: 'Hills',
        description: '',
        isActive: true,
        sortOrder: 0,
        version: 1,
        createdAt: timeOf(0),
        updatedAt: timeOf(0),
      },
    ])
  })

  it.each([
    [{ type: 'CategoryRenamed', data: { id: 'c1', from: 'Hills', to: 'Peaks' } }, { name: 'Peaks' }],
    [{ type: 'CategoryDescribed', data: { id: 'c1', from: '', to: 'High' } }, { description: 'High' }],
    [{ type: 'CategoryReordered', data: { id: 'c1', from: 0, to: 4 } }, { sortOrder: 4 }],
    [{ type: 'CategoryDeactivated', data: { id: 'c1', name: 'Hills' } }, { isActive: false }],
  ] as const)('follow %o', async (event, shown) => {
    const documents = await after(hills, sea, category(event))
    expect(await findWithUse(documents, 'categories', 'c1')).toMatchObject({
      ...shown,
      version: 2,
      updatedAt: timeOf(2),
    })
    expect(await findWithUse(documents, 'categories', 'c2')).toMatchObject({ name: 'Sea', version: 1 })
  })

  it('are gone when deleted', async () => {
    const documents = await after(
      hills,
      category({ type: 'CategoryDeleted', data: { id: 'c1', name: 'Hills', withSamples: false } }),
    )
    expect(await listWithUse(documents, 'categories')).toEqual([])
    expect(await findWithUse(documents, 'categories', 'c1')).toBeNull()
  })

  it('are there again when that was taken back', async () => {
    const documents = await after(
      hills,
      category({ type: 'CategoryDeleted', data: { id: 'c1', name: 'Hills', withSamples: true } }),
      category({ type: 'CategoryRestored', data: { id: 'c1', name: 'Hills' } }),
    )
    expect(await listActive(documents, 'categories')).toMatchObject([
      { id: 'c1', name: 'Hills', version: 3, createdAt: timeOf(0), updatedAt: timeOf(2) },
    ])
  })

  it('stand where they were moved, ranked ones before those without a rank', async () => {
    const moved = category({
      type: 'CategoryMoved',
      data: { id: 'c2', sortOrder: 0, rank: 'Zz', from: { sortOrder: 0, rank: 'a1' }, ranks: { c1: 'a0' } },
    })
    const documents = await after(hills, sea, moved, categoryAdded('c3', 'Art'))
    const shown = await listActive(documents, 'categories')
    expect(shown.map(({ name, version }) => [name, version])).toEqual([
      ['Sea', 2],
      ['Hills', 1],
      ['Art', 1],
    ])
    expect(shown[1]?.updatedAt).toBe(timeOf(0))
  })

  it('show visitors only the active ones, in order of sort order, then name', async () => {
    const documents = await after(
      categoryAdded('c1', 'sea 10'),
      categoryAdded('c2', 'Sea 2'),
      categoryAdded('c3', 'Art'),
      categoryAdded('c4', 'Hidden'),
      category({ type: 'CategoryReordered', data: { id: 'c3', from: 0, to: 1 } }),
      category({ type: 'CategoryDeactivated', data: { id: 'c4', name: 'Hidden' } }),
    )
    expect((await listActive(documents, 'categories')).map(({ name }) => name)).toEqual([
      'Sea 2',
      'sea 10',
      'Art',
    ])
    expect(await listWithUse(documents, 'categories')).toHaveLength(4)
  })

  it('count the works that carry them, without deleted ones', async () => {
    const artworks = { category: { id: 'c1', name: 'Hills' } }
    const documents = await after(
      hills,
      sea,
      artworkAdded('w1', artworks),
      artworkAdded('w2', artworks),
      artworkAdded('w3', { category: { id: null, name: 'Hills' } }),
      toArtwork('w2', { type: 'ArtworkDeleted', data: { title: '' } }),
    )
    expect((await listWithUse(documents, 'categories')).map(({ usedBy }) => usedBy)).toEqual([1, 0])
  })

  it('keep mediums apart from categories', async () => {
    const oil: Happened = {
      stream: 'mediums',
      event: {
        type: 'MediumAdded',
        data: { id: 'm1', name: 'Oil', description: '', isActive: true, sortOrder: 0, sample: false },
      },
    }
    const documents = await after(hills, oil)
    expect((await listActive(documents, 'mediums')).map(({ name }) => name)).toEqual(['Oil'])
    expect((await listActive(documents, 'categories')).map(({ name }) => name)).toEqual(['Hills'])
  })
})
