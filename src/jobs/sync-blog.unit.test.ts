import { describe, expect, it } from 'vitest'
import { endLostSync, startSync } from '#application/journal/sync.ts'
import { updateContent } from '#application/site-content/site-content.ts'
import type { BlogFeed } from '#application/ports/blog-feed.ts'
import { afterInterruption, type JobQueue, type JobView } from '#application/kernel/ports/job-queue.ts'
import { ownerCommand, testApplication } from '#application/testing/application.ts'
import { syncBlog } from './sync-blog.ts'

const effects = {
  find: async () => null,
  started: async () => {},
  done: async () => {},
  replace: async () => {},
}
const blogFeed: BlogFeed = {
  discover: async () => ({ feedUrl: '', kind: 'feed', title: '' }),
  crawl: async () => {
    throw new Error('the disk is on fire')
  },
  readPost: async ({ title }) => ({ title, content: '', excerpt: '' }),
}

/** A sync that was asked for, and its job; `types` is what the log holds. */
const asked = async () => {
  const { app, eventStore } = testApplication()
  const job = syncBlog({ app, blogFeed, effects })
  await startSync(app, { runId: 'r', blogUrl: 'https://blog.example', trigger: 'owner' }, ownerCommand())
  const run = (attempt: number, { signal = new AbortController().signal, again = false } = {}) =>
    job.run({ runId: 'r' }, { id: 'j', attempt, apart: false, again, signal, progress: () => {} })
  return { app, eventStore, job, run, types: () => eventStore.events.map(({ type }) => type) }
}

describe('a sync with troubles of our own', () => {
  it('stays open while it is tried again, and ends in words when its job is parked', async () => {
    const { app, eventStore, job, run, types } = await asked()
    await expect(run(1)).rejects.toThrow('on fire')
    expect(types()).toEqual(['BlogSyncStarted'])
    await job.parked?.({ runId: 'r' }, 'the disk is on fire')
    await job.parked?.({ runId: 'r' }, 'the disk is on fire')
    expect(types()).toEqual(['BlogSyncStarted', 'BlogSyncFailed'])
    expect(eventStore.events.at(-1)?.data).toMatchObject({
      reason: expect.stringContaining('could not finish this sync (the disk is on fire)'),
    })
    await startSync(app, { runId: 's', blogUrl: 'https://blog.example', trigger: 'owner' }, ownerCommand())
    expect(types().at(-1)).toBe('BlogSyncStarted')
  })

  it('comes back after every interruption, without an end', async () => {
    const { job } = await asked()
    expect(job.afterInterruption).toBeUndefined()
    expect(afterInterruption(1)).toBeLessThanOrEqual(1_000)
    expect([2, 3, 4, 5, 6, 7, 1_000].map(afterInterruption)).toEqual([
      10_000, 60_000, 300_000, 900_000, 1_800_000, 3_600_000, 3_600_000,
    ])
  })

  it('asked for again after it was parked starts one other run, unless a newer one is there', async () => {
    const { job, run, eventStore, types } = await asked()
    await job.parked?.({ runId: 'r' }, 'x')
    await run(1, { again: true })
    await run(1, { again: true })
    expect(types()).toEqual(['BlogSyncStarted', 'BlogSyncFailed', 'BlogSyncStarted'])
    expect(eventStore.events.at(-1)?.data).toMatchObject({
      blogUrl: 'https://blog.example',
      trigger: 'owner',
    })
    expect(eventStore.events.at(-1)?.data).not.toMatchObject({ runId: 'r' })
  })

  it('asked for again after the address was emptied starts none', async () => {
    const { app, job, run, types } = await asked()
    await job.parked?.({ runId: 'r' }, 'x')
    const blogUrl = 'https://blog.example'
    await updateContent(app, { blogUrl: '' }, null, ownerCommand(), { defaultBlogUrl: blogUrl })
    await run(1, { again: true })
    expect(types()).toEqual(['BlogSyncStarted', 'BlogSyncFailed', 'BlogAddressChanged'])
  })

  it('that no job carries on any more ends in words', async () => {
    const { app, types } = await asked()
    // Of all kinds together the newest, which are images of the posts.
    const carried: Pick<JobQueue, 'list'> = {
      list: async ({ ofEachKind = false } = {}) =>
        ofEachKind ? [{ name: 'sync-blog', subjectId: 'r' } as JobView] : [], // what is looked at
    }
    expect(await endLostSync({ app, jobs: carried }, 'r')).toBe(false)
    expect(types()).toEqual(['BlogSyncStarted'])
    expect(await endLostSync({ app, jobs: { list: async () => [] } }, 'r')).toBe(true)
    expect(types()).toEqual(['BlogSyncStarted', 'BlogSyncFailed'])
  })

  it('stays open when it is only the process that stops', async () => {
    const { run, types } = await asked()
    await expect(run(9, { signal: AbortSignal.abort(new Error('stopping')) })).rejects.toThrow(
      'the disk is on fire',
    )
    expect(types()).toEqual(['BlogSyncStarted'])
  })
})

it('a sync runs in a process of its own: a hostile page may end the one that reads it', async () => {
  const { job } = await asked()
  expect(job.isApart).toBe(true)
})
