import type { Application } from '../app.ts'
import { type Done, dispatch } from '../kernel/dispatch.ts'
import type { CommandContext } from '../kernel/envelope.ts'
import { postAggregate, type PostChanges } from '#domain/journal/blog-post.ts'

/** Hides, shows or overrides a post. @throws {Refusal} `missing`, `invalid`; {@link StaleVersion} */
export const revisePost = (
  app: Application,
  id: string,
  changes: PostChanges,
  expectedVersion: number | null,
  context: CommandContext,
): Promise<Done> =>
  dispatch(app, id, {
    ...postAggregate(id),
    command: { type: 'RevisePost', changes },
    context,
    expectedVersion,
  })
