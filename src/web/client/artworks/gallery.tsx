import { Fragment, useDeferredValue, useMemo } from 'react'
import { HOME_HEADING } from '../lib/constants.ts'
import * as WORDS from '../lib/words.ts'
import { LAID_OUT_AT_ONCE, ratioOf } from '../lib/artwork-styles.ts'
import { classNames } from '../ui/class-names.ts'
import { Notice } from '../ui/notice.tsx'
import { Icon } from '../ui/icon.tsx'
import { Outdated, Retry } from '../ui/retry.tsx'
import { Section, SectionHeading } from '../ui/section.tsx'
import { dataOf, type Loadable } from '../lib/page-data.ts'
import type { PageArtwork } from '../lib/on-page.ts'
import { FilterBar } from './filter-bar.tsx'
import styles from './gallery.module.css'
import hang from './hang.module.css'
import { rowEnds } from './rows.ts'
import { PlaceholderTile, Tile } from './tile.tsx'

type GalleryProps = {
  /** the artworks of the chosen category, or why there are none */
  gallery: Loadable<readonly PageArtwork[]>
  /** names of the active categories, in order */
  categories: Loadable<readonly string[]>
  /** the chosen category; null shows all */
  category: string | null
  onCategory: (category: string | null) => void
  onOpen: (id: string) => void
}

/** How wide a tile is: exact where the browser can tell, else what the justified rows give on average. */
function tileSizes(ratio: number): string {
  const phone = ratio >= 1.05 ? 92 : 46
  const share = Math.min(90, Math.round(ratio * 27))
  return `auto, (max-width: 44rem) ${phone}vw, min(${share}vw, ${Math.round(ratio * 400)}px)`
}

/** Proportions of a believable wall, for the places of artworks that are still to come. */
const AWAITED = [1.339, 0.75, 0.8, 1.6, 0.75, 2, 0.714, 1, 1.339, 0.75, 1.5, 0.8] as const
const AWAITED_ENDS = rowEnds(AWAITED)

/** Where a row ends in some windows; a list may hold nothing else that is no item. */
const RowEnd = ({ ends }: { ends: string | undefined }) => (ends ? <template data-ends={ends} /> : null)

const artworksCount = (artworks: readonly PageArtwork[]): string =>
  artworks.length === 1 ? '1 work' : `${artworks.length} works`

function Wall({ gallery, category, onOpen }: Omit<GalleryProps, 'categories' | 'onCategory'>) {
  if (gallery.status === 'loading') {
    return (
      <ul className={classNames(hang.hang, styles.wall)} aria-label={WORDS.galleryLoading}>
        {AWAITED.map((ratio, index) => (
          <Fragment key={index}>
            <PlaceholderTile ratio={ratio} />
            <RowEnd ends={AWAITED_ENDS[index]} />
          </Fragment>
        ))}
      </ul>
    )
  }
  if (gallery.status === 'failed') {
    return (
      <Notice
        role="alert"
        text="The works could not be loaded."
        hint={
          gallery.retrying
            ? 'Trying again.'
            : 'Perhaps the connection was lost. Nothing else on this page is affected.'
        }
      >
        <Retry again={gallery} />
      </Notice>
    )
  }
  if (gallery.data.length === 0) {
    return (
      <Notice
        text={
          category === null
            ? 'No artworks available. Check back soon for new additions!'
            : `No ${category} artworks available. Try a different category.`
        }
      />
    )
  }
  return <Hung artworks={gallery.data} category={category} onOpen={onOpen} />
}

/** So many artworks of a new choice are hung at once; the rest follows when they stand (the filter answers at once). */
const HUNG_AT_ONCE = 48

type HungProps = { artworks: readonly PageArtwork[] } & Pick<GalleryProps, 'category' | 'onOpen'>

function Hung({ artworks, category, onOpen }: HungProps) {
  // Only another choice is hung in two goes: an artwork changed meanwhile must not shorten the page under a reader.
  const settled = useDeferredValue(category) === category
  const shown = useMemo(() => (settled ? artworks : artworks.slice(0, HUNG_AT_ONCE)), [settled, artworks])
  const ends = useMemo(() => rowEnds(shown.map(({ image }) => ratioOf(image))), [shown])
  return (
    <ul className={classNames(hang.hang, styles.wall)} data-list="gallery">
      {shown.map((artwork, index) => (
        <Fragment key={artwork.id}>
          <Tile artwork={artwork} sizes={tileSizes(ratioOf(artwork.image))} badge deferred onOpen={onOpen} />
          <RowEnd ends={ends[index]} />
        </Fragment>
      ))}
    </ul>
  )
}

/** From a long wall to the page's beginning: it goes along below the wall's second screen. */
const BackToTop = () => (
  <div className={styles.back} data-unprinted>
    <a href={`#${HOME_HEADING}`} aria-label="Back to top" title="Back to top">
      <Icon name="up" />
    </a>
  </div>
)

/** The wall of artworks with its filter. */
export function Gallery({ categories, onCategory, ...wall }: GalleryProps) {
  const { gallery, category } = wall
  return (
    <Section
      id="gallery"
      className={styles.gallery}
      labelledBy="gallery-heading"
      busy={gallery.status === 'loading'}
    >
      <SectionHeading
        id="gallery-heading"
        aside={gallery.status === 'ready' && <p aria-live="polite">{artworksCount(gallery.data)}</p>}
      >
        Gallery
      </SectionHeading>
      <FilterBar categories={dataOf(categories, [])} category={category} onCategory={onCategory} />
      <Outdated lists={[gallery, categories]} />
      <Wall {...wall} />
      {gallery.status === 'ready' && gallery.data.length > LAID_OUT_AT_ONCE && <BackToTop />}
    </Section>
  )
}
