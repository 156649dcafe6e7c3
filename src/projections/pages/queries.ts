import type { Documents } from '#application/ports/documents.ts'
import type { HtmlSanitiser } from '#application/ports/html.ts'
import { type ArtworkAnswer, publicArtworksWithCards } from '#projections/artworks/queries.ts'
import { type BlogPostAnswer, listVisiblePosts } from '#projections/journal/queries.ts'
import { getSiteContent, type SiteContentAnswer } from '#projections/site-content/queries.ts'
import { listActive, type TaxonomyAnswer } from '#projections/taxonomy/queries.ts'

/** The views that a public page shows something of: what its version is asked of. */
export const pageViews: readonly string[] = ['artworks', 'images', 'categories', 'site-content', 'blog-posts']

/** What anonymous visitors may see, each part as the API answers it. */
export interface PageContent {
  readonly siteContent: SiteContentAnswer
  readonly artworks: readonly ArtworkAnswer[]
  readonly categories: readonly TaxonomyAnswer[]
  readonly blogPosts: readonly BlogPostAnswer[]
  /** work id → hash in the address of its current card */
  readonly cards: Readonly<Record<string, string>>
}

/** Everything the public pages are rendered from. @param defaults as for `getSiteContent` */
export const readPageContent = async (
  documents: Documents,
  html: Pick<HtmlSanitiser, 'siteText'>,
  defaults: { readonly blogUrl: string },
): Promise<PageContent> => {
  const [siteContent, { artworks, cards }, categories, blogPosts] = await Promise.all([
    getSiteContent(documents, html, defaults),
    publicArtworksWithCards(documents),
    listActive(documents, 'categories'),
    listVisiblePosts(documents),
  ])
  return { siteContent, artworks, cards, categories, blogPosts }
}
