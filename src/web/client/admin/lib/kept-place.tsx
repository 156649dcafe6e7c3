import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useArtworks, useJobs, useSamples, useSiteContent, useStatus } from './queries.ts'
import styles from './kept-place.module.css'

const storageKey = (name: string): string => `atelier.height.${name}`

/** What was kept for a place as wide as this; in a browser that keeps nothing, no height. */
function keptHeight(name: string, { offsetWidth }: HTMLElement): number {
  try {
    const [width, height = 0] = (localStorage.getItem(storageKey(name)) ?? '').split(' ').map(Number)
    return width === offsetWidth ? height : 0
  } catch {
    return 0
  }
}

function keepHeight(name: string, place: HTMLElement): void {
  try {
    localStorage.setItem(storageKey(name), `${place.offsetWidth} ${place.getBoundingClientRect().height}`)
  } catch {
    // Then what comes pushes down what stands below it, as at the first time.
  }
}

/**
 * The place of what stands above the work on the dashboard, or does not: that is known only when the lists have come that it
 * tells of. Until then the place is as high as it was last time in this browser, and empty, so that nothing is pushed down,
 * in it or below.
 * @param props.name one for each place
 */
export function KeptPlace({ name, children }: { name: string; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  // A list that could not be had leaves nothing to wait for.
  const isKnown = ![useStatus(), useSamples(), useJobs(), useSiteContent(), useArtworks()].some(
    ({ isPending }) => isPending,
  )
  useLayoutEffect(() => {
    const element = place.current
    if (!element) return undefined
    if (!isKnown) {
      element.style.setProperty('min-block-size', `${keptHeight(name, element)}px`)
      return () => element.style.removeProperty('min-block-size')
    }
    const sizes = new ResizeObserver(() => keepHeight(name, element))
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [name, isKnown])
  return (
    <div ref={place} className={styles.place}>
      {isKnown && children}
    </div>
  )
}
