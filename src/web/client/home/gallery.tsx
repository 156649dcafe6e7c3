import { type RefObject, useDeferredValue, useEffect, useRef } from 'react'
import { galleryEmptyFor, LIMITS, TEXT, WORDS } from '../lib/constants.ts'
import { ratioOf } from '../lib/work-styles.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Notice } from '../ui/notice.tsx'
import { Section, SectionHeading } from '../ui/section.tsx'
import type { TileWork } from '../ui/work.ts'
import { FilterBar } from './filter-bar.tsx'
import hang from './hang.module.css'
import { PlaceholderTile, Tile } from './tile.tsx'

/** The works of the chosen category, or why there are none. */
export type GalleryWorks =
  | { status: 'loading' }
  | { status: 'failed'; retrying: boolean }
  | { status: 'ready'; works: readonly TileWork[] }

type GalleryProps = {
  gallery: GalleryWorks
  /** names of the active categories, in order */
  categories: readonly string[]
  /** the chosen category; null shows all */
  category: string | null
  onCategory?: ((category: string | null) => void) | undefined
  onOpen?: ((id: string) => void) | undefined
  onRetry?: (() => void) | undefined
}

/** How wide a tile is: exact where the browser can tell, else what the justified rows give on average. */
function tileSizes(ratio: number): string {
  const phone = ratio >= 1.05 ? 92 : 46
  const share = Math.min(90, Math.round(ratio * 27))
  return `auto, (max-width: 44rem) ${phone}vw, min(${share}vw, ${Math.round(ratio * 400)}px)`
}

const worksCount = (works: readonly TileWork[]): string =>
  works.length === 1 ? '1 work' : `${works.length} works`

function Wall({ gallery, category, onOpen, onRetry }: Omit<GalleryProps, 'categories' | 'onCategory'>) {
  if (gallery.status === 'loading') {
    return (
      <ul className={classNames(hang.hang, hang.awaited)} aria-label={WORDS.galleryLoading}>
        {Array.from({ length: LIMITS.galleryPlaceholders }, (_, index) => (
          <PlaceholderTile key={index} />
        ))}
      </ul>
    )
  }
  if (gallery.status === 'failed') {
    return (
      <Notice
        role="alert"
        text={TEXT.galleryFailed}
        hint={gallery.retrying ? WORDS.galleryRetrying : WORDS.galleryFailedHint}
      >
        <Button busy={gallery.retrying} onClick={onRetry}>
          {TEXT.retry}
        </Button>
      </Notice>
    )
  }
  if (gallery.works.length === 0) {
    return <Notice text={category === null ? TEXT.galleryEmpty : galleryEmptyFor(category)} />
  }
  return <Hung works={gallery.works} category={category} onOpen={onOpen} />
}

/** So many works of a new choice are hung at once; the rest follows when they stand (the filter answers at once). */
const HUNG_AT_ONCE = 48

type HungProps = { works: readonly TileWork[] } & Pick<GalleryProps, 'category' | 'onOpen'>

function Hung({ works, category, onOpen }: HungProps) {
  // Only another choice is hung in two goes: a work changed meanwhile must not shorten the page under a reader.
  const settled = useDeferredValue(category) === category
  return (
    <ul className={hang.hang} data-list="gallery">
      {(settled ? works : works.slice(0, HUNG_AT_ONCE)).map((work, index) => (
        <Tile
          key={work.id}
          work={work}
          sizes={tileSizes(ratioOf(work.image))}
          badge
          deferred={index >= LIMITS.galleryEager}
          onOpen={onOpen}
        />
      ))}
    </ul>
  )
}

/** Where the focus goes when the works are there and the button that asked for them again is gone. */
function useHeadingAfterRetry(status: GalleryWorks['status']): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const before = useRef(status)
  useEffect(() => {
    const was = before.current
    before.current = status
    if (was === 'failed' && status === 'ready' && document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true })
  }, [status])
  return heading
}

/** The wall of works with its filter (specification §2, Gallery). */
export function Gallery({ categories, onCategory, ...wall }: GalleryProps) {
  const { gallery, category } = wall
  const heading = useHeadingAfterRetry(gallery.status)
  return (
    <Section id="gallery" labelledBy="gallery-heading" busy={gallery.status === 'loading'}>
      <SectionHeading
        id="gallery-heading"
        ref={heading}
        aside={gallery.status === 'ready' && <p aria-live="polite">{worksCount(gallery.works)}</p>}
      >
        {WORDS.galleryHeading}
      </SectionHeading>
      <FilterBar categories={categories} category={category} onCategory={onCategory} />
      <Wall {...wall} />
    </Section>
  )
}
