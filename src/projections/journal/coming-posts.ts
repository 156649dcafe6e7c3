import type { Clock } from '#application/kernel/ports/clock.ts'
import type { Documents } from '#application/kernel/ports/documents.ts'
import type { ReadModels } from '#application/kernel/ports/read-models.ts'
import { blogPostsProjection } from './blog-posts-view.ts'
import { nextPostAt } from './queries.ts'

const { name } = blogPostsProjection.view

/**
 * The read models' version, which with the posts among the views also names the next one that waits for its date: so it moves
 * when that date comes, of which no event tells.
 */
export const movedByDates = (
  readModels: Pick<ReadModels, 'version'>,
  documents: Documents,
  clock: Pick<Clock, 'now'>,
): ReadModels['version'] => {
  let known: { readonly posts: string; readonly nextAt: string | null } | null = null

  const isKnown = (posts: string, now: Date): boolean =>
    known?.posts === posts && (known.nextAt === null || now.toISOString() < known.nextAt)
  const withNext = (version: string): string => `${version} ${name}@next:${known?.nextAt ?? ''}`

  const dated = (version: string): string | Promise<string> => {
    const now = clock.now()
    const posts = version.split(' ').find((each) => each.startsWith(`${name}@`)) ?? ''
    if (isKnown(posts, now)) return withNext(version)
    return nextPostAt(documents, now).then((nextAt) => {
      known = { posts, nextAt }
      return withNext(version)
    })
  }

  return (views) => {
    const version = readModels.version(views)
    if (!views.includes(name)) return version
    return version instanceof Promise ? version.then(dated) : dated(version)
  }
}
