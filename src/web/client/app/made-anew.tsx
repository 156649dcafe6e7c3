import { type ReactNode, useEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'

/** What tells elements of one kind apart, whatever words stand in them. */
const TELLING = ['href', 'name', 'type', 'aria-haspopup'] as const

/** Finds what stands in the place of an element once the container was made anew. */
const placeOf = (element: Element, container: Element): (() => Element | undefined) => {
  const attributes = TELLING.flatMap((name) => {
    const value = element.getAttribute(name)
    return value === null ? [] : [`[${name}="${CSS.escape(value)}"]`]
  })
  const alike = element.localName + attributes.join('')
  const at = [...container.querySelectorAll(alike)].indexOf(element)
  return () => container.querySelectorAll(alike)[at]
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const isText = (element: unknown): element is HTMLInputElement | HTMLTextAreaElement =>
  (element instanceof HTMLInputElement && element.selectionStart !== null) ||
  element instanceof HTMLTextAreaElement

/** What of a page is seen to stay where it is: kinds that no browser or extension puts into one. */
const PLACES = 'a, p, li, h1, h2, h3, label, form, section'

/** @returns brings back what was done before: what was typed, the focus with its caret, where the page stood, a held press */
function keepUse(container: Element): () => void {
  const fields = [...container.querySelectorAll<Field>('input, textarea, select')].map((field) => ({
    find: placeOf(field, container),
    value: field.value,
  }))
  const { activeElement } = document
  const focused = activeElement && container.contains(activeElement) ? activeElement : null
  const findFocused = focused && placeOf(focused, container)
  const caret = isText(focused) ? ([focused.selectionStart, focused.selectionEnd] as const) : null
  const pressed = container.querySelector('[data-pressed]')
  const findPressed = pressed && placeOf(pressed, container)
  const seen = document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest(PLACES)
  const findSeen = seen && container.contains(seen) ? placeOf(seen, container) : null
  const top = seen?.getBoundingClientRect().top ?? 0
  return () => {
    for (const { find, value } of fields) {
      const field = find()
      if (field && 'value' in field) field.value = value
    }
    const now = findFocused?.()
    if (now instanceof HTMLElement) now.focus({ preventScroll: true })
    if (caret && isText(now)) now.setSelectionRange(...caret)
    // Above it the heights of what was left out may be guessed anew.
    const seenAt = findSeen?.()?.getBoundingClientRect().top ?? top
    window.scrollBy({ top: seenAt - top, behavior: 'instant' })
    // It is held as the press before was, until the program is ready.
    const again = findPressed?.()
    if (again instanceof HTMLElement) again.click()
  }
}

/**
 * Takes over a page that is not as it was sent: the browser has translated its words, or an extension has put something into
 * it, so that it cannot be hydrated. It is made anew, with all that was done in it, and browser or extension do theirs again.
 * @param app is taken over when it is there
 */
export function renderAnew(container: Element, app: ReactNode): void {
  const root = createRoot(container)
  // In one go: what is typed between the two would be lost.
  flushSync(() =>
    root.render(
      <>
        {app}
        <BringsBack use={keepUse(container)} />
      </>,
    ),
  )
}

function BringsBack({ use }: { use: () => void }) {
  useEffect(use, [use])
  return null
}
