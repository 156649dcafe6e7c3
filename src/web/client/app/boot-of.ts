import type { ContactOutcome, PageData, PageRequest, RenderInput } from '#web/contract/pages.ts'
import { artworkPath } from '#web/contract/artwork-address.ts'
import { activeNames, type PageLists } from '../lib/page-data.ts'
import { pageArtwork, pageContent, pageJournal } from '../lib/on-page.ts'
import type { SiteBoot } from './boot.ts'

/** Galleries up to this size carry every description; bigger ones only that of the open artwork. */
const DESCRIBED_GALLERY = 48

/**
 * The data that a page carries for hydration. The page is rendered from exactly this, or the browser would
 * render something else. Placeholders stay out: they stand in the page's style block.
 */
export function bootOf(
  page: Exclude<PageRequest, { kind: 'not-found' }>,
  data: PageData,
  contact: ContactOutcome | null,
  { publicUrl, assets }: Pick<RenderInput, 'publicUrl'> & { assets: Pick<RenderInput['assets'], 'below'> },
): SiteBoot {
  const isPublic = publicUrl.startsWith('https:')
  const below = page.kind === 'home' ? assets.below.map(({ href }) => href) : []
  const common = { kind: 'site', isPublic, below } as const
  if (page.kind === 'admin') return { ...common, lists: {}, images: {}, contact: null }
  return {
    ...common,
    lists: listsOf(page.kind === 'artwork' ? page.id : null, data),
    images: data.images,
    contact,
  }
}

/** The same data gives the same text: no moment of time is in it. */
function listsOf(openId: string | null, data: PageData): PageLists {
  const isBig = data.artworks.length > DESCRIBED_GALLERY
  return {
    'site-content': pageContent(data.siteContent),
    artworks: data.artworks.map((artwork) => pageArtwork(artwork, !isBig || artwork.id === openId)),
    categories: activeNames(data.categories),
    'blog-posts': pageJournal(data.blogPosts),
  }
}

/**
 * What `amountOf` finds in the page that a browser makes of `html`, as React and the cleaner of her texts write it. All that stands
 * in a `noscript` is text to it.
 */
export function amountIn(html: string): number {
  const asRead = html.replace(/(?<=<noscript[^>]*>).*?(?=<\/noscript>)/gs, (text) =>
    text.replace(/[<>&]/g, 'x'),
  )
  const elements = asRead.match(/<[a-z]/g) ?? []
  const text = asRead.replace(/<[^>]*>|&nbsp;|\s/g, '').replace(/&#?\w+;/g, 'x')
  return elements.length + text.length
}

/** Where the page stands: path and filter, without what it does not know. */
export function addressOf(page: Exclude<PageRequest, { kind: 'not-found' }>, data: PageData): string {
  switch (page.kind) {
    case 'home':
      return page.category === null ? '/' : `/?${new URLSearchParams({ category: page.category })}`
    case 'artwork': {
      const artwork = data.artworks.find((each) => each.id === page.id)
      if (!artwork) throw new Error(`No public work ${page.id}: the caller answers 404 for it`)
      return artworkPath(artwork)
    }
    case 'admin':
      return '/admin'
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
