import { expect, it } from 'vitest'
import { ownerCommand, testApplication } from '#application/testing/application.ts'
import { blogSyncId, blogSyncProjection } from '#projections/journal/blog-sync-view.ts'
import { projected } from '#projections/testing/history.ts'
import type { Projection } from '#projections/runtime/projection.ts'
import { journalRoutes } from './journal.ts'

it('answers a sync only once the list of posts, a view of its own, shows it', async () => {
  const command = ownerCommand()
  const runId = command.commandId
  const started = { runId, blogUrl: 'https://blog.example/', trigger: 'owner' } as const
  const counts = { created: 1, updated: 0, removed: 0, unchanged: 0, total: 1 }
  // The run has ended for the view that tells of it.
  const documents = await projected(
    [blogSyncProjection as unknown as Projection],
    [
      { stream: blogSyncId, event: { type: 'BlogSyncStarted', data: started } },
      { stream: blogSyncId, event: { type: 'BlogSyncCompleted', data: { runId, ...counts } } },
    ],
  )
  const shown = Promise.withResolvers<boolean>()
  const asked = Promise.withResolvers<void>()
  const { app } = testApplication({
    readModels: {
      shows: (_position, types) => {
        if (types?.includes('BlogPostImported') !== true) return Promise.resolve(true)
        asked.resolve()
        return shown.promise
      },
      version: () => '0',
    },
  })
  // Of all that a web process has, the call asks for these alone.
  const deps = {
    app,
    documents,
    settings: { blogUrl: started.blogUrl },
    changes: { onChange: () => () => {} },
    nextSyncAt: () => null,
  } as unknown as Parameters<typeof journalRoutes>[0]
  const { syncBlogPosts } = journalRoutes(deps, {
    answer: () => Promise.reject(new Error('Nobody asks for a list')),
  })
  if (!('act' in syncBlogPosts)) throw new Error('A sync is a command')
  const asking = { ctx: { res: { once: () => {}, removeListener: () => {} } }, command }
  let isAnswered = false
  const answer = syncBlogPosts
    .act(asking as unknown as Parameters<typeof syncBlogPosts.act>[0])
    .then((done) => {
      isAnswered = true
      return done
    })
  await Promise.race([asked.promise, answer])
  expect(isAnswered).toBe(false)
  shown.resolve(true)
  expect(await answer).toMatchObject({ id: runId, visible: true })
})
