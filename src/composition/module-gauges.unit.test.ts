import { expect, it } from 'vitest'
import type { Documents } from '#application/kernel/ports/documents.ts'
import { moduleGauges } from './module-gauges.ts'

const documentsWith = (sync: object | null) =>
  // What the two queries ask of it, and no more.
  ({ get: async () => sync, count: async () => 2 }) as unknown as Documents

const told = async (sync: object | null) => {
  const modules = moduleGauges(documentsWith(sync))
  const all = await Promise.all(Object.values(modules).map((ask) => ask()))
  return all
    .flat()
    .map(({ name, value }) => [name, value !== null && typeof value === 'object' ? value.of : value])
}

it('tells how the blog’s mirror came out, and of messages by their mail', async () => {
  const run = { finishedAt: '2026-01-01T00:00:00.000Z', error: 'It does not answer', created: 1, updated: 2 }
  expect(await told(run)).toEqual([
    ['blog_sync_end_timestamp_seconds', 1_767_225_600],
    ['blog_sync_ok', 0],
    ['blog_sync_posts', { created: 1, updated: 2, removed: 0, unchanged: 0 }],
    ['enquiry_mail', expect.objectContaining({ sent: 2, refused: 2 })],
  ])
})

it('knows nothing of a blog that was never mirrored', async () => {
  expect((await told(null)).slice(0, 3)).toEqual([
    ['blog_sync_end_timestamp_seconds', null],
    ['blog_sync_ok', null],
    ['blog_sync_posts', {}],
  ])
})
