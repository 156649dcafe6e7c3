import { messageForm } from '../lib/message-form.ts'
import { keepInTab, keptInTab } from './tab-storage.ts'

/** Where a message waits while its page is loaded again. */
const KEPT = 'atelier.message'
/** The version of the data in the page that was loaded again by itself. */
const LOADED = 'atelier.loaded'

/** Keeps what was typed into the page's form for the page that takes its place. */
export function keepMessage(): void {
  const form = messageForm()
  if (form) keepInTab(KEPT, JSON.stringify([...new FormData(form)]))
}

/** Loads the page again; what was typed into its form comes back with it. */
export function loadAgain(): void {
  keepMessage()
  location.reload()
}

/**
 * Does so unless it was done for this version of the page's data: a page that is outdated again stays. Where nothing
 * may be kept, nobody could tell, and the page waits for a press.
 */
export function loadAgainOnce(version: string): void {
  if (keptInTab(LOADED) !== version && keepInTab(LOADED, version)) loadAgain()
}

/** Puts what was typed back into the form of a page that took the place of another. */
export function putBackMessage(): void {
  const form = messageForm()
  if (!form) return
  // Written above; fields that are no more are passed over.
  const kept = JSON.parse(keptInTab(KEPT) ?? '[]') as [string, string][]
  keepInTab(KEPT, '[]')
  for (const [name, value] of kept) {
    const field = form.elements.namedItem(name)
    if (field && 'value' in field) field.value = value
  }
}
