import type { Documents } from '#application/kernel/ports/documents.ts'
import type { MakeGauge, MetricSources } from '#infrastructure/metrics/render.ts'
import { getBlogSync } from '#projections/journal/queries.ts'
import { countMail } from '#projections/messages/queries.ts'

/** What modules tell of themselves: how the blog's mirror stands, and the mail of messages. */
export const moduleGauges = (
  gauge: MakeGauge,
  documents: Documents,
): ReturnType<MetricSources['modules']> => {
  const syncEnd = gauge('blog_sync_end_timestamp_seconds', 'When the blog was mirrored last')
  const syncOk = gauge('blog_sync_ok', '1 when that went well, else 0')
  const syncPosts = gauge('blog_sync_posts', 'Posts of that run', ['result'])
  const mail = gauge('enquiry_mail', 'Messages by what became of their mail', ['result'])
  return {
    sync: async () => {
      const run = await getBlogSync(documents, null)
      if (run.finishedAt === null) return
      syncEnd.set(Date.parse(run.finishedAt) / 1_000)
      syncOk.set(run.error === null ? 1 : 0)
      for (const result of ['created', 'updated', 'removed', 'unchanged'] as const)
        syncPosts.set({ result }, run[result])
    },
    mail: async () => {
      for (const [result, number] of Object.entries(await countMail(documents))) mail.set({ result }, number)
    },
  }
}
