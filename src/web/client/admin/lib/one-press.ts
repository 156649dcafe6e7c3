import { useEffect } from 'react'

/** ms in which the same key, pressed again, belongs to the press before */
const SAME_PRESS_MS = 500

type Press = {
  /** what was pressed: the same as long as it would do the same */
  what: unknown
  by: 'pointer' | 'key'
  /** ms */
  at: number
}

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
    isMeant: (what: unknown, { detail, timeStamp }: Pick<UIEvent, 'detail' | 'timeStamp'>): boolean => {
      const press: Press = { what, by: detail === 0 ? 'key' : 'pointer', at: timeStamp }
      const isRepeat = press.by === 'key' ? isHeld : detail > 1
      const isFollowing =
        meant !== null &&
        press.by === meant.by &&
        (isRepeat || (press.by === 'key' && press.at - meant.at < SAME_PRESS_MS))
      if (isFollowing && meant !== null && press.what !== meant.what) {
        // Until a pause, whatever comes is compared with what was meant.
        meant = { ...meant, at: press.at }
        return false
      }
      meant = press
      return true
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
 * A button by what it does, since it may be drawn anew at another place; one without a name of its own by itself, or by
 * what it is about (`data-of`) where that changes. A switch stays the same, whichever way it stands: of quick taps on it
 * the last one counts.
 */
export function whatOf(button: Pick<Element, 'getAttribute' | 'closest'>): unknown {
  const name = button.getAttribute('aria-label') ?? button.getAttribute('data-of')
  if (name === null) return button
  const entry = button.closest<HTMLElement>('[data-movable]')?.dataset['movable']
  return [entry, name].join(' ')
}

/** While the dashboard stands, a double click or a held key presses one button, also where another one comes to its place. */
export function useOnePress(): void {
  useEffect(() => {
    const { hear, isMeant } = createPresses()
    const stop = new AbortController()
    const options = { capture: true, signal: stop.signal }
    const onClick = (event: MouseEvent): void => {
      const button = event.target instanceof Element ? event.target.closest('button') : null
      if (isMeant(button === null ? null : whatOf(button), event) || button === null) return
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener('keydown', hear, options)
    document.addEventListener('click', onClick, options)
    return () => stop.abort()
  }, [])
}
