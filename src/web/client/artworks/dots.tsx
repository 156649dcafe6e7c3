import type { KeyboardEvent, MouseEvent } from 'react'
import { artworkPath } from '#web/contract/artwork-address.ts'
import type { PageArtwork } from '../lib/on-page.ts'
import type { PlaceInList } from './place-in-list.ts'
import styles from './stage.module.css'

/** Dots stand for up to this many artworks; beyond it the count alone. */
const MOST_DOTS = 12

type DotsProps = {
  list: readonly PageArtwork[]
  place: PlaceInList<PageArtwork> | null
  controls: string
  /** id of the slide that the dots change */
  slide: string
  onShow: (id: string) => void
}

/** Which dot a key leads to; null for keys of others. */
function target(
  key: string,
  { index, total }: PlaceInList<PageArtwork>,
  rightToLeft: boolean,
): number | null {
  const step = rightToLeft ? -1 : 1
  if (key === 'ArrowRight') return (index + step + total) % total
  if (key === 'ArrowLeft') return (index - step + total) % total
  if (key === 'Home') return 0
  return key === 'End' ? total - 1 : null
}

/** One dot an artwork, up to twelve: a single stop of the Tab key, with arrows, Home and End inside. */
export function Dots({ list, place, controls, slide, onShow }: DotsProps) {
  if (!place || place.total > MOST_DOTS) return null
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return
    const dots = event.currentTarget.querySelectorAll('button')
    const rightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl'
    const to = target(event.key, place, rightToLeft)
    const artwork = to === null ? undefined : list[to]
    if (to === null || !artwork) return
    event.preventDefault()
    dots[to]?.focus()
    onShow(artwork.id)
  }
  return (
    <div
      className={styles.dots}
      role="tablist"
      aria-label="Choose a work"
      tabIndex={-1}
      onKeyDown={onKeyDown}
      data-backdrop
    >
      {list.map((artwork, index) => (
        <button
          key={artwork.id}
          type="submit"
          form={controls}
          formAction={artworkPath(artwork)}
          role="tab"
          aria-label={`Work ${index + 1}: ${artwork.title}`}
          aria-selected={index === place.index}
          aria-controls={slide}
          tabIndex={index === place.index ? 0 : -1}
          onClick={(event: MouseEvent) => {
            event.preventDefault()
            onShow(artwork.id)
          }}
        />
      ))}
    </div>
  )
}
