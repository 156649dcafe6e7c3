import { categoryAsked } from '#web/contract/artwork-address.ts'
import { isOnShow } from '#web/contract/details.ts'
import type { Artwork } from '#web/contract/artworks.ts'
import type { SiteContent } from '#web/contract/site-content.ts'
import type { Category } from '#web/contract/taxonomy.ts'
import * as FALLBACK from './fallback.ts'
import type { PageArtwork, PageContent, PageJournal } from './on-page.ts'

/** What did not come is asked for again by people alone. */
export type Again = { retrying: boolean; retry: () => void }

/** What a section has of its data: placeholders, a message with Retry, or the thing itself. */
export type Loadable<T> =
  | { status: 'loading' }
  | ({ status: 'failed' } & Again)
  /** `outdated`: it stays as it was, because it could not be fetched again after a change; else null */
  | { status: 'ready'; data: T; outdated: Again | null }

/** What the page shows of each model. */
export type PageLists = {
  'site-content': PageContent
  artworks: readonly PageArtwork[]
  /** names */
  categories: readonly string[]
  'blog-posts': PageJournal
}

/** The loaded data, or `otherwise` while there is none. */
export function dataOf<T, Other>(loadable: Loadable<T>, otherwise: Other): T | Other {
  return loadable.status === 'ready' ? loadable.data : otherwise
}

/** The artworks that visitors see: visible and available ones, in the order they came. */
export function publicArtworks(artworks: readonly Artwork[]): readonly Artwork[] {
  return artworks.filter(isOnShow)
}

export const MOST_FEATURED = 3

/** The first three featured ones among public artworks. */
export function featuredArtworks<Some extends Pick<Artwork, 'isFeatured'>>(
  artworks: readonly Some[],
): readonly Some[] {
  return artworks.filter((artwork) => artwork.isFeatured).slice(0, MOST_FEATURED)
}

/** Public artworks of one category by its exact name; null is no filter. */
export function artworksIn<Some extends Pick<Artwork, 'category'>>(
  artworks: readonly Some[],
  category: string | null,
): readonly Some[] {
  return category === null ? artworks : artworks.filter((artwork) => artwork.category === category)
}

/** The filter in an address: empty and `all` are no filter. */
export function categoryIn(value: unknown): string | null {
  return typeof value === 'string' ? categoryAsked(value) : null
}

/** The names of the active categories, in the order they came. */
export function activeNames(categories: readonly Category[]): readonly string[] {
  return categories.filter(({ isActive }) => isActive).map(({ name }) => name)
}

/** The artist's name wherever one is shown; never empty. */
export function artistNameOf(site: Pick<SiteContent, 'artistName'> | null): string {
  return site?.artistName || FALLBACK.artistName
}

/** heroTitle, else artistName, else the fixed name. */
export function heroTitleOf(site: Pick<SiteContent, 'artistName' | 'heroTitle'> | null): string {
  return site?.heroTitle || artistNameOf(site)
}

/**
 * Where messages by mail go; null where there is no such address. The built-in one is nobody's: on a site that the
 * world reads, messages to it would be lost in silence.
 * @param isPublic the site's address is https
 */
export function contactEmailOf(
  site: Pick<SiteContent, 'contactEmail'> | null,
  isPublic: boolean,
): string | null {
  if (site?.contactEmail) return site.contactEmail
  return isPublic ? null : FALLBACK.contactEmail
}
