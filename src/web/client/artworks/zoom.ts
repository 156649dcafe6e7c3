import { useEffect, useEffectEvent, useLayoutEffect, useRef, type MouseEvent, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import type { Pinch, Point } from './touch.ts'

type ZoomOptions = {
  /** scrolls while zoomed; holds the `[data-frame]` of the image */
  box: RefObject<HTMLElement | null>
  zoomed: boolean
  /** width of the largest variant, in pixels; 0 when unknown */
  natural: number
  onZoom: (zoomed: boolean) => void
  /** takes the focus back when the zoom ends */
  zoomButton: RefObject<HTMLElement | null>
}

const CENTRE: Point = { x: 0.5, y: 0.5 }
/** A hand that moves the mouse this little, in pixels, has clicked. */
const CLICK_SLACK = 4
/** What one press of + makes of the width, and the most that one turn of the wheel does. */
const STEP = 1.25
const STEP_OF_WHEEL = 100
/** A wheel that counts in lines turns so many pixels with each. */
const LINE = 33
/** So much wider than it fits, an image may grow whose own size is not known or small. */
const LARGEST = 3
/** Pinched to nearly the fitting size, the image falls back into its place. */
const NEARLY_FITS = 1.05

const frameIn = (box: HTMLElement | null): HTMLElement | null =>
  box?.querySelector<HTMLElement>('[data-frame]') ?? null

/** Gives the image a width, in pixels, and keeps what lies under `under` where it is. */
function widen(box: HTMLElement, frame: HTMLElement, width: number, under: Point): void {
  const before = frame.getBoundingClientRect()
  const part = { x: (under.x - before.left) / before.width, y: (under.y - before.top) / before.height }
  box.style.setProperty('--zoom', `${Math.round(width)}px`)
  const after = frame.getBoundingClientRect()
  box.scrollLeft += after.left + part.x * after.width - under.x
  box.scrollTop += after.top + part.y * after.height - under.y
}

/** Brings a part of the image, from 0 to 1 each way, to the middle of the box. */
function centre(box: HTMLElement, part: Point): void {
  box.scrollLeft = part.x * box.scrollWidth - box.clientWidth / 2
  box.scrollTop = part.y * box.scrollHeight - box.clientHeight / 2
}

/** Moves the zoomed image with a pressed mouse; `moved` tells a click from a drag. */
function dragWithMouse(box: HTMLElement, moved: { current: boolean }): () => void {
  let last: Point | null = null
  let way = 0
  const down = (event: PointerEvent) => {
    moved.current = false
    if (event.pointerType !== 'mouse' || event.button !== 0) return
    event.preventDefault()
    last = { x: event.clientX, y: event.clientY }
    way = 0
  }
  const move = (event: PointerEvent) => {
    if (!last) return
    const step = { x: event.clientX - last.x, y: event.clientY - last.y }
    way += Math.abs(step.x) + Math.abs(step.y)
    if (way > CLICK_SLACK) moved.current = true
    box.scrollLeft -= step.x
    box.scrollTop -= step.y
    last = { x: event.clientX, y: event.clientY }
  }
  const up = () => {
    last = null
  }
  const stop = new AbortController()
  const { signal } = stop
  box.addEventListener('pointerdown', down, { signal })
  window.addEventListener('pointermove', move, { signal })
  window.addEventListener('pointerup', up, { signal })
  return () => stop.abort()
}

/** What is known of the image while it is zoomed, kept from one event to the next. */
type Hold = {
  /** the part of the image that is brought to the middle, from 0 to 1 each way */
  part: Point
  /** the mouse has moved the image, so that letting it go is no click */
  moved: { current: boolean }
  /** width of the image in its place, in pixels */
  fitted: number
  pinched: { distance: number; width: number; fit: number; now: number } | null
}

/** Zooms the image into its box while `zoomed`; the focus goes along, and back to the button. */
function useZoomedBox({ box, zoomed, natural, zoomButton }: ZoomOptions, hold: RefObject<Hold>): void {
  useLayoutEffect(() => {
    const element = box.current
    const frame = frameIn(element)
    if (!element || !frame || !zoomed) return
    const { moved, part, pinched } = hold.current
    if (!pinched) {
      const own = natural || (frame.querySelector('img')?.naturalWidth ?? 0)
      element.style.setProperty('--zoom', `${Math.max(own, frame.getBoundingClientRect().width)}px`)
      centre(element, part)
    }
    // The zoomed image covers the dialog, whose own scrolling must not shift it.
    element.closest('[data-overlay]')?.scrollTo(0, 0)
    element.focus({ preventScroll: true })
    const letGo = dragWithMouse(element, moved)
    return () => {
      letGo()
      moved.current = false
      element.style.removeProperty('--zoom')
      element.scrollTo(0, 0)
    }
  }, [box, zoomed, natural, hold])

  const wasZoomed = useRef(false)
  useEffect(() => {
    if (wasZoomed.current && !zoomed) zoomButton.current?.focus({ preventScroll: true })
    wasZoomed.current = zoomed
  }, [zoomed, zoomButton])
}

/** Begins to zoom with two fingers, the wheel or a key: the image stands as wide as it was, and grows from there. */
function beginAt(element: HTMLElement, width: number, onZoom: (zoomed: boolean) => void): void {
  element.style.setProperty('--zoom', `${Math.round(width)}px`)
  flushSync(() => onZoom(true))
}

/** Two fingers on the image. */
function usePinch({ box, zoomed, natural, onZoom }: ZoomOptions, hold: RefObject<Hold>): Pinch {
  return {
    begin: (distance) => {
      const width = frameIn(box.current)?.getBoundingClientRect().width ?? 0
      if (!zoomed) hold.current.fitted = width
      hold.current.pinched = { distance, width, fit: hold.current.fitted, now: width }
    },
    move: (distance, middle) => {
      const element = box.current
      const frame = frameIn(element)
      const { pinched } = hold.current
      if (!element || !frame || !pinched) return
      const most = Math.max(natural, pinched.fit * LARGEST)
      pinched.now = Math.min(most, Math.max(pinched.fit, (pinched.width * distance) / pinched.distance))
      if (!zoomed && pinched.now > pinched.fit * NEARLY_FITS) beginAt(element, pinched.width, onZoom)
      widen(element, frame, pinched.now, middle)
    },
    end: () => {
      const { pinched } = hold.current
      if (pinched && pinched.now <= pinched.fit * NEARLY_FITS) onZoom(false)
    },
  }
}

/** Makes the image `factor` times as wide around a point of the window; back in its place when it fits there. */
function scale(
  { box, zoomed, natural, onZoom }: ZoomOptions,
  hold: RefObject<Hold>,
  factor: number,
  under: Point,
): void {
  const element = box.current
  const frame = frameIn(element)
  if (!element || !frame) return
  const { width } = frame.getBoundingClientRect()
  if (!zoomed) {
    if (factor <= 1) return
    hold.current.fitted = width
    hold.current.pinched = { distance: 1, width, fit: width, now: width }
    beginAt(element, width, onZoom)
  }
  const { fitted } = hold.current
  const wanted = Math.min(Math.max(natural, fitted * LARGEST), width * factor)
  if (wanted <= fitted * NEARLY_FITS && factor < 1) onZoom(false)
  else widen(element, frame, wanted, under)
}

/** Zooms by the wheel and by + and −. */
function useWheelAndKeys(options: ZoomOptions, hold: RefObject<Hold>): void {
  const { box, zoomed } = options
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return
    const element = box.current
    const into = event.key === '+' || event.key === '='
    if (!element || element.closest('[inert]') || !(into || event.key === '-' || event.key === '−')) return
    event.preventDefault()
    const { left, top, width, height } = (
      zoomed ? element : (frameIn(element) ?? element)
    ).getBoundingClientRect()
    scale(options, hold, into ? STEP : 1 / STEP, { x: left + width / 2, y: top + height / 2 })
  })
  /** Over an image in its place the wheel scrolls what there is to scroll; pinched on a pad, it always zooms. */
  const onWheel = useEffectEvent((event: WheelEvent) => {
    const frame = frameIn(box.current)
    const overlay = box.current?.closest('[data-overlay]')
    const turn = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : 1)
    if (turn === 0 || !(event.target instanceof Node)) return
    const begins = (event.ctrlKey || overlay?.scrollTop === 0) && turn < 0 && frame?.contains(event.target)
    if (!zoomed && !begins) return
    event.preventDefault()
    const factor = STEP ** (-turn / STEP_OF_WHEEL)
    const step = Math.min(STEP, Math.max(1 / STEP, factor))
    scale(options, hold, step, { x: event.clientX, y: event.clientY })
  })
  useEffect(() => {
    const element = box.current
    if (!element) return
    const stop = new AbortController()
    const { signal } = stop
    element.addEventListener('wheel', (event) => onWheel(event), { passive: false, signal })
    document.addEventListener('keydown', (event) => onKey(event), { signal })
    return () => stop.abort()
  }, [box])
}

/** The image at the largest variant's own pixels, moved by scrolling, mouse, fingers or keys. */
export function useZoom(options: ZoomOptions) {
  const { box, zoomed, onZoom } = options
  const hold = useRef<Hold>({ part: CENTRE, moved: { current: false }, fitted: 0, pinched: null })
  useZoomedBox(options, hold)
  useWheelAndKeys(options, hold)
  const pinch = usePinch(options, hold)

  /** Into the image around a part of it, or back to its place. */
  const turn = (part: Point, width: number): void => {
    Object.assign(hold.current, { part, pinched: null, ...(zoomed ? {} : { fitted: width }) })
    onZoom(!zoomed)
  }
  return {
    pinch,
    onImageClick: (event: MouseEvent): void => {
      const { moved } = hold.current
      if (moved.current) {
        moved.current = false
        return
      }
      const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
      turn({ x: (event.clientX - left) / width, y: (event.clientY - top) / height }, width)
    },
    onButtonClick: (event: MouseEvent): void => {
      event.preventDefault()
      turn(CENTRE, frameIn(box.current)?.getBoundingClientRect().width ?? 0)
    },
  }
}
