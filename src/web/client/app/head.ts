import type { Artwork } from '#web/contract/artworks.ts'
import type { PageData, RenderInput, SiteNames } from '#web/contract/pages.ts'
import type { SiteContent } from '#web/contract/site-content.ts'
import * as FALLBACK from '../lib/fallback.ts'
import * as WORDS from '../lib/words.ts'
import { isPayable, rupees } from '#web/contract/details.ts'
import { absolute, artworkPath, cardSize, cardUrlOf } from '#web/contract/artwork-address.ts'
import { artistNameOf, featuredArtworks } from '../lib/page-data.ts'
import { shorten } from '../lib/shorten.ts'
import { escapeHtml } from '#web/contract/escape.ts'
import { homeTitle, artworkTitle } from './titles.ts'

/** Search results cut off longer descriptions. */
const DESCRIPTION_LENGTH = 160

/** What a page says of itself to searchers and to those who share it. */
export type HeadFacts = {
  title: string
  description: string
  /** absolute; null keeps the page out of search results */
  canonical: string | null
  image: { url: string; alt: string; width?: number; height?: number } | null
  /** names the kind of thing for Open Graph */
  type: 'website' | 'article'
}

/** The words of the site for head, feed and manifest, with fallbacks. */
export function siteNamesOf(site: SiteContent): SiteNames {
  return {
    title: homeTitle(site),
    artist: artistNameOf(site),
    description: shorten(site.artistBio || site.heroSubtitle || FALLBACK.heroSubtitle, DESCRIPTION_LENGTH),
  }
}

export function headFactsOf({ page, data, publicUrl }: RenderInput): HeadFacts {
  const names = siteNamesOf(data.siteContent)
  switch (page.kind) {
    case 'home':
      return {
        title: names.title,
        description: names.description,
        // A filtered gallery is a part of the same page.
        canonical: `${publicUrl}/`,
        image: siteImage(data, publicUrl),
        type: 'website',
      }
    case 'artwork': {
      const artwork = data.artworks.find((each) => each.id === page.id)
      if (!artwork) throw new Error(`No public work ${page.id}`)
      return {
        title: artworkTitle(artwork, data.siteContent),
        description: shorten(artwork.description || titleAndFacts(artwork), DESCRIPTION_LENGTH),
        canonical: `${publicUrl}${artworkPath(artwork)}`,
        image: cardOf(artwork, data, publicUrl),
        type: 'article',
      }
    }
    case 'admin':
    case 'not-found': {
      const title = page.kind === 'admin' ? 'Admin' : WORDS.notFoundTitle
      return { title, description: '', canonical: null, image: null, type: 'website' }
    }
  }
}

/** The head's elements for these facts. Every value is escaped. */
export function metaOf(facts: HeadFacts, names: SiteNames): string {
  const { title, description, canonical, image, type } = facts
  if (canonical === null) return `<title>${escapeHtml(title)}</title><meta name="robots" content="noindex">`
  const properties: [string, string | number | undefined][] = [
    ['og:type', type],
    ['og:site_name', names.artist],
    ['og:locale', 'en_IN'],
    ['og:title', title],
    ['og:description', description],
    ['og:url', canonical],
    ['og:image', image?.url],
    ['og:image:width', image?.width],
    ['og:image:height', image?.height],
    ['og:image:alt', image?.alt],
  ]
  const named: [string, string | undefined][] = [
    ['description', description],
    ['author', names.artist],
    ['twitter:card', image ? 'summary_large_image' : 'summary'],
    ['twitter:title', title],
    ['twitter:description', description],
    ['twitter:image', image?.url],
    ['twitter:image:alt', image?.alt],
  ]
  return [
    `<title>${escapeHtml(title)}</title>`,
    ...named.map(([name, value]) => meta('name', name, value)),
    `<link rel="canonical" href="${escapeHtml(canonical)}">`,
    ...properties.map(([name, value]) => meta('property', name, value)),
  ].join('')
}

function meta(kind: 'name' | 'property', name: string, value: string | number | undefined): string {
  return value === undefined || value === ''
    ? ''
    : `<meta ${kind}="${name}" content="${escapeHtml(String(value))}">`
}

/** The image of the whole site: the first featured artwork's card, else the first artwork's. */
function siteImage(data: PageData, publicUrl: string): HeadFacts['image'] {
  const artwork = featuredArtworks(data.artworks)[0] ?? data.artworks[0]
  return artwork ? cardOf(artwork, data, publicUrl) : null
}

function cardOf(artwork: Artwork, data: PageData, publicUrl: string): HeadFacts['image'] {
  const hash = data.cards[artwork.id]
  const alt = artwork.altText
  if (hash) return { url: `${publicUrl}${cardUrlOf(hash)}`, alt, ...cardSize }
  if (!artwork.imageUrl) return null
  const size = artwork.image ? { width: artwork.image.width, height: artwork.image.height } : {}
  return { url: absolute(artwork.imageUrl, publicUrl), alt, ...size }
}

/** An artwork in one line, where nothing else describes it. */
function titleAndFacts(artwork: Artwork): string {
  const price = isPayable(artwork) ? rupees(artwork.price) : ''
  return [artwork.title, artwork.medium, artwork.dimensions, artwork.yearCreated, price]
    .filter(Boolean)
    .join(', ')
}
