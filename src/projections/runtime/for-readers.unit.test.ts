import { describe, expect, it } from 'vitest'
import {
  type Document,
  type Documents,
  allReadable,
  type StoredDocument,
} from '#application/kernel/ports/documents.ts'
import { forReaders } from './for-readers.ts'

const view = { name: 'artworks', version: 1, indexes: [] }
const stored: readonly StoredDocument[] = [
  { id: 'a', document: { id: 'a' } },
  { id: 'b', document: null },
]
const told: unknown[] = []
const some = (ids: readonly string[]) =>
  allReadable(
    view,
    stored.filter(({ id }) => ids.includes(id)),
  )
// The calls that are looked at here, and no other.
const documents = forReaders(
  {
    findStored: async () => stored,
    find: async () => allReadable(view, stored),
    getMany: async (_: unknown, ids: readonly string[]) => some(ids),
    get: async (_: unknown, id: string) => some([id])[0] ?? null,
  } as unknown as Documents,
  (details) => told.push(details),
)

describe('documents for readers', () => {
  it('leave out of a list what cannot be read, and tell of it once', async () => {
    const a: Document = { id: 'a' }
    expect(await documents.find(view, {})).toEqual([a])
    expect(await documents.getMany(view, ['a', 'b'])).toEqual([a])
    expect(told).toEqual([{ view: 'artworks', ids: ['b'] }])
  })

  it('say so of a single one', async () => {
    await expect(documents.get(view, 'b')).rejects.toThrow('cannot be read')
  })
})
