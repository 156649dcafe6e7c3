import type { Clock } from '#application/kernel/ports/clock.ts'
import type { Documents } from '#application/kernel/ports/documents.ts'
import type { Log } from '#infrastructure/log/log.ts'
import { nextSyncAt } from '#jobs/sync-schedule.ts'
import type { Views } from '#projections/runtime/views.ts'
import { getBlogSync } from '#projections/journal/queries.ts'
import { getBlogUrl } from '#projections/site-content/queries.ts'

/**
 * What the blog's schedule goes by: the address as it is now, null when unset, and when the last run ended.
 * @param fallback the address from the settings; empty without one
 */
export const syncState = async (
  documents: Documents,
  fallback: string,
): Promise<{ readonly blogUrl: string | null; readonly lastEndedAt: Date | null }> => {
  const [blogUrl, sync] = await Promise.all([
    getBlogUrl(documents, { blogUrl: fallback }),
    getBlogSync(documents, null),
  ])
  return {
    blogUrl: blogUrl === '' ? null : blogUrl,
    lastEndedAt: sync.finishedAt === null ? null : new Date(sync.finishedAt),
  }
}

/** When the blog is mirrored next at the earliest, in a process that leaves the planning to another. */
export const followSyncPlan = (ports: {
  readonly documents: Documents
  readonly views: Pick<Views, 'onChange'>
  readonly blogUrl: string
  readonly clock: Clock
  readonly log: Log
}): { readonly nextAt: () => string | null } => {
  const { clock } = ports
  let nextAt: Date | null = null
  const look = (): void => {
    syncState(ports.documents, ports.blogUrl).then(
      ({ blogUrl, lastEndedAt }) => {
        nextAt = blogUrl === null ? null : nextSyncAt(clock.now(), lastEndedAt, 0)
      },
      (error: unknown) => ports.log.warn({ err: error }, 'the next sync cannot be told'),
    )
  }
  ports.views.onChange(({ models }) => {
    if (models.includes('sync') || models.includes('site-content')) look()
  })
  look()
  return { nextAt: () => nextAt?.toISOString() ?? null }
}
