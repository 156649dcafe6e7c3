import { useEffect } from 'react'

/** ms in which the same key, pressed again, or another tap at the same place belongs to the press before */
const SAME_PRESS_MS = 500
/** CSS pixels around a tap: less than from one button to the next */
const SAME_PLACE_PX = 20

type Press = {
  /** what was pressed: the same as long as it would do the same */
  what: unknown
  /** by its click */
  by: Click
  /** ms */
  at: number
}

type Click = Pick<PointerEvent, 'detail' | 'timeStamp' | 'clientX' | 'clientY' | 'pointerType'>

/**
 * Tells a double click, a key that is held and a key that is pressed twice at once from two presses. The first one may
 * bring something else under the pointer or the focus: that was not meant. The same thing may be pressed as quickly as
 * anybody likes.
 */
export function createPresses() {
  let meant: Press | null = null
  let isHeld = false
  return {
    /** Whether this click is to do something. By a key it has the `detail` 0. */
    isMeant: (what: unknown, event: Click): boolean => {
      const { detail, timeStamp: at, clientX, clientY, pointerType } = event
      const before = meant
      const isByKey = detail === 0
      const isFollowing =
        before !== null &&
        before.what !== what &&
        (before.by.detail === 0) === isByKey &&
        ((isByKey ? isHeld : detail > 1) ||
          (at - before.at < SAME_PRESS_MS &&
            (isByKey ||
              // Safari counts each tap of a double one as the first.
              (pointerType !== 'mouse' &&
                Math.hypot(clientX - before.by.clientX, clientY - before.by.clientY) < SAME_PLACE_PX))))
      // Until a pause, whatever comes is compared with what was meant.
      meant = isFollowing ? { ...before, at } : { what, by: event, at }
      return !isFollowing
    },
    /** A key goes down, or stays there. */
    hear: ({ key, repeat }: Pick<KeyboardEvent, 'key' | 'repeat'>): void => {
      // Space presses once, when it is let go.
      isHeld = repeat && key === 'Enter'
      // Another key says that what is pressed next was gone to.
      if (key !== 'Enter' && key !== ' ') meant = null
    },
  }
}

/**
 * A button by what it does and what it is about (`data-of`, where its name does not say that), since it may be drawn anew
 * at another place; one without either by itself. A switch stays the same, whichever way it stands: of quick taps on it
 * the last one counts.
 */
export function whatOf(button: Pick<Element, 'getAttribute' | 'closest'>): unknown {
  const name = button.getAttribute('aria-label')
  const about = button.getAttribute('data-of')
  if (name === null && about === null) return button
  const entry = button.closest<HTMLElement>('[data-movable]')?.dataset['movable']
  return [entry, name, about].join(' ')
}

/** While the dashboard stands, and as it goes, a double click or a held key presses one button, also where another one comes to its place. */
export function useOnePress(): void {
  useEffect(() => {
    const { hear, isMeant } = createPresses()
    const stop = new AbortController()
    const options = { capture: true, signal: stop.signal }
    const onClick = (event: PointerEvent): void => {
      const { target } = event
      // What a label stands for is pressed right after it.
      if (!(target instanceof Element) || target.closest('label')) return
      const button = target.closest('button')
      if (isMeant(button && whatOf(button), event)) return
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener('keydown', hear, options)
    document.addEventListener('click', onClick, options)
    // The press that closes the dashboard may be a double one.
    return () => void setTimeout(() => stop.abort(), SAME_PRESS_MS)
  }, [])
}
