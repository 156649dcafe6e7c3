import { updateContent } from '#application/site-content/site-content.ts'
import { getSiteContent } from '#projections/site-content/queries.ts'
import type { WebDeps } from '../deps.ts'
import type { PublicLists } from '../public-lists.ts'
import type { ModuleRoutes } from '../call/route.ts'

export const siteContentRoutes = (
  deps: Pick<WebDeps, 'app' | 'documents' | 'settings'>,
  lists: PublicLists,
): ModuleRoutes<'site-content'> => {
  const { app, documents, settings } = deps
  const content = () => getSiteContent(documents, app.html, settings)
  return {
    getSiteContent: {
      read: content,
      ready: (asked) => lists.answer('/api/site-content', null, asked),
    },
    changeSiteContent: {
      act: ({ body, expectedVersion, command }) =>
        updateContent(app, body, expectedVersion, command, { defaultBlogUrl: settings.blogUrl }),
      reply: content,
      current: content,
    },
  }
}
