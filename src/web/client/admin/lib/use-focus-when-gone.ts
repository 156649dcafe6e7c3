import { useEffect, useRef } from 'react'

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
