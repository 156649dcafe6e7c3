/** Copies without the clipboard's own interface, which pages without TLS do not get. */
function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.setAttribute('aria-hidden', 'true')
  field.style.setProperty('position', 'fixed')
  field.style.setProperty('opacity', '0')
  const before = document.activeElement
  const place = document.querySelector('[data-overlay]') ?? document.body
  place.append(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  return done
}

/** Puts text on the clipboard; false when the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // No permission, or no clipboard on this page: the older way may still work.
    return copyBySelection(text)
  }
}
