import { describe, expect, it } from 'vitest'
import type { Documents } from '#application/kernel/ports/documents.ts'
import { memoryDocuments } from '#application/testing/memory-documents.ts'
import type { HtmlSanitiser } from '#application/ports/html.ts'
import type { JournalEvent, SourcePost } from '#domain/journal/events.ts'
import { blogPostsProjection } from './blog-posts-view.ts'
import { blogSyncProjection } from './blog-sync-view.ts'
import {
  findPost,
  getBlogSync,
  listAllPosts,
  listVisiblePosts,
  mirroredPosts,
  removedPosts,
  datesAround,
  syncOutcome,
} from './queries.ts'
import type { Projection } from '../runtime/projection.ts'
import { type Happened, projected, timeOf } from '../testing/history.ts'

const projections = [blogPostsProjection, blogSyncProjection] as unknown as Projection[]
const after = (...history: readonly Happened[]) => projected(projections, history)
/** later than all that happens here */
const now = new Date('2026-06-01T00:00:00.000Z')
const visible = (documents: Documents, limit?: number) => listVisiblePosts(documents, now, limit)

/** Replaces `<img src="…">` by our copies, as the true sanitiser does. */
const html = {
  journal: (content: string, { imageFor }: { imageFor?: (url: string) => string | null }) =>
    content.replaceAll(/<img src="([^"]*)">/g, (_, url: string) => {
      const ours = imageFor?.(url) ?? null
      return ours === null ? '' : `<img src="${ours}">`
    }),
} as unknown as HtmlSanitiser

const source: SourcePost = {
  title: 'First light',
  content: '<p>Dawn</p><img src="https://blog.example/in.jpg">',
  excerpt: 'Dawn',
  pictureUrl: 'https://blog.example/lead.jpg',
  publishedAt: '2025-05-01T08:00:00.000Z',
  externalUrl: 'https://blog.example/first',
}
const imported = (id: string, post: Partial<SourcePost> = {}, sample = false): Happened => ({
  stream: `blogPost-${id}`,
  event: {
    type: 'BlogPostImported',
    data: {
      externalId: `tag:${id}`,
      blogUrl: sample ? '' : 'https://blog.example/',
      post: { ...source, ...post },
      sample,
    },
  },
})
const toPost = (id: string, event: JournalEvent): Happened => ({ stream: `blogPost-${id}`, event })
const copied = (id: string, sourceUrl: string, imageUrl: string) =>
  toPost(id, { type: 'BlogPostPictureCopied', data: { sourceUrl, imageUrl, hash: 'c'.repeat(64) } })
const override = (field: 'title' | 'excerpt' | 'imageUrl', to: string | null) =>
  toPost('p1', { type: 'BlogPostOverridden', data: { field, from: null, to } })

