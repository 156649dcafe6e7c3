import { messageForm } from '../lib/message-form.ts'

/** Where a message waits while its page is loaded again. */
const KEPT = 'atelier.message'

/** Keeps what was typed into the page's form for the page that takes its place. */
export function keepMessage(): void {
  const form = messageForm()
  try {
    if (form) sessionStorage.setItem(KEPT, JSON.stringify([...new FormData(form)]))
  } catch (error) {
    // Where nothing may be kept, what was typed is lost; the page stands still otherwise.
    console.warn(error)
  }
}

/** Loads the page again; what was typed into its form comes back with it. */
export function loadAgain(): void {
  keepMessage()
  location.reload()
}

/** Puts what was typed back into the form of a page that took the place of another. */
export function putBackMessage(): void {
  const form = messageForm()
  if (!form) return
  try {
    // Written above; fields that are no more are passed over.
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? '[]') as [string, string][]
    sessionStorage.removeItem(KEPT)
    for (const [name, value] of kept) {
      const field = form.elements.namedItem(name)
      if (
        field instanceof HTMLInputElement ||
        field instanceof HTMLSelectElement ||
        field instanceof HTMLTextAreaElement
      )
        field.value = value
    }
  } catch {
    // Nothing may be kept here, so there is nothing to put back.
  }
}
