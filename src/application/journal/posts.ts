import type { Application } from '../application.ts'
import { copyWhileWaiting } from '../images/copy-image.ts'
import { ownImageAt } from '../images/own-image.ts'
import { type Done, dispatch } from '../kernel/execute.ts'
import type { CommandContext } from '../kernel/envelope.ts'
import { originalFormat } from '#domain/images/events.ts'
import {
  copyOf,
  effectivePost,
  isElsewhere,
  postAggregate,
  type PostChanges,
  type PostState,
} from '#domain/journal/blog-post.ts'

/** Hides, shows or overrides a post. @throws {Refusal} `missing`, `invalid`; {@link StaleVersion} */
export const revisePost = async (
  app: Application,
  id: string,
  changes: PostChanges,
  expectedVersion: number | null,
  context: CommandContext,
): Promise<Done> => {
  const post = postAggregate(id)
  const { imageUrl } = changes
  const own =
    imageUrl == null ? {} : { imageUrl: await imageAt(app, await app.executor.load(post), imageUrl, context) }
  const command = { type: 'RevisePost', changes: { ...changes, ...own } } as const
  return dispatch(app, id, { ...post, command, context, expectedVersion })
}

/**
 * Where the image is that is given for a post: its copy where that is made within 5 s, else the address itself,
 * which is shown once it is copied.
 * @throws {Refusal} at `imageUrl` when no image could come from there
 */
const imageAt = async (
  app: Application,
  state: PostState,
  imageUrl: string,
  context: CommandContext,
): Promise<string> => {
  await ownImageAt(app, 'imageUrl', imageUrl, effectivePost(state).imageUrl)
  const isKnown = !isElsewhere(imageUrl) || copyOf(state.images, imageUrl) !== undefined
  if (state.status !== 'present' || isKnown || !URL.canParse(imageUrl)) return imageUrl
  const taken = await copyWhileWaiting(app, imageUrl, context, originalFormat.options)
  return taken instanceof Error ? imageUrl : taken.imageUrl
}
