import type { Application } from '../app.ts'
import { type Done, dispatch } from '../kernel/dispatch.ts'
import type { CommandContext } from '../kernel/envelope.ts'
import { blogPost, postStream } from '#domain/journal/blog-post.ts'

/** What the owner may say about a post of the blog; null drops her own words. */
export interface PostChanges {
  readonly isVisible?: boolean | undefined
  readonly title?: string | null | undefined
  readonly excerpt?: string | null | undefined
  readonly imageUrl?: string | null | undefined
}

/** Hides, shows or overrides a post. @throws {Refusal} `missing`, `invalid`; {@link StaleVersion} */
export const revisePost = (
  app: Application,
  id: string,
  changes: PostChanges,
  expectedVersion: number | null,
  context: CommandContext,
): Promise<Done> =>
  dispatch(app, id, {
    stream: postStream(id),
    decider: blogPost,
    command: { type: 'RevisePost', changes },
    context,
    expectedVersion,
  })
