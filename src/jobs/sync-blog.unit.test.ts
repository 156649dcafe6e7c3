import { describe, expect, it } from 'vitest'
import { startSync } from '#application/journal/sync.ts'
import type { BlogFeed } from '#application/ports/blog-feed.ts'
import { ownerCommand, testApplication } from '#application/testing/application.ts'
import { syncBlog } from '#jobs/sync-blog.ts'

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
}

/** A sync that was asked for, and its job; `types` is what the log holds. */
const asked = async () => {
  const { app, eventStore } = testApplication()
  const job = syncBlog({ app, blogFeed, effects })
  await startSync(app, { runId: 'r', blogUrl: 'https://blog.example', trigger: 'owner' }, ownerCommand())
  const run = (attempt: number, signal = new AbortController().signal) =>
    job.run({ runId: 'r' }, { id: 'j', attempt, signal, progress: () => {} })
  return { app, job, run, types: () => eventStore.events.map(({ type }) => type) }
}

describe('a sync with troubles of our own', () => {
  it('is tried again, and ends in words when it is given up, so that the next one may start', async () => {
    const { app, job, run, types } = await asked()
    let attempt = 1
    for (; job.backoff(attempt) !== null; attempt += 1) {
      await expect(run(attempt)).rejects.toThrow('on fire')
    }
    expect(types()).toEqual(['BlogSyncStarted'])
    await expect(run(attempt)).rejects.toThrow('on fire')
    expect(types()).toEqual(['BlogSyncStarted', 'BlogSyncFailed'])
    await startSync(app, { runId: 's', blogUrl: 'https://blog.example', trigger: 'owner' }, ownerCommand())
    expect(types().at(-1)).toBe('BlogSyncStarted')
  })

  it('stays open when it is only the process that stops', async () => {
    const { run, types } = await asked()
    await expect(run(9, AbortSignal.abort(new Error('stopping')))).rejects.toThrow()
    expect(types()).toEqual(['BlogSyncStarted'])
  })
})
