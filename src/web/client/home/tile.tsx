import { memo, type MouseEvent } from 'react'
import { TEXT } from '../lib/constants.ts'
import { artworkPath } from '../lib/page-data.ts'
import { workClass } from '../lib/work-styles.ts'
import { classNames } from '../ui/class-names.ts'
import { Badge, Mark } from '../ui/mark.tsx'
import { Picture } from '../ui/picture.tsx'
import { SkeletonBar, skeletonBox } from '../ui/skeleton.tsx'
import { workCaption, workFacts, type TileWork } from '../ui/work.ts'
import styles from './tile.module.css'

type TileProps = {
  work: TileWork
  sizes: string
  loading?: 'first' | 'lazy'
  /** says "Featured" beside the price */
  badge?: boolean
  /** far down a long wall: laid out when it comes near (decisions 112) */
  deferred?: boolean
  /** an ordinary click; without it the link leads to the work's page */
  onOpen?: ((id: string) => void) | undefined
}

/** Far down a long wall the page names fewer variants; a tile is seldom wider than this, in pixels (decisions 112). */
const DEFERRED_MOST = 1280

/** A click that means "here", not "in a new tab" or "save". */
const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

/** A picture with its museum label: one link to the work's own address (decisions 82). */
export const Tile = memo(function Tile({ work, sizes, loading, badge, deferred, onOpen }: TileProps) {
  const { price, mark } = workCaption(work)
  return (
    <li className={classNames(styles.tile, deferred && styles.deferred, workClass(work.id))}>
      <a
        href={artworkPath(work)}
        onClick={(event) => {
          if (!onOpen || !isPlainClick(event)) return
          event.preventDefault()
          onOpen(work.id)
        }}
      >
        <span className={styles.picture}>
          <Picture
            work={work}
            sizes={sizes}
            loading={loading ?? 'lazy'}
            most={deferred ? DEFERRED_MOST : undefined}
          />
        </span>
        <span className={styles.label}>
          <cite className={styles.title}>{work.title}</cite>
          <span className={styles.facts}>{workFacts(work)}</span>
          <span className={styles.price}>
            {price && <span>{price}</span>}
            {mark && <Mark {...mark} />}
          </span>
          {badge && work.isFeatured && <Badge className={styles.badge}>{TEXT.featuredBadge}</Badge>}
        </span>
      </a>
    </li>
  )
})

/** The place of a work that is still to come. */
export function PlaceholderTile() {
  return (
    <li className={styles.tile}>
      <span className={classNames(styles.awaitedPicture, skeletonBox)} />
      <span className={styles.awaitedLabel}>
        <SkeletonBar length="long" />
        <SkeletonBar length="half" />
      </span>
    </li>
  )
}
