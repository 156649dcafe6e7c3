import { type StyledArtwork, artworkRules } from './artwork-styles.ts'

let sheet: CSSStyleSheet | null = null

/**
 * Gives artworks that arrived after the page their own values (`artwork-styles.ts`). A constructed sheet is no
 * inline style, so the policy with hashes allows it.
 */
export function styleArtworks(artworks: readonly StyledArtwork[]): void {
  if (!sheet) {
    sheet = new CSSStyleSheet()
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  }
  sheet.replaceSync(artworkRules(artworks))
}
