import type { Application } from '../application.ts'
import { ownImageAt } from '../images/own-image.ts'
import { type Done, dispatch } from '../kernel/execute.ts'
import type { CommandContext } from '../kernel/envelope.ts'
import type { SiteContentChanges } from '#domain/site-content/rules.ts'
import { siteContentAggregate } from '#domain/site-content/site-content.ts'

/** The one site content record's id in the API. */
export const siteContentId = 'b0a4a5f2-6f0e-5c7e-9d43-2a8f0c9d7e11'

/**
 * Changes texts and settings of the site. Rich text is sanitised before it reaches the log.
 * @param options `sample`: they are sample content; `defaultBlogUrl`: stands for the blog's address until she has set it
 * @throws {Refusal} `invalid` with the fields at fault; {@link StaleVersion}
 */
export const updateContent = async (
  app: Application,
  changes: SiteContentChanges,
  expectedVersion: number | null,
  context: CommandContext,
  options: { readonly sample?: boolean; readonly defaultBlogUrl?: string } = {},
): Promise<Done> => {
  const { artistDescription, profileImageUrl } = changes
  if (profileImageUrl !== undefined) {
    const { content } = await app.executor.load(siteContentAggregate)
    await ownImageAt(app, 'profileImageUrl', profileImageUrl, content.profileImageUrl)
  }
  return dispatch(app, siteContentId, {
    ...siteContentAggregate,
    command: {
      type: 'UpdateContent',
      changes:
        artistDescription === undefined
          ? changes
          : { ...changes, artistDescription: app.html.siteText(artistDescription) },
      ...options,
    },
    context,
    expectedVersion,
  })
}
