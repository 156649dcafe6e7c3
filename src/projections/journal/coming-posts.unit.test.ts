import { beforeEach, expect, it } from 'vitest'
import { memoryDocuments } from '#application/testing/memory-documents.ts'
import { blogPostsProjection } from './blog-posts-view.ts'
import { movedByDates } from './coming-posts.ts'

const views = ['artworks', 'blog-posts']
let now: Date
let posts: string
let finds: number
let stored = memoryDocuments()

const put = (id: string, shownAt: string): void => {
  stored.all(blogPostsProjection.view).set(id, { id, status: 'present', isVisible: true, shownAt })
}
const open = () => {
  const find: typeof stored.find = (view, query) => {
    finds += 1
    return stored.find(view, query)
  }
  const readModels = {
    version: (asked: readonly string[]) => asked.map((each) => `${each}@1:${posts}`).join(' '),
  }
  return movedByDates(readModels, { ...stored, find }, { now: () => now })
}

beforeEach(() => {
  now = new Date('2026-06-01T00:00:00.000Z')
  posts = '7'
  finds = 0
  stored = memoryDocuments()
})

it('moves with each post whose date comes, and asks once for each', async () => {
  put('past', '2026-01-01T00:00:00.000Z')
  put('next', '2026-07-01T00:00:00.000Z')
  put('last', '2026-08-01T00:00:00.000Z')
  const version = open()
  const moments = ['2026-06-01', '2026-06-30', '2026-07-01', '2026-07-31', '2026-08-01', '2027-01-01']
  const versions: string[] = []
  for (const day of moments) {
    now = new Date(day)
    versions.push(await version(views))
  }
  const [june, , july, , august] = versions
  expect(versions).toEqual([june, june, july, july, august, august])
  expect(new Set(versions).size).toBe(3)
  expect(finds).toBe(6)
  expect(version(views)).toBe(august)
  expect(june).not.toContain('2026-07-01')
})

it('moves back with a clock that was ahead', async () => {
  put('past', '2026-01-01T00:00:00.000Z')
  put('next', '2026-07-01T00:00:00.000Z')
  const version = open()
  const right = await version(views)
  now = new Date('2026-08-01')
  const ahead = await version(views)
  now = new Date('2026-06-02')
  expect(ahead).not.toBe(right)
  expect(await version(views)).toBe(right)
})

it('asks again when the posts have changed, and never for what shows none', async () => {
  const version = open()
  const before = await version(views)
  put('next', '2026-07-01T00:00:00.000Z')
  posts = '8'
  expect(await version(views)).not.toBe(before)
  expect(finds).toBe(4)
  expect(version(['artworks'])).toBe('artworks@1:8')
})
