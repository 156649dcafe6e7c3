import { memo } from 'react'
import * as WORDS from '../lib/words.ts'
import { artworkPath } from '#web/contract/artwork-address.ts'
import { withSoftBreaks } from '../lib/soft-breaks.ts'
import { artworkClass } from '../lib/artwork-styles.ts'
import { isPlainClick } from '../lib/plain-click.ts'
import { classNames } from '../ui/class-names.ts'
import { Badge, StateText } from '../ui/state-text.tsx'
import { Image } from '../ui/image.tsx'
import { SkeletonBar, skeletonBox } from '../ui/skeleton.tsx'
import type { PageArtwork } from '../lib/on-page.ts'
import { artworkCaption, artworkFacts } from '../ui/artwork-caption.ts'
import awaited from './awaited.module.css'
import styles from './tile.module.css'

type TileProps = {
  artwork: PageArtwork
  sizes: string
  loading?: 'first' | 'lazy'
  /** says "Featured" beside the price */
  badge?: boolean
  /** below the first view: laid out when it comes near, and never wider than its row */
  deferred?: boolean
  /** an ordinary click */
  onOpen: (id: string) => void
}

/** On the wall a tile is seldom wider than this, in pixels. */
const DEFERRED_MOST = 1280

/** An image with its museum label: one link to the artwork's own address. */
export const Tile = memo(function Tile({ artwork, sizes, loading, badge, deferred, onOpen }: TileProps) {
  const { price, state } = artworkCaption(artwork)
  return (
    <li className={classNames(styles.tile, deferred && styles.deferred, artworkClass(artwork.id))}>
      <a
        href={artworkPath(artwork)}
        onClick={(event) => {
          if (!isPlainClick(event)) return
          event.preventDefault()
          onOpen(artwork.id)
        }}
      >
        <span className={styles.image}>
          <Image
            artwork={artwork}
            sizes={sizes}
            loading={loading ?? 'lazy'}
            most={deferred ? DEFERRED_MOST : undefined}
          />
        </span>
        <span className={styles.label}>
          <cite className={styles.title} dir="auto">
            {withSoftBreaks(artwork.title)}
          </cite>
          <span className={styles.facts}>{artworkFacts(artwork)}</span>
          <span className={styles.price}>
            {price && <span>{price}</span>}
            {state && <StateText {...state} />}
          </span>
          {badge && artwork.isFeatured && <Badge className={styles.badge}>{WORDS.featuredBadge}</Badge>}
        </span>
      </a>
    </li>
  )
})

/** The place of an artwork that is still to come. @param props.ratio width over height */
export function PlaceholderTile({ ratio }: { ratio: number }) {
  return (
    <li className={styles.tile} ref={(place) => place?.style.setProperty('--ratio', String(ratio))}>
      <span className={classNames(awaited.image, skeletonBox)} />
      <span className={awaited.label}>
        <SkeletonBar length="long" />
        <SkeletonBar length="half" />
      </span>
    </li>
  )
}
