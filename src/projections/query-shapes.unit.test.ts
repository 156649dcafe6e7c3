import { expect, it } from 'vitest'
import type { DocumentQuery, Documents, ViewDefinition } from '#application/kernel/ports/documents.ts'
import { allProjections } from './all-projections.ts'
import { listActivity } from './activity/queries.ts'
import * as artworks from './artworks/queries.ts'
import * as journal from './journal/queries.ts'
import { listMessages } from './messages/queries.ts'
import { listActive, listWithUse } from './taxonomy/queries.ts'
import { memoryDocuments } from '#application/testing/memory-documents.ts'

/** A query as the engine gets it; a count has no order. */
interface AskedQuery {
  readonly view: ViewDefinition
  readonly query: DocumentQuery
}

/**
 * Whether an engine finds what is asked through one declared index, without looking at other documents than a
 * few that share its first field, and without sorting: conditions first, then the order in one direction.
 */
const isServed = ({ view, query: { where = {}, order = [] } }: AskedQuery): boolean => {
  const asked = Object.keys(where)
  // all of a view, by its id
  if (asked.length === 0 && order.length === 0) return true
  const oneDirection = new Set(order.map(({ descending = false }) => descending)).size <= 1
  return view.indexes.some((index) => {
    if (order.length === 0) return asked.includes(index[0] ?? '')
    const conditions = index.slice(0, asked.length)
    const rest = index.slice(asked.length)
    return (
      oneDirection &&
      asked.every((field) => conditions.includes(field)) &&
      order.map(({ field }) => field).join() === rest.join()
    )
  })
}

/** Every query that the site asks, with some arguments. */
const queries = async (documents: Documents): Promise<void> => {
  const id = 'a'.repeat(64)
  const html = {
    siteText: (text: string) => text,
    journal: (text: string) => text,
    imagesOf: () => [],
    excerptOf: (text: string) => text,
  }
  const reading = {
    documents,
    keyVault: { openMany: async () => [], erasedIds: async () => [] },
    mail: 'on',
  } as const
  for (const category of [null, 'Landscape']) {
    await artworks.listPublicArtworks(documents, category)
    await artworks.listAllArtworks(documents, category)
  }
  await artworks.publicArtworksWithCards(documents)
  await artworks.listDeletedArtworks(documents, 10)
  await artworks.upiUriOfQr(documents, id)
  await artworks.findCardSubject(documents, id)
  await artworks.artworkPlaces(documents)
  await artworks.firstRank(documents, 0)
  await artworks.currentCards(documents)
  await artworks.termsOfArtworks(documents)
  await artworks.artworksUsing(documents, 'categories', [id])
  await artworks.artworksUsing(documents, 'mediums', [id])
  await journal.listVisiblePosts(documents, new Date(0), 3)
  await journal.datesAround(documents, new Date(0))
  await journal.listAllPosts(documents, html)
  await journal.mirroredPosts(documents)
  await journal.removedPosts(documents)
  await listMessages(reading, { limit: 10 })
  await listActivity(documents, {})
  await listActivity(documents, { artworkId: id })
  for (const set of ['categories', 'mediums'] as const) {
    await listActive(documents, set)
    await listWithUse(documents, set)
  }
}

it('finds every list through an index that its projection declares', async () => {
  const stored = memoryDocuments()
  const asked: AskedQuery[] = []
  await queries({
    ...stored,
    find: (view, query) => {
      asked.push({ view, query })
      return stored.find(view, query)
    },
    count: (view, where) => {
      asked.push({ view, query: { where } })
      return stored.count(view, where)
    },
  })
  expect(asked.length).toBeGreaterThan(15)
  expect(asked.filter((each) => !isServed(each)).map(({ view, query }) => [view.name, query])).toEqual([])
})

it('has no index that no list asks for', async () => {
  // An index costs with every change of a document.
  const used = new Set<string>()
  const stored = memoryDocuments()
  const note = (view: ViewDefinition, query: DocumentQuery): void => {
    for (const index of view.indexes)
      if (isServed({ view: { ...view, indexes: [index] }, query })) used.add(`${view.name} ${index.join()}`)
  }
  await queries({
    ...stored,
    find: (view, query) => {
      note(view, query)
      return stored.find(view, query)
    },
    count: (view, where) => {
      note(view, { where })
      return stored.count(view, where)
    },
  })
  const declared = allProjections.flatMap(({ view }) =>
    view.indexes.map((index) => `${view.name} ${index.join()}`),
  )
  expect(declared.filter((index) => !used.has(index))).toEqual([])
})

it('knows a list that no index serves', () => {
  const view = { name: 'works', version: 1, indexes: [['state', 'rank']] }
  const inOrder = [{ field: 'rank' }]
  expect(isServed({ view, query: { where: { state: 'present' }, order: inOrder } })).toBe(true)
  expect(isServed({ view, query: { order: inOrder } })).toBe(false)
  expect(isServed({ view, query: { where: { rank: 'a0' } } })).toBe(false)
  expect(isServed({ view, query: { where: { state: 'present' }, order: [{ field: 'title' }] } })).toBe(false)
})
