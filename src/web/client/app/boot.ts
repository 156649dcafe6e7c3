import type { Artwork } from '#web/contract/artworks.ts'
import type { ContactOutcome, PageData, PageRequest } from '#web/contract/pages.ts'
import { categoryIn, slugAndId } from '../lib/page-data.ts'

/** Id of the data block from which the browser takes over. */
export const BOOT_ELEMENT = 'page-data'

/** Galleries up to this size carry every description; bigger ones only that of the open work. */
export const DESCRIBED_GALLERY = 48

/** What travels inside the page. */
export type Boot =
  | { kind: 'not-found'; artistName: string }
  | {
      kind: 'site'
      /** the site's address is https: the world reads it */
      isPublic: boolean
      /** where the page stands: path and filter, without what it does not know */
      address: string
      /** null for `/admin`, which needs none of it */
      data: Omit<PageData, 'cards'> | null
      contact: ContactOutcome | null
      /** ids of works that came with their description; null when all did */
      described: readonly string[] | null
    }
export type SiteBoot = Extract<Boot, { kind: 'site' }>

/**
 * The data that a page carries for hydration. The page is rendered from exactly this, or the browser would
 * render something else. Placeholders stay out: they stand in the page's style block.
 */
export function bootOf(
  page: Exclude<PageRequest, { kind: 'not-found' }>,
  data: PageData,
  contact: ContactOutcome | null,
  publicUrl: string,
): SiteBoot {
  const isPublic = publicUrl.startsWith('https:')
  const address = addressOf(page, data)
  if (page.kind === 'admin')
    return { kind: 'site', isPublic, address, data: null, contact: null, described: null }
  const openId = page.kind === 'artwork' ? page.id : null
  const isBig = data.artworks.length > DESCRIBED_GALLERY
  const { siteContent, categories, blogPosts, pictures, version } = data
  return {
    kind: 'site',
    isPublic,
    address,
    data: {
      siteContent,
      artworks: data.artworks.map((artwork) => light(artwork, !isBig || artwork.id === openId)),
      categories,
      blogPosts,
      pictures,
      version,
    },
    contact,
    described: isBig ? (openId === null ? [] : [openId]) : null,
  }
}

function addressOf(page: Exclude<PageRequest, { kind: 'not-found' }>, data: PageData): string {
  switch (page.kind) {
    case 'home':
      return page.category === null ? '/' : `/?${new URLSearchParams({ category: page.category })}`
    case 'artwork': {
      const artwork = data.artworks.find((each) => each.id === page.id)
      if (!artwork) throw new Error(`No public work ${page.id}: the caller answers 404 for it`)
      return `/artwork/${slugAndId(artwork)}`
    }
    case 'admin':
      return '/admin'
  }
}

/**
 * Whether the document still stands where its page was made for. It does not when somebody went Back or Forward to
 * another address of the same document before the program was there.
 * @param current the document's own address
 */
export function standsAt(address: string, current: URL): boolean {
  const made = new URL(address, current)
  return made.pathname === current.pathname && categoryAt(made) === categoryAt(current)
}

const categoryAt = (address: URL): string | null => categoryIn(address.searchParams.get('category'))

function light(artwork: Artwork, described: boolean): Artwork {
  return {
    ...artwork,
    description: described ? artwork.description : '',
    image: artwork.image && { ...artwork.image, placeholder: '' },
  }
}

/**
 * JSON that may stand inside a script element: nothing in it can close the element or open a comment there,
 * and both line separators are escaped for readers that take it for a script.
 */
export function jsonForHtml(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}

/** Reads the block back. Throws when the page carries none: then this script does not belong to it. */
export function readBoot(page: Document): Boot {
  const text = page.getElementById(BOOT_ELEMENT)?.textContent
  if (!text) throw new Error(`The page has no #${BOOT_ELEMENT}`)
  // Written by `bootOf` of the same build, whose hash stands in this script's address.
  return JSON.parse(text) as Boot
}
