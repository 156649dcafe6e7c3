import { useCallback, useSyncExternalStore, useEffect, useRef } from 'react'

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

/** Whether a media query holds now; renders again when that changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}

/** What stands in the open tab. */
export const openPanel = (): HTMLElement | null =>
  document.querySelector('[data-dashboard] [role="tabpanel"][data-state="active"]')

/** Whether the focus is where text is typed: it is not to be taken from there. */
export const isTyping = (): boolean =>
  document.activeElement?.matches('input, textarea, [contenteditable="true"]') ?? false

/** Nothing has the focus, or something that can be used no more. */
const isFocusLost = (): boolean =>
  document.activeElement === null ||
  document.activeElement === document.body ||
  document.activeElement.matches(':disabled')

/**
 * What is pressed may go by that, and the focus with it: the keyboard would begin at the top of the page again.
 * @param isThere whether what may hold the focus stands
 * @param place takes the focus that was lost when it went; the page is not scrolled
 */
export function useFocusWhenGone(isThere: boolean, place: () => HTMLElement | null): void {
  const wasThere = useRef(isThere)
  useEffect(() => {
    if (wasThere.current && !isThere && isFocusLost()) place()?.focus({ preventScroll: true })
    wasThere.current = isThere
  })
}

/** What has the focus, and what is typed there. */
export type Typing = readonly [place: Element | null, text: unknown]

export function typingNow(): Typing {
  const place = document.activeElement
  return [place, place instanceof HTMLInputElement && place.value]
}

/** What is wrong with a form's values; a file that was refused earlier is marked too, but may be none of it. */
const MISTAKE = '[aria-invalid="true"]:not([data-refused])'

/**
 * Puts the first mistake of a form into view and the focus into it. Nothing where there is none, or where she types by now.
 * @param sent how she typed when it was sent
 */
export function focusFirstMistake(form: HTMLElement | null, sent: Typing | null): void {
  if (isTyping() && typingNow().some((now, index) => now !== sent?.[index])) return
  const mistake = form?.querySelector<HTMLElement>(MISTAKE)
  mistake?.focus()
  mistake?.scrollIntoView({ block: 'center' })
}
