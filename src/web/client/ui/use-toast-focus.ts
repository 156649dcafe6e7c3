import { type RefObject, useEffect, useState } from 'react'

/**
 * Lets the keyboard reach the messages: F8 leads to the first button of the one that is shown, also out of a modal
 * dialog, which else holds the focus. When it goes, the focus returns to where it was.
 * @returns whether the focus is on the messages
 */
export function useToastFocus(toasts: RefObject<HTMLElement | null>): boolean {
  const [focused, setFocused] = useState(false)
  useEffect(() => {
    const element = toasts.current
    if (!element) return
    let before: Element | null = null
    const stop = new AbortController()
    const { signal } = stop
    const isInside = (target: EventTarget | null): boolean =>
      target instanceof Node && element.contains(target)
    const giveBack = (): void => {
      setFocused(false)
      if (before instanceof HTMLElement && before.isConnected) before.focus()
      before = null
    }
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'F8') return
      const button = element.querySelector('button')
      if (!button) return
      if (!isInside(document.activeElement)) before = document.activeElement
      button.focus()
    }
    // A dialog pulls back the focus that it hears leave: it must not hear of this way.
    const onLeave = (event: FocusEvent): void => {
      if (isInside(event.relatedTarget) && !isInside(event.target)) event.stopPropagation()
    }
    const onIn = (event: FocusEvent): void => {
      event.stopPropagation()
      if (!isInside(event.relatedTarget) && event.relatedTarget instanceof Element)
        before = event.relatedTarget
      setFocused(true)
    }
    const onOut = (event: FocusEvent): void => {
      if (isInside(event.relatedTarget)) return
      setFocused(false)
    }
    // A message that goes takes the focus with it, and no event tells.
    const changes = new MutationObserver(() => {
      if (before && !isInside(document.activeElement) && document.activeElement === document.body) giveBack()
    })
    changes.observe(element, { childList: true, subtree: true })
    document.addEventListener('keydown', onKey, { signal })
    // A press here leaves the focus where one types.
    element.addEventListener('mousedown', (event) => event.preventDefault(), { signal })
    document.addEventListener('focusout', onLeave, { signal, capture: true })
    element.addEventListener('focusin', onIn, { signal })
    element.addEventListener('focusout', onOut, { signal })
    return () => {
      changes.disconnect()
      stop.abort()
    }
  }, [toasts])
  return focused
}
