import type { Artwork } from '#web/contract/artworks.ts'
import type { ContactOutcome, PageData, PageRequest } from '#web/contract/pages.ts'

/** Id of the data block from which the browser takes over. */
export const BOOT_ELEMENT = 'page-data'

/** Galleries up to this size carry every description; bigger ones only that of the open work (decisions 112). */
export const DESCRIBED_GALLERY = 48

/** What travels inside the page. */
export type Boot =
  | { kind: 'not-found'; artistName: string }
  | {
      kind: 'site'
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
): SiteBoot {
  if (page.kind === 'admin') return { kind: 'site', data: null, contact: null, described: null }
  const openId = page.kind === 'artwork' ? page.id : null
  const isBig = data.artworks.length > DESCRIBED_GALLERY
  const { siteContent, categories, blogPosts, pictures, version } = data
  return {
    kind: 'site',
    data: {
      siteContent,
      artworks: data.artworks.map((work) => light(work, !isBig || work.id === openId)),
      categories,
      blogPosts,
      pictures,
      version,
    },
    contact,
    described: isBig ? (openId === null ? [] : [openId]) : null,
  }
}

function light(work: Artwork, described: boolean): Artwork {
  return {
    ...work,
    description: described ? work.description : '',
    image: work.image && { ...work.image, placeholder: '' },
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
