import { messageForm } from '../lib/message-form.ts'
import { keepInTab, keptInTab } from './tab-storage.ts'

/** Where a message waits from one page to the next. */
const KEPT = 'atelier.message'

/** Keeps what stands in the page's form for the page that takes its place, whatever leads there. */
export function keepMessage(): void {
  const form = messageForm()
  if (form) keepInTab(KEPT, JSON.stringify([...new FormData(form)]))
}

/** Puts it into the form of that page, unless the page says that it was sent. What stands there already stays. */
export function putBackMessage(): void {
  const form = messageForm()
  if (!form || location.search.includes('contact=sent')) return
  // Written above; fields that are no more are passed over.
  for (const [name, value] of JSON.parse(keptInTab(KEPT) ?? '[]') as [string, string][]) {
    const field = form.elements.namedItem(name)
    if (field && 'value' in field) field.value ||= value
  }
}
