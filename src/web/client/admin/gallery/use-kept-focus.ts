import { useCallback, useLayoutEffect, useRef } from 'react'
import type { Artwork } from '#web/contract/artworks.ts'

type Place = { id: string; action: string; at: number }

/** Frames to wait until the row of a card is drawn. */
const FRAMES = 10

/** A button of a card, wherever the card stands now. */
export const buttonOf = (id: string, action: string): HTMLElement | null =>
  document.querySelector(`[data-work="${id}"] [data-action="${action}"]`)

/**
 * A card that moves to another row is drawn anew there, and the focus would be lost. It follows the card to the
 * same button, and the list scrolls along; when the card is gone, it goes to the one that took its place.
 */
export function useKeptFocus(
  works: readonly Artwork[],
  scrollTo: (index: number) => void,
): { came: (to: HTMLElement) => void; left: (from: HTMLElement) => void } {
  const place = useRef<Place | null>(null)
  const list = useRef(works)
  useLayoutEffect(() => {
    list.current = works
    const before = place.current
    if (!before) return
    const found = works.findIndex(({ id }) => id === before.id)
    const at = found < 0 ? Math.min(before.at, works.length - 1) : found
    const id = works[at]?.id
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
  }, [works])

  const came = useCallback((to: HTMLElement) => {
    const id = to.closest<HTMLElement>('[data-work]')?.dataset['work']
    const action = to.closest<HTMLElement>('[data-action]')?.dataset['action']
    const at = list.current.findIndex((work) => work.id === id)
    place.current = id && action && at >= 0 ? { id, action, at } : null
  }, [])
  const left = useCallback((from: HTMLElement) => {
    // Where the element itself was taken away, nobody went anywhere.
    queueMicrotask(() => {
      if (from.isConnected && !from.contains(document.activeElement)) place.current = null
    })
  }, [])
  return { came, left }
}
