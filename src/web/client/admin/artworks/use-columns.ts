import { type RefObject, useLayoutEffect, useState } from 'react'

/** The narrowest card and the space between two, as in the style sheet, in rem and px. */
const CARD_REM = 15.5
export const GAP_PX = 16

/** How many cards stand side by side in the element; follows its width and the reader's own text size. */
export function useColumns(element: RefObject<HTMLElement | null>): number {
  const [columns, setColumns] = useState(1)
  useLayoutEffect(() => {
    const box = element.current
    if (!box) return
    const measure = (): void => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      setColumns(Math.max(1, Math.floor((box.clientWidth + GAP_PX) / (CARD_REM * rem + GAP_PX))))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    return () => observer.disconnect()
  }, [element])
  return columns
}
