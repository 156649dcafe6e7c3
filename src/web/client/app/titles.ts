import type { Artwork } from '#web/contract/artworks.ts'
import type { SiteContent } from '#web/contract/site-content.ts'
import { artistNameOf } from '../lib/page-data.ts'

/** Title of the tab on `/`. */
export function homeTitle(site: Pick<SiteContent, 'artistName'> | null): string {
  return `${artistNameOf(site)}: paintings`
}

/** Title of the tab while an artwork is open. */
export function artworkTitle(
  artwork: Pick<Artwork, 'title'>,
  site: Pick<SiteContent, 'artistName'> | null,
): string {
  return `${artwork.title}, ${artistNameOf(site)}`
}
