import { getSiteContent, listArtworks, listBlogPosts, listCategories } from '#web/contract/addresses.ts'
import { call } from './api.ts'
import { activeNames, type PageLists, publicArtworks } from './page-data.ts'
import { pageArtwork, pageContent, pageJournal } from './on-page.ts'
import { type StyledArtwork, artworkRules } from './artwork-styles.ts'

type Model = keyof PageLists

/** How each list of the page is read: the owner is answered more than visitors see, and the page never shows it. */
const READ: { readonly [M in Model]: (signal: AbortSignal) => Promise<PageLists[M]> } = {
  'site-content': async (signal) => pageContent(await call(getSiteContent, { signal })),
  artworks: async (signal) => {
    const artworks = publicArtworks(await call(listArtworks, { signal }))
    styleArtworks(artworks)
    return artworks.map((artwork) => pageArtwork(artwork, true))
  },
  categories: async (signal) => activeNames(await call(listCategories, { signal })),
  'blog-posts': async (signal) => pageJournal(await call(listBlogPosts, { query: { part: 'page' }, signal })),
}

/** Reads a list of the page again; the document brought them all. */
export const readPageList = <M extends Model>(model: M, signal: AbortSignal): Promise<PageLists[M]> =>
  READ[model](signal)

let sheet: CSSStyleSheet | null = null

/**
 * Gives artworks that arrived after the page their own values (`artwork-styles.ts`). A constructed sheet is no
 * inline style, so the policy with hashes allows it.
 */
function styleArtworks(artworks: readonly StyledArtwork[]): void {
  if (!sheet) {
    sheet = new CSSStyleSheet()
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  }
  sheet.replaceSync(artworkRules(artworks))
}
