import { useCallback } from 'react'

/** The bars that lie over what scrolls: the property that tells the height of each, and how it lies when it covers. */
const BARS = {
  header: { property: '--header-bar', covering: 'sticky' },
  // On wide screens the tabs are a rail beside what scrolls.
  tabs: { property: '--tab-bar', covering: 'fixed' },
  save: { property: '--save-bar', covering: 'sticky' },
} as const

/**
 * Tells the scroller around a bar how much of it the bar covers, so that what takes the focus stops before it
 * (`gate.module.css`).
 * @returns the bar's `ref`
 */
export function useBar(bar: keyof typeof BARS): (element: HTMLElement | null) => (() => void) | undefined {
  return useCallback(
    (element) => {
      const scroller = element?.closest<HTMLElement>('[data-scrolls]')
      if (!element || !scroller) return undefined
      const { property, covering } = BARS[bar]
      const measure = (): void => {
        const covers = getComputedStyle(element).position === covering
        const height = covers ? `${element.offsetHeight}px` : '0px'
        if (scroller.style.getPropertyValue(property) === height) return
        scroller.style.setProperty(property, height)
        // A bar that comes while somebody types must not come over what is typed.
        const focused = document.activeElement
        if (focused && scroller.contains(focused) && !element.contains(focused)) {
          focused.scrollIntoView({ block: 'nearest', behavior: 'instant' })
        }
      }
      // A turned phone makes it another bar, and another size.
      const sizes = new ResizeObserver(measure)
      sizes.observe(element)
      measure()
      return () => {
        sizes.disconnect()
        scroller.style.removeProperty(property)
      }
    },
    [bar],
  )
}
