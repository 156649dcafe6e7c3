import { type PointerEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useLatest } from '../lib/use-latest.ts'

export type Drop = { overId: string; side: 'before' | 'after' }
export type Drag = { id: string; drop: Drop | null }

/** Within so many pixels of the list's upper and lower edge it scrolls by itself, this fast at most a frame. */
const EDGE_PX = 64
const STEP_PX = 14
/** A press that moves less than this is no drag. */
const SLOP_PX = 6

type Start = { id: string; card: HTMLElement; x: number; y: number; scrolled: number; pointer: number }

/**
 * Dragging cards or rows by pointer, mouse or finger. Handles are elements with `data-drag="<id>"` inside of those with
 * `data-movable="<id>"`. Escape puts the card back. The same can be done by the Move buttons (WCAG 2.5.7).
 * @param scroller the list that scrolls while a card is held near its edge
 * @param vertical cards stand below one another only
 */
export function useDrag(
  scroller: RefObject<HTMLElement | null>,
  vertical: boolean,
  onDrop: (id: string, drop: Drop) => void,
): { drag: Drag | null; onPointerDown: (event: PointerEvent) => void } {
  const [drag, setDrag] = useState<Drag | null>(null)
  const start = useRef<Start | null>(null)
  const pointer = useRef({ x: 0, y: 0 })
  /** the same as the state, at once: the pointer may be let go before anything is drawn */
  const held = useRef<Drag | null>(null)
  const latest = useLatest({ vertical, onDrop })
  const isDragging = drag !== null

  const follow = useCallback(() => {
    const from = start.current
    const list = scroller.current
    if (!from || !list) return
    const { x, y } = pointer.current
    from.card.style.setProperty('--drag-x', `${x - from.x}px`)
    from.card.style.setProperty('--drag-y', `${y - from.y + list.scrollTop - from.scrolled}px`)
    const drop = dropAt(x, y, from.id, latest.current.vertical)
    const before = held.current
    if (!before || before.drop?.overId !== drop?.overId || before.drop?.side !== drop?.side) {
      held.current = { id: from.id, drop }
      setDrag(held.current)
    }
  }, [scroller, latest])

  const end = useCallback(
    (isDone: boolean) => {
      const from = start.current
      start.current = null
      if (!from) return
      from.card.style.removeProperty('--drag-x')
      from.card.style.removeProperty('--drag-y')
      const drop = held.current?.drop
      held.current = null
      setDrag(null)
      if (isDone && drop) latest.current.onDrop(from.id, drop)
    },
    [latest],
  )

  const onPointerDown = useCallback(
    (event: PointerEvent) => {
      // One at a time: another finger, as a palm beside the first, moves nothing.
      if (start.current || event.button !== 0 || !(event.target instanceof Element)) return
      const handle = event.target.closest<HTMLElement>('[data-drag]')
      const card = event.target.closest<HTMLElement>('[data-movable]')
      const id = handle?.dataset['drag']
      if (!id || !card) return
      const { clientX: x, clientY: y, pointerId } = event
      pointer.current = { x, y }
      start.current = { id, card, x, y, scrolled: scroller.current?.scrollTop ?? 0, pointer: pointerId }
      const move = (moving: globalThis.PointerEvent): void => {
        const from = start.current
        if (!from || moving.pointerId !== from.pointer) return
        // It was let go above another window.
        if (moving.buttons === 0) return stop(moving)
        pointer.current = { x: moving.clientX, y: moving.clientY }
        const far = Math.hypot(moving.clientX - from.x, moving.clientY - from.y) >= SLOP_PX
        if (held.current || far) follow()
      }
      const listening = new AbortController()
      const { signal } = listening
      const stop = (ending: globalThis.PointerEvent): void => {
        if (start.current && ending.pointerId !== start.current.pointer) return
        listening.abort()
        end(ending.type === 'pointerup')
      }
      window.addEventListener('pointermove', move, { signal })
      window.addEventListener('pointerup', stop, { signal })
      window.addEventListener('pointercancel', stop, { signal })
    },
    [scroller, follow, end],
  )

  useEffect(() => {
    if (!isDragging) return
    const list = scroller.current
    let frame = 0
    const scroll = (): void => {
      if (list) {
        const { top, bottom } = list.getBoundingClientRect()
        const { y } = pointer.current
        const into = y < top + EDGE_PX ? y - top - EDGE_PX : y > bottom - EDGE_PX ? y - bottom + EDGE_PX : 0
        if (into !== 0) {
          list.scrollTop += Math.max(-1, Math.min(1, into / EDGE_PX)) * STEP_PX
          follow()
        }
      }
      frame = requestAnimationFrame(scroll)
    }
    frame = requestAnimationFrame(scroll)
    // Before every other listener: this Escape must not close the dashboard.
    const escape = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      end(false)
    }
    window.addEventListener('keydown', escape, { capture: true })
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('keydown', escape, { capture: true })
    }
  }, [isDragging, scroller, follow, end])

  return { drag, onPointerDown }
}

/** The card under the pointer and the side of it that is nearer; null outside of cards and above the dragged one. */
function dropAt(x: number, y: number, id: string, vertical: boolean): Drop | null {
  const card = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-movable]')
  const overId = card?.dataset['movable']
  if (!card || !overId || overId === id) return null
  const { left, top, width, height } = card.getBoundingClientRect()
  const isBefore = vertical ? y < top + height / 2 : x < left + width / 2
  return { overId, side: isBefore ? 'before' : 'after' }
}
