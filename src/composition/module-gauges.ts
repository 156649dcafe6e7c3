import type { Documents } from '#application/kernel/ports/documents.ts'
import type { MetricSources } from '#infrastructure/metrics/render.ts'
import { getBlogSync } from '#projections/journal/queries.ts'
import { countMail } from '#projections/messages/queries.ts'

const syncGauges = async (documents: Documents) => {
  const { finishedAt, error, created, updated, removed, unchanged } = await getBlogSync(documents, null)
  const isOver = finishedAt !== null
  return [
    {
      name: 'blog_sync_end_timestamp_seconds',
      help: 'When the blog was mirrored last',
      value: isOver ? Date.parse(finishedAt) / 1_000 : null,
    },
    {
      name: 'blog_sync_ok',
      help: '1 when that went well, else 0',
      value: isOver ? Number(error === null) : null,
    },
    {
      name: 'blog_sync_posts',
      help: 'Posts of that run',
      value: { label: 'result', of: isOver ? { created, updated, removed, unchanged } : {} },
    },
  ]
}

/** What modules tell of themselves: how the blog's mirror stands, and the mail of messages. */
export const moduleGauges = (documents: Documents): MetricSources['modules'] => ({
  sync: () => syncGauges(documents),
  mail: async () => [
    {
      name: 'enquiry_mail',
      help: 'Messages by what became of their mail',
      value: { label: 'result', of: await countMail(documents) },
    },
  ],
})
