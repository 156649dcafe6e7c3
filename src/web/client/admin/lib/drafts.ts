/**
 * What was typed and not saved waits in this browser. One draft a form, by name.
 */

export type Draft<T> = { savedAt: string; value: T }

const keyOf = (name: string): string => `atelier.draft.${name}`

/** Keeps a draft; a browser that refuses (private mode, full) only costs the offer after a crash. */
export function keepDraft(name: string, value: unknown, now: Date): void {
  try {
    localStorage.setItem(keyOf(name), JSON.stringify({ savedAt: now.toISOString(), value }))
  } catch (error) {
    console.warn('The draft could not be kept', error)
  }
}

/** The draft of that name; null when there is none or it cannot be read. */
export function draftOf<T>(name: string): Draft<T> | null {
  try {
    const text = localStorage.getItem(keyOf(name))
    const draft: unknown = text === null ? null : JSON.parse(text)
    if (typeof draft !== 'object' || draft === null || !('value' in draft) || !('savedAt' in draft))
      return null
    if (typeof draft.savedAt !== 'string') return null
    // Written under this name only by keepDraft, with the form's own edits.
    return { savedAt: draft.savedAt, value: draft.value as T }
  } catch (error) {
    console.warn('The draft could not be read', error)
    return null
  }
}

export function dropDraft(name: string): void {
  try {
    localStorage.removeItem(keyOf(name))
  } catch (error) {
    console.warn('The draft could not be dropped', error)
  }
}

/** The names of the drafts that begin with `prefix`, e.g. those of all artworks. */
export function draftNames(prefix: string): readonly string[] {
  try {
    const begin = keyOf(prefix)
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(begin))
      .map((key) => key.slice(keyOf('').length))
      .toSorted()
  } catch (error) {
    console.warn('The drafts could not be read', error)
    return []
  }
}
