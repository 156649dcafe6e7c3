import { featuredArtworks, artworksIn } from '../lib/page-data.ts'
import type { PageArtwork } from '../lib/on-page.ts'

/** The list from which a visitor opened an artwork; it is what "n of total" counts. */
export type ArtworkList = { kind: 'featured' } | { kind: 'category'; name: string }

/**
 * The artworks to leaf through, for the artwork shown. Without a list (a direct link), or when the artwork is not in
 * it any more, all public artworks.
 */
export function artworksOf(
  list: ArtworkList | undefined,
  artworks: readonly PageArtwork[],
  shownId: string,
): readonly PageArtwork[] {
  if (!list) return artworks
  const chosen = list.kind === 'featured' ? featuredArtworks(artworks) : artworksIn(artworks, list.name)
  return chosen.some((artwork) => artwork.id === shownId) ? chosen : artworks
}

/** The filter of the gallery below an open artwork: the one it was opened from. */
export function categoryOf(list: ArtworkList | undefined): string | null {
  return list?.kind === 'category' ? list.name : null
}

/** The list to carry along when an artwork is opened from the gallery with this filter. */
export function galleryList(category: string | null): ArtworkList | undefined {
  return category === null ? undefined : { kind: 'category', name: category }
}
