import { type RefObject, useLayoutEffect } from 'react'
import { needsAround } from './toast-needs.ts'
import { type Box, type ToastPlace, toastPlaceFor } from './toast-place.ts'

/** Between a message and the edges of the screen at its home, the lower right corner. */
const MARGIN = 16
/** The widest from this width of the screen on, and how narrow it may become to make way. */
const MEDIUM = 768
const WIDEST = 420
const NARROWER = [420, 320, 272, 232]

/**
 * Keeps the messages off what one needs (`toast-needs.ts`), as long as one is shown: placed before it is painted,
 * and placed anew when the focus moves, something opens, scrolls or changes its size.
 * @param shown what is shown; null for nothing
 */
export function useToastPlace(toasts: RefObject<HTMLElement | null>, shown: number | null): void {
  useLayoutEffect(() => {
    const element = toasts.current
    if (!element || shown === null) return
    let now: Placed | null = null
    const put = (): void => {
      now = place(element, now)
    }
    put()
    let frame = 0
    const soon = (): void => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(put)
    }
    const changes = new MutationObserver((records) => {
      if (records.some(({ target }) => !element.contains(target))) soon()
    })
    changes.observe(document.body, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ['data-state', 'disabled', 'hidden', 'open'],
    })
    const sizes = new ResizeObserver(soon)
    sizes.observe(element)
    const stop = new AbortController()
    const { signal } = stop
    for (const name of ['focusin', 'scroll', 'animationend', 'transitionend'])
      document.addEventListener(name, soon, { capture: true, passive: true, signal })
    window.addEventListener('resize', soon, { signal })
    for (const name of ['resize', 'scroll']) window.visualViewport?.addEventListener(name, soon, { signal })
    return () => {
      cancelAnimationFrame(frame)
      changes.disconnect()
      sizes.disconnect()
      stop.abort()
    }
  }, [toasts, shown])
}

type Placed = ToastPlace & { width: number }

/** Puts the messages where they cover least: as wide as they are, narrower where only that makes way. */
function place(element: HTMLElement, before: Placed | null): Placed {
  const room = seen()
  const width = room.right - room.left
  const full = Math.min(width - 2 * MARGIN, width >= MEDIUM ? WIDEST : Number.POSITIVE_INFINITY)
  const needs = needsAround(element)
  const atWidth = (inline: number): Placed => {
    element.style.setProperty('--toast-width', `${inline}px`)
    const size = { width: inline, height: element.offsetHeight }
    const home = { left: room.right - MARGIN - inline, top: room.bottom - MARGIN - size.height }
    const now = before?.width === inline ? before : null
    return { ...toastPlaceFor(size, room, home, needs, now), width: inline }
  }
  let best = atWidth(full)
  for (const inline of NARROWER.filter((each) => each < full)) {
    if (best.cost === 0) break
    const narrower = atWidth(inline)
    if (narrower.cost < best.cost) best = narrower
  }
  element.style.setProperty('--toast-width', `${best.width}px`)
  element.style.setProperty('--toast-x', `${best.left}px`)
  element.style.setProperty('--toast-y', `${best.top}px`)
  return best
}

/** The part of the page that is seen: less than the window while a phone shows its keyboard. */
function seen(): Box {
  const view = window.visualViewport
  const left = view?.offsetLeft ?? 0
  const top = view?.offsetTop ?? 0
  return {
    left,
    top,
    // Without the scroll bar of the page.
    right: left + Math.min(view?.width ?? Number.POSITIVE_INFINITY, document.documentElement.clientWidth),
    bottom: top + (view?.height ?? document.documentElement.clientHeight),
  }
}
