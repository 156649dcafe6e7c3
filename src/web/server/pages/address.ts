import { artworkPath, categoryAsked, idInAddress } from '#web/contract/artwork-address.ts'
import type { Artwork } from '#web/contract/artworks.ts'
import type { PageData, PageRequest } from '#web/contract/pages.ts'

/** What an address leads to. `key` names what may be kept; null is rendered anew each time. */
export type Destination =
  | { kind: 'page'; page: PageRequest; key: string | null; contactSent: boolean }
  | { kind: 'redirect'; location: string }

/** The parts of the read models that decide where an address leads. */
export interface Places {
  /** public artworks by id */
  artworks: ReadonlyMap<string, Pick<Artwork, 'id' | 'slug'>>
  categories: ReadonlySet<string>
}

export const placesOf = (data: PageData): Places => {
  return {
    artworks: new Map(data.artworks.map((artwork) => [artwork.id, artwork])),
    categories: new Set(data.categories.map((category) => category.name)),
  }
}

const artworkForm = /^\/artwork\/([^/]+)$/
const notFound: Destination = {
  kind: 'page',
  page: { kind: 'not-found' },
  // One page for every unknown address, or a stranger could fill the cache.
  key: 'not-found',
  contactSent: false,
}

/**
 * Where a request leads. Unknown query keys are ignored, an unknown category is a page that is not kept, a
 * wrong slug leads to the right one, an unknown or hidden artwork to the not-found page.
 * @param path the path as it stands in the request, still percent-encoded
 * @param query without the question mark; may be empty
 */
export const destinationOf = (path: string, query: string, places: Places): Destination => {
  if (path === '/') return homeOf(query, places)
  if (path === '/admin') {
    return { kind: 'page', page: { kind: 'admin' }, key: '/admin', contactSent: false }
  }
  const segment = artworkForm.exec(path)?.[1]
  if (segment === undefined) return notFound
  const artwork = places.artworks.get(idInAddress(segment) ?? '')
  if (!artwork) return notFound
  const address = artworkPath(artwork)
  if (address !== path) return { kind: 'redirect', location: address }
  return { kind: 'page', page: { kind: 'artwork', id: artwork.id }, key: address, contactSent: false }
}

const homeOf = (query: string, places: Places): Destination => {
  const { category, contactSent } = homeQueryOf(query)
  const page: PageRequest = { kind: 'home', category }
  const known = category === null || places.categories.has(category)
  return { kind: 'page', page, key: known ? homeKey(category, contactSent) : null, contactSent }
}

/** Several times what any link to the homepage has. */
const longestQuery = 2_000

/** The keys of the query that the homepage knows. */
export const homeQueryOf = (query: string): { category: string | null; contactSent: boolean } => {
  if (query === '') return { category: null, contactSent: false }
  const known = new URLSearchParams(query.slice(0, longestQuery))
  return {
    category: categoryAsked(known.get('category')),
    contactSent: known.get('contact') === 'sent',
  }
}

const homeKey = (category: string | null, contactSent: boolean): string => {
  if (category === null && !contactSent) return '/'
  return `/?${JSON.stringify([category, contactSent])}`
}

/**
 * The key under which a request's page would be kept, told without the read models; a page that may not be
 * kept is never found under it. Right for every page that is kept.
 */
export const keyGuess = (path: string, query: string): string => {
  if (path !== '/') return path
  if (query === '') return '/'
  const { category, contactSent } = homeQueryOf(query)
  return homeKey(category, contactSent)
}
