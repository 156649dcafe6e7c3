import { useRef } from 'react'

/** What a closed dialog gave the focus back to, by its element. */
const givenTo = new WeakMap<Element, HTMLElement>()

/** A dialog that closed under a question had no say: where the focus was within it, it goes where that one sent it. */
const heirOf = (opener: Element | null): HTMLElement | undefined => {
  const closed = opener?.closest('[role=dialog], [role=alertdialog]')
  return closed ? givenTo.get(closed) : undefined
}

/**
 * Where the focus goes when a dialog opens, and when it closes: back to what had it before, else, when that has gone or is
 * hidden meanwhile, to a sensible neighbour. Radix itself only knows triggers of its own.
 */
export function useFocusOfDialog(
  first: (content: EventTarget | null) => HTMLElement | null | undefined,
  neighbour: (() => HTMLElement | null) | undefined,
) {
  const before = useRef<Element | null>(null)
  return {
    onOpenAutoFocus: (event: Event): void => {
      event.preventDefault()
      before.current = document.activeElement
      first(event.target)?.focus()
    },
    onCloseAutoFocus: (event: Event): void => {
      event.preventDefault()
      const opener = before.current
      const isThere = opener instanceof HTMLElement && isShown(opener) && opener !== document.body
      const next = isThere ? opener : (neighbour?.() ?? heirOf(opener))
      if (next && event.target instanceof Element) givenTo.set(event.target, next)
      next?.focus()
    },
  }
}

/** What is hidden or gone takes no place; nothing would have the focus then. */
const isShown = (element: HTMLElement): boolean => element.getClientRects().length > 0

/** What leads into the dashboard: the button in the bar, on a phone the one that opens the menu with it. */
const ADMIN_ENTRY = 'header form[action="/admin"] button, header button[aria-haspopup="dialog"]'

/**
 * Safari gives a pressed button no focus, so what was pressed cannot be seen from the focus.
 * @returns the way into the dashboard that is seen now; null on a page without one
 */
export const adminEntry = (): HTMLElement | null =>
  [...document.querySelectorAll<HTMLElement>(ADMIN_ENTRY)].find(isShown) ?? null