describe('a journal post as it is shown', () => {
  it('has the blog’s words; its picture only once it is kept here', async () => {
    const [post] = await visible(await after(imported('p1')))
    expect(post).toEqual({
      id: 'p1',
      title: 'First light',
      excerpt: 'Dawn',
      imageUrl: null,
      publishedAt: '2025-05-01T08:00:00.000Z',
      externalUrl: 'https://blog.example/first',
      isExternal: true,
      isVisible: true,
      version: 1,
      createdAt: timeOf(0),
      updatedAt: timeOf(0),
    })
    const documents = await after(
      imported('p1'),
      copied('p1', 'https://blog.example/lead.jpg', '/images/l/v.jpg'),
    )
    expect((await visible(documents))[0]).toMatchObject({ imageUrl: '/images/l/v.jpg', version: 1 })
  })

  it('shows the owner its content with our copies of the pictures and without the others', async () => {
    const before = await after(imported('p1'))
    expect((await findPost(before, html, 'p1'))?.content).toBe('<p>Dawn</p>')
    const documents = await after(
      imported('p1'),
      copied('p1', 'https://blog.example/in.jpg', '/images/i/v.jpg'),
    )
    expect((await findPost(documents, html, 'p1'))?.content).toBe('<p>Dawn</p><img src="/images/i/v.jpg">')
  })

  it('keeps the owner’s words over later edits of the blog, until she drops them', async () => {
    const revised = toPost('p1', {
      type: 'BlogPostRevised',
      data: { from: source, to: { ...source, title: 'Second light', excerpt: 'Noon' } },
    })
    const history = [
      imported('p1'),
      override('title', 'Mine'),
      override('imageUrl', '/images/o/v.jpg'),
      revised,
    ]
    expect(await findPost(await after(...history), html, 'p1')).toMatchObject({
      title: 'Mine',
      excerpt: 'Noon',
      imageUrl: '/images/o/v.jpg',
      overrides: { title: 'Mine', excerpt: null, imageUrl: '/images/o/v.jpg' },
      version: 4,
    })
    expect(await findPost(await after(...history, override('title', null)), html, 'p1')).toMatchObject({
      title: 'Second light',
      overrides: { title: null },
    })
  })

  it('names her own picture for the owner as it is shown, by the address that she gave until it came', async () => {
    const sourceUrl = 'https://pictures.example/a.jpg'
    const history = [
      imported('p1'),
      copied('p1', 'https://blog.example/lead.jpg', '/images/l/v.jpg'),
      override('imageUrl', sourceUrl),
    ]
    const of = async (...events: typeof history) => findPost(await after(...events), html, 'p1')
    expect(await of(...history)).toMatchObject({
      imageUrl: '/images/l/v.jpg',
      overrides: { imageUrl: sourceUrl },
    })
    expect(await of(...history, copied('p1', sourceUrl, '/images/o/v.jpg'))).toMatchObject({
      imageUrl: '/images/o/v.jpg',
      overrides: { imageUrl: '/images/o/v.jpg' },
    })
  })

  it('without a title is “Untitled”', async () => {
    expect((await visible(await after(imported('p1', { title: '' }))))[0]?.title).toBe('Untitled')
  })

  it('hidden is for the owner only', async () => {
    const documents = await after(imported('p1'), toPost('p1', { type: 'BlogPostHidden', data: {} }))
    expect(await visible(documents)).toEqual([])
    expect(await listAllPosts(documents, html)).toMatchObject([{ id: 'p1', isVisible: false }])
    const shown = await after(
      imported('p1'),
      toPost('p1', { type: 'BlogPostHidden', data: {} }),
      toPost('p1', { type: 'BlogPostShown', data: {} }),
    )
    expect(await visible(shown)).toHaveLength(1)
  })

  it('that is removed is gone, and returns with what the owner said about it', async () => {
    const removed = toPost('p1', { type: 'BlogPostRemoved', data: { reason: 'gone' } })
    const gone = await after(imported('p1'), override('title', 'Mine'), removed)
    expect(await listAllPosts(gone, html)).toEqual([])
    expect(await findPost(gone, html, 'p1')).toBeNull()
    expect(await mirroredPosts(gone)).toEqual([])
    expect(await removedPosts(gone)).toMatchObject([{ id: 'p1', externalId: 'tag:p1', removedFor: 'gone' }])
    const returned = toPost('p1', {
      type: 'BlogPostReturned',
      data: { blogUrl: 'https://new.example/', post: { ...source, title: 'Again' } },
    })
    const back = await after(imported('p1'), override('title', 'Mine'), removed, returned)
    expect(await visible(back)).toMatchObject([{ title: 'Mine' }])
    expect(await removedPosts(back)).toEqual([])
    expect(await mirroredPosts(back)).toEqual([
      {
        id: 'p1',
        title: 'Again',
        excerpt: source.excerpt,
        externalId: 'tag:p1',
        externalUrl: source.externalUrl,
        publishedAt: source.publishedAt,
        blogUrl: 'https://new.example/',
        removedFor: null,
        sample: false,
        touched: true,
      },
    ])
  })

  it('that is removed is looked through with others as far as their keys and addresses fit into memory', async () => {
    const stored = memoryDocuments()
    const long = { externalId: 'k'.repeat(500_000), post: { ...source, externalUrl: 'u'.repeat(500_000) } }
    for (let n = 10; n < 100; n++)
      stored
        .all(blogPostsProjection.view)
        .set(`p${n}`, { id: `p${n}`, status: 'removed', shownAt: `2025-01-01T00:00:00.0${n}Z`, ...long })
    const looked = await removedPosts(stored)
    expect(looked.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, n) => `p${99 - n}`))
  })

  it('stands in order of its publishing, else of its coming, newest first', async () => {
    const documents = await after(
      imported('old', { publishedAt: '2024-01-01T00:00:00.000Z' }),
      imported('undated', { publishedAt: null }),
      imported('newer', { publishedAt: '2025-01-01T00:00:00.000Z' }),
    )
    expect((await visible(documents)).map(({ id }) => id)).toEqual(['undated', 'newer', 'old'])
    expect(await visible(documents, 2)).toHaveLength(2)
  })

  it('waits for its date, from which on visitors see it', async () => {
    const date = '2026-06-01T00:00:00.001Z'
    const hidden = toPost('p3', { type: 'BlogPostHidden', data: {} })
    const documents = await after(
      imported('p1'),
      imported('p2', { publishedAt: date }),
      imported('p3', { publishedAt: '2026-06-01T00:00:00.000Z' }),
      imported('p4', { publishedAt: '2027-01-01T00:00:00.000Z' }),
      hidden,
    )
    const ids = (posts: readonly { readonly id: string }[]) => posts.map(({ id }) => id)
    expect(ids(await visible(documents))).toEqual(['p1'])
    expect(ids(await listVisiblePosts(documents, new Date(date)))).toEqual(['p2', 'p1'])
    expect(ids(await listAllPosts(documents, html))).toEqual(['p4', 'p2', 'p3', 'p1'])
    expect(await datesAround(documents, now)).toMatchObject({ next: date })
    expect(await datesAround(documents, new Date('2027-01-01T00:00:00.000Z'))).toEqual({
      newest: '2027-01-01T00:00:00.000Z',
      next: null,
    })
  })

  it('is one of as many as there are, of which few are read at once', async () => {
    const ids = Array.from({ length: 61 }, (_, n) => `p${n}`)
    const documents = await after(...ids.map((id) => imported(id)))
    const asked: (number | undefined)[] = []
    const watched: Documents = {
      ...documents,
      find: (view, query) => {
        asked.push(query.limit)
        return documents.find(view, query)
      },
    }
    for (const list of [
      () => visible(watched),
      () => listAllPosts(watched, html),
      () => mirroredPosts(watched),
    ])
      expect(new Set((await list()).map(({ id }) => id))).toEqual(new Set(ids))
    expect(await visible(watched, 41)).toHaveLength(41)
    // One more for each whole list, which finds nothing.
    expect(asked).toHaveLength(18)
    for (const limit of asked) expect(limit).toBeLessThanOrEqual(20)
  })

  it('that cannot be read takes none of those after it along', async () => {
    const ids = Array.from({ length: 30 }, (_, n) => `p${n}`)
    const documents = await after(...ids.map((id) => imported(id)))
    const [unreadable] = await listAllPosts(documents, html)
    // As a reader gets them: what cannot be read is left out of what was found.
    const find: Documents['find'] = async (view, query) =>
      (await documents.find<never>(view, query)).filter(({ id }) => id !== unreadable?.id)
    expect(await visible({ ...documents, find })).toHaveLength(29)
  })

  it('of the samples is no external post', async () => {
    const documents = await after(imported('p1', { externalUrl: null }, true))
    expect((await visible(documents))[0]).toMatchObject({ externalUrl: '', isExternal: false })
  })
})

