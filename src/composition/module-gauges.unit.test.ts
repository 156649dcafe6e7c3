import { expect, it } from 'vitest'
import type { Documents } from '#application/kernel/ports/documents.ts'
import type { MakeGauge } from '#infrastructure/metrics/render.ts'
import { moduleGauges } from './module-gauges.ts'

const told = async (sync: object | null) => {
  const all: unknown[] = []
  // What the modules ask of either, and no more.
  const gauge = ((name: string) => ({
    set: (...values: unknown[]) => all.push([name, ...values]),
  })) as unknown as MakeGauge
  const documents = { get: async () => sync, count: async () => 2 } as unknown as Documents
  for (const ask of Object.values(moduleGauges(gauge, documents))) await ask()
  return all
}

it('tells how the blog’s mirror came out, and of messages by their mail', async () => {
  const run = { finishedAt: '2026-01-01T00:00:00.000Z', error: 'It does not answer', created: 1, updated: 2 }
  const all = await told(run)
  expect(all.slice(0, 6)).toEqual([
    ['blog_sync_end_timestamp_seconds', 1_767_225_600],
    ['blog_sync_ok', 0],
    ['blog_sync_posts', { result: 'created' }, 1],
    ['blog_sync_posts', { result: 'updated' }, 2],
    ['blog_sync_posts', { result: 'removed' }, 0],
    ['blog_sync_posts', { result: 'unchanged' }, 0],
  ])
  expect(all.slice(6)).toContainEqual(['enquiry_mail', { result: 'sent' }, 2])
})

it('tells nothing of a blog that was never mirrored', async () => {
  expect((await told(null)).filter((each) => String(each).startsWith('blog'))).toEqual([])
})
