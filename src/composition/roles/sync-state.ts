import type { Documents } from '#application/kernel/ports/documents.ts'
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
