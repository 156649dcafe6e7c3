import { useEffect, useEffectEvent, type RefObject } from 'react'

export type Point = { x: number; y: number }
export type Pinch = {
  begin: (distance: number) => void
  /** `middle` lies between the two fingers, in the window's pixels */
  move: (distance: number, middle: Point) => void
  end: () => void
}

type TouchHandlers = {
  zoomed: boolean
  /** `forward` is towards the end of the list, whatever the writing direction */
  onSwipe: (forward: boolean) => void
  pinch: Pinch
}

/** A stroke that is long and flat enough to mean leafing, in pixels. */
const LEAST_STROKE = 45
const FLATNESS = 1.5

/** What a stroke from `from` to `to` means in a text that runs from left to right; null for none. */
export function strokeDirection(from: Point, to: Point): 'forward' | 'back' | null {
  const dx = to.x - from.x
  const dy = to.y - from.y
  if (Math.abs(dx) < LEAST_STROKE || Math.abs(dx) < FLATNESS * Math.abs(dy)) return null
  return dx < 0 ? 'forward' : 'back'
}

const pointOf = (touch: Touch): Point => ({ x: touch.clientX, y: touch.clientY })

function twoFingers(touches: TouchList): { distance: number; middle: Point } | null {
  const [one, other] = touches
  if (!one || !other || touches.length !== 2) return null
  const [a, b] = [pointOf(one), pointOf(other)]
  return {
    distance: Math.hypot(a.x - b.x, a.y - b.y),
    middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 },
  }
}

/** One finger leafs, two zoom; up and down stays the page's own. */
export function useTouch(box: RefObject<HTMLElement | null>, handlers: TouchHandlers): void {
  const swipe = useEffectEvent((from: Point, to: Point, rightToLeft: boolean): boolean => {
    const direction = handlers.zoomed ? null : strokeDirection(from, to)
    if (direction) handlers.onSwipe((direction === 'forward') !== rightToLeft)
    return direction !== null
  })
  const pinch = useEffectEvent((act: (pinch: Pinch) => void) => act(handlers.pinch))

  useEffect(() => {
    const element = box.current
    if (!element) return
    let from: Point | null = null
    let pinching = false
    const start = (event: TouchEvent) => {
      const fingers = twoFingers(event.touches)
      const only = event.touches[0]
      from = event.touches.length === 1 && only ? pointOf(only) : null
      if (!fingers) return
      pinching = true
      pinch((each) => each.begin(fingers.distance))
    }
    const move = (event: TouchEvent) => {
      const fingers = pinching ? twoFingers(event.touches) : null
      if (!fingers) return
      event.preventDefault()
      pinch((each) => each.move(fingers.distance, fingers.middle))
    }
    const end = (event: TouchEvent) => {
      const last = event.changedTouches[0]
      if (pinching && event.touches.length < 2) {
        pinching = false
        pinch((each) => each.end())
      } else if (from && last && event.touches.length === 0) {
        const rightToLeft = getComputedStyle(element).direction === 'rtl'
        // A stroke is no tap: without this it would also open the zoom.
        if (swipe(from, pointOf(last), rightToLeft) && event.cancelable) event.preventDefault()
      }
      from = null
    }
    const stop = new AbortController()
    const { signal } = stop
    element.addEventListener('touchstart', start, { passive: true, signal })
    element.addEventListener('touchmove', move, { passive: false, signal })
    element.addEventListener('touchend', end, { passive: false, signal })
    element.addEventListener('touchcancel', end, { passive: false, signal })
    return () => stop.abort()
  }, [box])
}
