import { messageForm } from '../lib/message-form.ts'
import { keepInTab, keptInTab } from '../lib/tab-storage.ts'

/** Where a message waits from one page to the next. */
const KEPT = 'atelier.message'

/** Keeps what stands in the page's form for the page that takes its place, whatever leads there. */
export function keepMessage(): void {
  const form = messageForm()
  if (form) keepInTab(KEPT, JSON.stringify([...new FormData(form)]))
}

/** Whether the page says that it was sent. Loaded again, or come back to, it may hold another one by now. */
const isSent = (): boolean =>
  location.search.includes('contact=sent') &&
  // There is one in every browser; its type is the navigation's alone.
  (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).type === 'navigate'

/**
 * Puts it into the form of that page, unless the page says that it was sent. What stands there already stays. A message
 * begins with a key (spec M-24), which goes along with it.
 */
export function putBackMessage(): void {
  const kept = isSent() ? null : keptInTab(KEPT)
  // Written above; fields that are no more are passed over.
  const fields = JSON.parse(kept ?? '[]') as [string, string][]
  for (const [name, value] of [...fields, ['key', String(performance.timeOrigin)] as const]) {
    const field = messageForm()?.elements.namedItem(name)
    if (field && 'value' in field) field.value ||= value
  }
}
