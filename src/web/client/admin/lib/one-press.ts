import { useEffect } from 'react'

/** ms in which the same key, pressed again, belongs to the press before */
const SAME_PRESS_MS = 500

type Press = {
  /** what was pressed: the same as long as it would do the same */
  what: unknown
  by: 'pointer' | 'key'
  /** the second of a double click, or a key that is held */
  isRepeat: boolean
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
  return {
    /** Whether this press is to do something. */
    isMeant: (press: Press): boolean => {
      const isFollowing =
        meant !== null &&
        press.by === meant.by &&
        (press.isRepeat || (press.by === 'key' && press.at - meant.at < SAME_PRESS_MS))
      if (isFollowing && meant !== null && press.what !== meant.what) {
        // Until a pause, whatever comes is compared with what was meant.
        meant = { ...meant, at: press.at }
        return false
      }
      meant = press
      return true
    },
    /** Another key says that what is pressed now was gone to. */
    forget: (): void => {
      meant = null
    },
  }
}

/**
 * A button by what it does, since it may be drawn anew at another place; one without a name of its own by itself. A
 * switch stays the same, whichever way it stands: of quick taps on it the last one counts.
 */
function whatOf(button: Element): unknown {
  const name = button.getAttribute('aria-label')
  if (name === null) return button
  const entry = button.closest<HTMLElement>('[data-movable]')?.dataset['movable']
  return [entry, name, button.getAttribute('aria-pressed')].join(' ')
}

/** While the dashboard stands, a double click or a held key presses one button, also where another one comes to its place. */
export function useOnePress(): void {
  useEffect(() => {
    const presses = createPresses()
    const stop = new AbortController()
    const options = { capture: true, signal: stop.signal }
    let isHeld = false
    const onKey = ({ key, repeat }: KeyboardEvent): void => {
      isHeld = repeat
      if (key !== 'Enter' && key !== ' ') presses.forget()
    }
    const onClick = (event: MouseEvent): void => {
      const button = event.target instanceof Element ? event.target.closest('button') : null
      const by = event.detail === 0 ? 'key' : 'pointer'
      const isRepeat = by === 'key' ? isHeld : event.detail > 1
      const what = button === null ? null : whatOf(button)
      if (presses.isMeant({ what, by, isRepeat, at: event.timeStamp }) || button === null) return
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener('keydown', onKey, options)
    document.addEventListener('click', onClick, options)
    return () => stop.abort()
  }, [])
}