describe('the sync with the blog', () => {
  const sync = (event: Extract<Happened['event'], { type: `BlogSync${string}` }>): Happened => ({
    stream: 'blog-sync',
    event,
  })
  const started = (runId: string) =>
    sync({ type: 'BlogSyncStarted', data: { runId, blogUrl: 'https://blog.example/', trigger: 'owner' } })
  const counts = { created: 3, updated: 1, removed: 0, unchanged: 5, total: 9 }
  const completed = (runId: string) => sync({ type: 'BlogSyncCompleted', data: { runId, ...counts } })
  const failed = (runId: string) => sync({ type: 'BlogSyncFailed', data: { runId, reason: 'Down' } })

  it('has nothing to tell before the first run', async () => {
    expect(await getBlogSync(await after(imported('p1')), null)).toEqual({
      running: false,
      finishedAt: null,
      created: 0,
      updated: 0,
      removed: 0,
      unchanged: 0,
      total: 0,
      error: null,
      nextAt: null,
    })
  })

  it('runs, then tells its counts', async () => {
    expect(await getBlogSync(await after(started('r1')), null)).toMatchObject({ running: true })
    const documents = await after(started('r1'), completed('r1'))
    expect(await getBlogSync(documents, '2026-01-02T00:00:00.000Z')).toEqual({
      running: false,
      finishedAt: timeOf(1),
      ...counts,
      error: null,
      nextAt: '2026-01-02T00:00:00.000Z',
    })
    expect(await syncOutcome(documents, 'r1')).toEqual({ finishedAt: timeOf(1), ...counts })
    expect(await syncOutcome(documents, 'r0')).toBeNull()
  })

  it('tells why it failed, beside the counts of the last good run, until it goes well again', async () => {
    const failing = await after(started('r1'), completed('r1'), started('r2'), failed('r2'))
    expect(await getBlogSync(failing, null)).toMatchObject({ running: false, error: 'Down', created: 3 })
    expect(await syncOutcome(failing, 'r2')).toEqual({ error: 'Down' })
    const well = await after(started('r2'), failed('r2'), started('r3'), completed('r3'))
    expect(await getBlogSync(well, null)).toMatchObject({ error: null })
  })
})
