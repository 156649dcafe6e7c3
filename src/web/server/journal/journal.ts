import { revisePost } from '#application/journal/posts.ts'
import { startSync } from '#application/journal/sync.ts'
import { settled } from '#application/kernel/execute.ts'
import { pause } from '#application/kernel/retry.ts'
import { blogPostsProjection } from '#projections/journal/blog-posts-view.ts'
import {
  findPost,
  getBlogSync,
  listAllPosts,
  listPostRows,
  listVisiblePosts,
  syncOutcome,
} from '#projections/journal/queries.ts'
import { getSiteContent } from '#projections/site-content/queries.ts'
import type { BlogSyncResult } from '#web/contract/journal.ts'
import { postsOnPage } from '#web/contract/pages.ts'
import type { WebDeps } from '../deps.ts'
import { CallRefused } from '../door/errors.ts'
import { newestPosts, type PublicLists } from '../public-lists.ts'
import { changesInTurn } from '../call/changes-in-turn.ts'
import type { ModuleRoutes } from '../call/route.ts'

/** Looked at again this often, also when no change was told of: another process may run the sync. */
const lookEveryMs = 500
/** Past this a sync goes on without an audience; its own bounds end it. */
const longestWaitMs = 15 * 60_000

/** Waits for news of a sync, but not for ever, nor once nobody listens. */
const nextLook = async (changes: WebDeps['changes'], gone: AbortSignal): Promise<void> => {
  const heard = new AbortController()
  const stop = changes.onChange(({ models }) => {
    if (models.includes('sync')) heard.abort()
  })
  await pause(lookEveryMs, AbortSignal.any([gone, heard.signal]))
  stop()
}

export const journalRoutes = (
  deps: Pick<WebDeps, 'app' | 'documents' | 'settings' | 'changes' | 'nextSyncAt'>,
  lists: PublicLists,
): ModuleRoutes<'journal'> => {
  const { app, documents, settings, changes, nextSyncAt } = deps
  const inTurn = changesInTurn()

  /** The end of a run, null when nobody waits for it any more. @throws {CallRefused} 502 when it failed */
  const endOf = async (runId: string, gone: AbortSignal): Promise<BlogSyncResult | null> => {
    const until = performance.now() + longestWaitMs
    while (!gone.aborted && performance.now() < until) {
      const outcome = await syncOutcome(documents, runId)
      // The list of posts is a view of its own, and may come after the run's end, which stands whatever the log answers now.
      if (outcome !== null) await settled(app, blogPostsProjection.handles).catch(() => false)
      if (outcome !== null && 'error' in outcome) throw new CallRefused(502, outcome.error)
      if (outcome !== null) return outcome
      await nextLook(changes, gone)
    }
    return null
  }

  return {
    listBlogPosts: {
      read: ({ query: { part } }) => {
        if (part === 'page') return listVisiblePosts(documents, app.clock.now(), postsOnPage + 1)
        return part === 'rows' ? listPostRows(documents) : listAllPosts(documents, app.html)
      },
      ready: (asked, { query: { part } }) =>
        lists.answer(part === 'page' ? newestPosts : '/api/blog-posts', null, asked),
    },
    changeBlogPost: {
      act: ({ params, body, expectedVersion, command }) =>
        inTurn(params.id, () => revisePost(app, params.id, body, expectedVersion, command)),
      reply: (id) => findPost(documents, app.html, id),
    },
    getBlogSync: { read: () => getBlogSync(documents, nextSyncAt()) },
    syncBlogPosts: {
      act: async ({ ctx, command }) => {
        const gone = new AbortController()
        const leave = (): void => gone.abort()
        // Before anything is waited for: whoever has left by then would not be heard of.
        ctx.res.once('close', leave)
        try {
          const { blogUrl } = await getSiteContent(documents, app.html, settings)
          const runId = command.commandId
          await startSync(app, { runId, blogUrl, trigger: 'owner' }, command)
          const result = await endOf(runId, gone.signal)
          return { id: runId, position: null, visible: result !== null }
        } finally {
          ctx.res.removeListener('close', leave)
        }
      },
      reply: async (runId) => {
        const own = await syncOutcome(documents, runId)
        if (own !== null && !('error' in own)) return own
        // A repeat of the call, and another run since: the newest result is the one of now.
        const { finishedAt, created, updated, removed, unchanged, total } = await getBlogSync(documents, null)
        return finishedAt === null ? null : { finishedAt, created, updated, removed, unchanged, total }
      },
    },
  }
}
