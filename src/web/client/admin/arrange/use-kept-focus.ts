import { useCallback, useLayoutEffect, useRef } from 'react'

/** Frames to wait until the row of a card is drawn. */
const FRAMES = 10

/** A button of a card, wherever the card stands now. */
export const buttonOf = (id: string, action: string): HTMLElement | null =>
  document.querySelector(`[data-movable="${id}"] [data-action="${action}"]`)

/**
 * What moves may be drawn anew at its new place, and the focus would be lost. It follows to the same button there, and
 * the list scrolls along; when the card or row is gone, it goes to the one that took its place.
 */
export function useKeptFocus(
  items: readonly { readonly id: string }[],
  scrollTo: (index: number) => void,
): { came: (to: HTMLElement) => void; left: (from: HTMLElement) => void } {
  const place = useRef<{ id: string; action: string; at: number } | null>(null)
  const list = useRef(items)
  useLayoutEffect(() => {
    list.current = items
    const before = place.current
    if (!before) return
    const found = items.findIndex(({ id }) => id === before.id)
    const at = found < 0 ? Math.min(before.at, items.length - 1) : found
    const id = items[at]?.id
    if (id === undefined || (id === before.id && at === before.at)) return
    place.current = { ...before, id, at }
    scrollTo(at)
    let left = FRAMES
    const restore = (): void => {
      if (document.activeElement !== document.body) return
      const button = buttonOf(id, before.action)
      if (button) button.focus({ preventScroll: true })
      else if (left-- > 0) requestAnimationFrame(restore)
    }
    restore()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only another list moves cards
  }, [items])

  const came = useCallback((to: HTMLElement) => {
    const id = to.closest<HTMLElement>('[data-movable]')?.dataset['movable']
    const action = to.closest<HTMLElement>('[data-action]')?.dataset['action']
    const at = list.current.findIndex((item) => item.id === id)
    place.current = id && action && at >= 0 ? { id, action, at } : null
  }, [])
  const left = useCallback((from: HTMLElement) => {
    const before = place.current
    queueMicrotask(() => {
      // Where the element itself was taken away, nobody went anywhere; and the focus may have come to another card.
      const isGone = from.isConnected && !from.contains(document.activeElement)
      if (isGone && place.current === before) place.current = null
    })
  }, [])
  return { came, left }
}
