import type { Artwork } from '#web/contract/artworks.ts'
import type { PageData } from '#web/contract/pages.ts'
import type { SiteContent } from '#web/contract/site-content.ts'
import type { Category } from '#web/contract/taxonomy.ts'
import { ALL_CATEGORIES, FALLBACK, LIMITS } from './constants.ts'
import type { PublicModels } from './public-calls.ts'

/** What a section has of its data: placeholders, a message with Retry, or the thing itself. */
export type Loadable<T> =
  | { status: 'loading' }
  | { status: 'failed'; retrying: boolean }
  | { status: 'ready'; data: T }

export type PublicModel = keyof PublicModels
export type PublicState = { readonly [Model in PublicModel]: Loadable<PublicModels[Model]> }

export const PUBLIC_MODELS = ['site-content', 'artworks', 'categories', 'blog-posts'] as const

/** Every model waiting for its data, as after entering from `/admin`. */
export const EMPTY_STATE: PublicState = {
  'site-content': { status: 'loading' },
  artworks: { status: 'loading' },
  categories: { status: 'loading' },
  'blog-posts': { status: 'loading' },
}

/** The state of a page that arrived with its data. */
export function stateOf(data: Omit<PageData, 'cards' | 'pictures'>): PublicState {
  return {
    'site-content': ready(data.siteContent),
    artworks: ready(data.artworks),
    categories: ready(data.categories),
    'blog-posts': ready(data.blogPosts),
  }
}

export function ready<T>(data: T): Loadable<T> {
  return { status: 'ready', data }
}

/** The loaded data, or `otherwise` while there is none. */
export function dataOf<T, Other>(loadable: Loadable<T>, otherwise: Other): T | Other {
  return loadable.status === 'ready' ? loadable.data : otherwise
}

/** The works that visitors see: visible and available ones, in the order they came. */
export function publicArtworks(artworks: readonly Artwork[]): readonly Artwork[] {
  return artworks.filter((artwork) => artwork.isVisible && artwork.isAvailable)
}

/** The first three featured ones among public works. */
export function featuredArtworks(artworks: readonly Artwork[]): readonly Artwork[] {
  return artworks.filter((artwork) => artwork.isFeatured).slice(0, LIMITS.featured)
}

/** Public works of one category by its exact name; null is no filter. */
export function artworksIn(artworks: readonly Artwork[], category: string | null): readonly Artwork[] {
  return category === null ? artworks : artworks.filter((artwork) => artwork.category === category)
}

/** The filter in an address: empty and `all` are no filter. */
export function categoryIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value !== ALL_CATEGORIES ? value : null
}

/** The active categories in order: sortOrder, then name. The server orders; this only filters. */
export function activeCategories(categories: readonly Category[]): readonly Category[] {
  return categories.filter((category) => category.isActive)
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
 * Where letters by mail go; null where there is no such address. The built-in one is nobody's: on a site that the
 * world reads, letters to it would be lost in silence.
 * @param isPublic the site's address is https
 */
export function contactEmailOf(
  site: Pick<SiteContent, 'contactEmail'> | null,
  isPublic: boolean,
): string | null {
  if (site?.contactEmail) return site.contactEmail
  return isPublic ? null : FALLBACK.contactEmail
}

/** Address of a work's own page. */
export function artworkPath(artwork: Pick<Artwork, 'id' | 'slug'>): string {
  return `/artwork/${slugAndId(artwork)}`
}

export function slugAndId(artwork: Pick<Artwork, 'id' | 'slug'>): string {
  return `${artwork.slug || 'work'}-${artwork.id}`
}

const ID_LENGTH = 36

/** The id at the end of `{slug}-{id}`, lower case; null when there is none. */
export function idInAddress(segment: string): string | null {
  const id = segment.slice(-ID_LENGTH).toLowerCase()
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id : null
}

/** Alt text of a work's picture. */
export function altTextOf(artwork: Pick<Artwork, 'altText' | 'title' | 'medium' | 'yearCreated'>): string {
  if (artwork.altText) return artwork.altText
  return [artwork.title, artwork.medium, artwork.yearCreated].filter(Boolean).join(', ')
}
