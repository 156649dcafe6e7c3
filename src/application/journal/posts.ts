import type { Application } from '../application.ts'
import { ownImageAt } from '../images/own-image.ts'
import { type Done, dispatch } from '../kernel/execute.ts'
import type { CommandContext } from '../kernel/envelope.ts'
import { postAggregate, type PostChanges, effectivePost } from '#domain/journal/blog-post.ts'

/** Hides, shows or overrides a post. @throws {Refusal} `missing`, `invalid`; {@link StaleVersion} */
export const revisePost = async (
  app: Application,
  id: string,
  changes: PostChanges,
  expectedVersion: number | null,
  context: CommandContext,
): Promise<Done> => {
  const post = postAggregate(id)
  if (changes.imageUrl != null)
    await ownImageAt(app, 'imageUrl', changes.imageUrl, effectivePost(await app.executor.load(post)).imageUrl)
  return dispatch(app, id, { ...post, command: { type: 'RevisePost', changes }, context, expectedVersion })
}
