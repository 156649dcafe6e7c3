import type { Clock } from '#application/kernel/ports/clock.ts'
import type { Documents } from '#application/kernel/ports/documents.ts'
import type { ReadModels } from '#application/kernel/ports/read-models.ts'
import { blogPostsProjection } from './blog-posts-view.ts'
import { datesAround } from './queries.ts'

const { name } = blogPostsProjection.view

/**
 * The read models' version, which with the posts among the views also names the date of the newest that visitors see: so it
 * moves when the date of the next one comes, of which no event tells. Visitors read the version; of what is to come it says
 * nothing.
 */
export const movedByDates = (
  readModels: Pick<ReadModels, 'version'>,
  documents: Documents,
  clock: Pick<Clock, 'now'>,
): ReadModels['version'] => {
  let known: ({ readonly posts: string } & Awaited<ReturnType<typeof datesAround>>) | null = null

  const isKnown = (posts: string, at: string): boolean =>
    known?.posts === posts &&
    (known.next === null || at < known.next) &&
    // A clock that was ahead and is set right makes it one to come again.
    (known.newest === null || known.newest <= at)
  const withNewest = (version: string): string => `${version} ${name}@newest:${known?.newest ?? ''}`

  const dated = (version: string): string | Promise<string> => {
    const now = clock.now()
    const posts = version.split(' ').find((each) => each.startsWith(`${name}@`)) ?? ''
    if (isKnown(posts, now.toISOString())) return withNewest(version)
    return datesAround(documents, now).then((dates) => {
      known = { posts, ...dates }
      return withNewest(version)
    })
  }

  return (views) => {
    const version = readModels.version(views)
    if (!views.includes(name)) return version
    return version instanceof Promise ? version.then(dated) : dated(version)
  }
}
