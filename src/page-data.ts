import type { Documents } from '#application/ports/documents.ts'
import type { HtmlSanitiser } from '#application/ports/html.ts'
import { publicArtworksWithCards } from '#projections/artworks/queries.ts'
import { artworksProjection } from '#projections/artworks/artworks-view.ts'
import { imagesProjection } from '#projections/images/images-view.ts'
import { blogPostsProjection } from '#projections/journal/blog-posts-view.ts'
import { listVisiblePosts } from '#projections/journal/queries.ts'
import { getSiteContent } from '#projections/site-content/queries.ts'
import { siteContentProjection } from '#projections/site-content/site-content-view.ts'
import { listActive } from '#projections/taxonomy/queries.ts'
import { categoriesProjection } from '#projections/taxonomy/taxonomy-view.ts'
import type { PageData } from '#web/contract/pages.ts'

/** Every view that a page shows; a page is kept until one of them moves. */
export const pageViews: readonly string[] = [
  artworksProjection,
  imagesProjection,
  siteContentProjection,
  categoriesProjection,
  blogPostsProjection,
].map((projection) => projection.view.name)

/** One more than is shown, so that the page knows whether there are more. */
const postsOnPage = 4

/**
 * What anonymous visitors may see, for rendering a page.
 * @param version of the views it is read from, as the page cache knows it
 */
export const readPageData = async (
  documents: Documents,
  html: HtmlSanitiser,
  settings: { readonly blogUrl: string },
  version: string,
): Promise<PageData> => {
  const [{ artworks, cards }, siteContent, categories, posts] = await Promise.all([
    publicArtworksWithCards(documents),
    getSiteContent(documents, html, settings),
    listActive(documents, 'categories'),
    listVisiblePosts(documents, postsOnPage),
  ])
  return {
    artworks,
    cards,
    categories: [...categories],
    siteContent,
    blogPosts: [...posts],
    version,
  }
}
