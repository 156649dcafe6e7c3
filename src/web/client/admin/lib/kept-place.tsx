import { type ReactNode, useLayoutEffect, useRef } from 'react'
import * as WORDS from '../../lib/words.ts'
import { useArtworks, useJobs, useSamples, useSiteContent, useStatus } from './queries.ts'
import styles from './kept-place.module.css'

const storageKey = (name: string): string => `atelier.height.${name}`

/** What was kept for a place as wide as this; null where nothing was. */
function keptHeight(name: string, { offsetWidth }: HTMLElement): number | null {
  try {
    const [width, height = 0] = (localStorage.getItem(storageKey(name)) ?? '').split(' ').map(Number)
    return width === offsetWidth ? height : null
  } catch {
    return null
  }
}

function keepHeight(name: string, place: HTMLElement): void {
  try {
    localStorage.setItem(storageKey(name), `${place.offsetWidth} ${place.getBoundingClientRect().height}`)
  } catch {
    // Then each time is as the first one.
  }
}

/**
 * The place of what stands above the work on the dashboard, or does not: that is known only when the lists have come that it
 * tells of. Until then the place is as high as it was last time in this browser, and empty, so that nothing is pushed down,
 * in it or below. Where that is not known, as at the first time, what stands below waits with it.
 * @param props.name one for each place
 */
export function KeptPlace({ name, children }: { name: string; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  // A list that could not be had leaves nothing to wait for, also while it is asked for again.
  const isKnown = ![useStatus(), useSamples(), useJobs(), useSiteContent(), useArtworks()].some(
    ({ isPending, errorUpdateCount }) => isPending && errorUpdateCount === 0,
  )
  useLayoutEffect(() => {
    const element = place.current
    if (!element) return undefined
    if (!isKnown) {
      const height = keptHeight(name, element)
      element.style.setProperty('min-block-size', `${height ?? 0}px`)
      element.toggleAttribute('data-alone', height === null)
      return () => {
        element.style.removeProperty('min-block-size')
        element.removeAttribute('data-alone')
      }
    }
    const sizes = new ResizeObserver(() => keepHeight(name, element))
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [name, isKnown])
  return (
    <div ref={place} className={styles.place}>
      {isKnown ? (
        children
      ) : (
        <p role="status" className={styles.waiting}>
          {WORDS.loading}
        </p>
      )}
    </div>
  )
}
