import { useEffect, useState } from 'react'

const MOMENT_MS = 2_000

/**
 * Copies text, and says for two seconds what came of it.
 * @param done what is said of text that was copied
 * @returns `said` is null while there is nothing to say; `isDone` that it was copied a moment ago
 */
export function useCopied(done: string): {
  copy: (text: string) => Promise<void>
  said: string | null
  isDone: boolean
} {
  const [outcome, setOutcome] = useState<{ ok: boolean } | null>(null)
  useEffect(() => {
    if (!outcome) return
    const wait = setTimeout(() => setOutcome(null), MOMENT_MS)
    return () => clearTimeout(wait)
  }, [outcome])
  return {
    copy: async (text) => setOutcome({ ok: await copyText(text) }),
    said: outcome && (outcome.ok ? done : 'Please copy it by hand'),
    isDone: outcome?.ok ?? false,
  }
}

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
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // No permission, or no clipboard on this page: the older way may still work.
    return copyBySelection(text)
  }
}
