import { imageHashIn } from '#web/contract/artwork-address.ts'
import type { Clock } from '#application/kernel/ports/clock.ts'
import type { Documents } from '#application/kernel/ports/documents.ts'
import type { HtmlSanitiser } from '#application/ports/html.ts'
import { publicArtworksWithCards } from '#projections/artworks/queries.ts'
import { artworksProjection } from '#projections/artworks/artworks-view.ts'
import { imagesProjection } from '#projections/images/images-view.ts'
import { imageLooks } from '#projections/images/queries.ts'
import { blogPostsProjection } from '#projections/journal/blog-posts-view.ts'
import { listVisiblePosts } from '#projections/journal/queries.ts'
import type { ProjectedModel } from '#projections/models.ts'
import { getSiteContent } from '#projections/site-content/queries.ts'
import { siteContentProjection } from '#projections/site-content/site-content-view.ts'
import { listActive } from '#projections/taxonomy/queries.ts'
import { categoriesProjection } from '#projections/taxonomy/taxonomy-view.ts'
import { movedViews } from '#projections/runtime/view-versions.ts'
import { type PageData, postsOnPage } from '#web/contract/pages.ts'

const projections = [
  artworksProjection,
  imagesProjection,
  siteContentProjection,
  categoriesProjection,
  blogPostsProjection,
]

/** What a page's data is read with. */
interface PageReading {
  readonly documents: Documents
  readonly html: HtmlSanitiser
  readonly clock: Pick<Clock, 'now'>
  readonly settings: { readonly blogUrl: string }
}

/** Every view that a page shows; a page is kept until one of them moves. */
export const pageViews: readonly string[] = projections.map(({ view }) => view.name)

/** What a page shows otherwise that was rendered from the views as they stood in `before`. */
export const modelsChangedSince = (before: string, now: string): readonly ProjectedModel[] => {
  const moved = movedViews(before, now)
  return [...new Set(projections.filter(({ view }) => moved.has(view.name)).flatMap(({ models }) => models))]
}

/**
 * What anonymous visitors may see, for rendering a page.
 * @param version of the views it is read from, as the page cache knows it
 */
export const readPageData = async (
  { documents, html, clock, settings }: PageReading,
  version: string,
): Promise<PageData> => {
  const [{ artworks, cards }, siteContent, categories, posts] = await Promise.all([
    publicArtworksWithCards(documents),
    getSiteContent(documents, html, settings),
    listActive(documents, 'categories'),
    listVisiblePosts(documents, clock.now(), postsOnPage + 1),
  ])
  return {
    artworks,
    cards,
    images: await sizesOf(documents, [
      siteContent.profileImageUrl,
      ...posts.map((post) => post.imageUrl ?? ''),
    ]),
    categories: [...categories],
    siteContent,
    blogPosts: [...posts],
    version,
  }
}

/** Sizes by address of those images that are our own and have their variants. */
const sizesOf = async (documents: Documents, addresses: readonly string[]): Promise<PageData['images']> => {
  const hashes = new Map(
    addresses.flatMap((address) => {
      const hash = imageHashIn(address)
      return hash === null ? [] : [[hash, address] as const]
    }),
  )
  const looks = await imageLooks(documents, [...hashes.keys()])
  return Object.fromEntries(
    [...hashes].flatMap(([hash, address]) => {
      const look = looks.get(hash)
      return look?.ready ? [[address, { width: look.width, height: look.height }]] : []
    }),
  )
}
