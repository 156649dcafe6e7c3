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
  const show = () => getSiteContent(documents, app.html, settings)
  return {
    getSiteContent: {
      read: show,
      ready: (asked) => lists.answer('/api/site-content', null, asked),
    },
    changeSiteContent: {
      act: async ({ body, expectedVersion, command }) => {
        const { blogUrl, ...others } = body
        // The default from the settings, sent back as GET answered it, is no choice of the owner's.
        const isShown = blogUrl === undefined || blogUrl === (await show()).blogUrl
        return updateContent(app, isShown ? others : { ...others, blogUrl }, expectedVersion, command)
      },
      show,
      current: show,
    },
  }
}
