import * as WORDS from '../lib/words.ts'
import { ratioOf } from '../lib/artwork-styles.ts'
import { classNames } from '../ui/class-names.ts'
import { type Loadable, MOST_FEATURED } from '../lib/page-data.ts'
import type { PageArtwork } from '../lib/on-page.ts'
import hang from './hang.module.css'
import { stripSizes } from './strip-sizes.ts'
import { PlaceholderTile, Tile } from './tile.tsx'

/** Whether something stands above; as long as the page is not taken over it may still be on its way. */
type Covered = false | 'arriving' | 'there'

export type FeaturedArtworkProps = {
  /** at most three; a failed list is told once, in the gallery's place */
  featured: Loadable<readonly PageArtwork[]>
  /** an artwork is open above the strip: its image comes first */
  covered: Covered
  onOpen: (id: string) => void
}

/** The strip under the poster; grey places while the artworks are on their way. */
export function FeaturedArtwork({ featured, covered, onOpen }: FeaturedArtworkProps) {
  if (featured.status === 'failed') return null
  if (featured.status === 'loading') {
    return (
      <ul className={classNames(hang.hang, hang.strip)} aria-label={WORDS.galleryLoading} aria-busy>
        {[1.5, 1, 0.714].map((ratio) => (
          <PlaceholderTile key={ratio} ratio={ratio} />
        ))}
      </ul>
    )
  }
  const artworks = featured.data.slice(0, MOST_FEATURED)
  const sizes = stripSizes(artworks.map((artwork) => ratioOf(artwork.image)))
  return (
    <ul
      className={classNames(hang.hang, hang.strip, covered === 'arriving' && hang.unseen)}
      data-list="featured"
    >
      {artworks.map((artwork, index) => (
        <Tile
          key={artwork.id}
          artwork={artwork}
          sizes={sizes[index] ?? '100vw'}
          // The first layout, which nothing holds up, asks for those beside it that are in view.
          loading={covered || index > 0 ? 'lazy' : 'first'}
          onOpen={onOpen}
        />
      ))}
    </ul>
  )
}
