import { useEffect, useEffectEvent, type RefObject } from 'react'

type Manners = {
  root: RefObject<HTMLDialogElement | null>
  heading: RefObject<HTMLElement | null>
  /** what is shown; when it changes and the focus went with the old one, the heading takes it */
  shown: string
  onEscape: () => void
  /** null where there is nothing to go to */
  onPrevious: (() => void) | null
  onNext: (() => void) | null
}

const FOCUSABLE = 'a[href], button:not([disabled]), input:not([type=hidden]), [tabindex="0"]'

/** Whether an element is drawn at all; Safari has `checkVisibility` from 17.4 on only. */
const isSeen = (element: HTMLElement): boolean =>
  element.getClientRects().length > 0 && getComputedStyle(element).visibility === 'visible'

/** The elements of a dialog that the Tab key reaches, in order. */
function stops(root: HTMLElement): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (element) => element.tabIndex >= 0 && isSeen(element),
  )
}

/** Keys that belong to what has the focus: text, and the dots with arrow keys of their own. */
const keepsArrows = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input, textarea, select, [contenteditable], [role=tablist]') !== null

/**
 * Makes the dialog modal, which the server sends open so that it stands without a script, and adds what the browser's
 * own manners lack: the focus begins at the heading and goes round inside, the arrow keys leaf. Escape is heard here
 * before the browser closes anything.
 */
export function useDialogManners(manners: Manners): void {
  const { root, heading, shown } = manners

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const dialog = root.current
    if (!dialog || event.defaultPrevented) return
    if (event.key === 'Escape') {
      event.preventDefault()
      manners.onEscape()
      return
    }
    if (event.key === 'Tab') {
      holdFocus(dialog, event)
      return
    }
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || keepsArrows(event.target)) return
    const forward = getComputedStyle(dialog).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    const leaf = event.key === forward ? manners.onNext : manners.onPrevious
    if (!leaf) return
    event.preventDefault()
    leaf()
  })

  useEffect(() => {
    const dialog = root.current
    if (!dialog) return
    dialog.removeAttribute('open')
    dialog.showModal()
    heading.current?.focus({ preventScroll: true })
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [root, heading])

  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [heading, shown])
}

/** Lets the Tab key go round inside the dialog. */
function holdFocus(dialog: HTMLElement, event: KeyboardEvent): void {
  const reachable = stops(dialog)
  const first = reachable[0]
  const last = reachable.at(-1)
  if (!first || !last) return
  const at = document.activeElement
  const outside = !dialog.contains(at)
  if (event.shiftKey && (at === first || outside)) {
    event.preventDefault()
    last.focus()
  } else if (!event.shiftKey && (at === last || outside)) {
    event.preventDefault()
    first.focus()
  }
}
