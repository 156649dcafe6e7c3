import { type RefObject, useEffect, useEffectEvent } from 'react'

/** So far to the right, in pixels, takes a message away. */
const FAR = 50
const BEGINS = 10

/** Calls `onSwiped` when a finger has pushed the element out to the right; less moves it back. */
export function useSwipe(element: RefObject<HTMLElement | null>, onSwiped: () => void): void {
  const swiped = useEffectEvent(onSwiped)
  useEffect(() => {
    const target = element.current
    if (!target) return
    let from: number | null = null
    const stop = new AbortController()
    const { signal } = stop
    const end = (event: PointerEvent): void => {
      if (from === null) return
      const way = event.clientX - from
      from = null
      target.style.removeProperty('translate')
      if (event.type === 'pointerup' && way > FAR) swiped()
    }
    target.addEventListener(
      'pointerdown',
      ({ pointerType, clientX }) => {
        if (pointerType !== 'mouse') from = clientX
      },
      { signal },
    )
    target.addEventListener(
      'pointermove',
      ({ clientX, pointerId }) => {
        if (from === null || clientX - from < BEGINS) return
        target.setPointerCapture(pointerId)
        target.style.setProperty('translate', `${clientX - from}px 0`)
      },
      { signal },
    )
    target.addEventListener('pointerup', end, { signal })
    target.addEventListener('pointercancel', end, { signal })
    return () => stop.abort()
  }, [element])
}
