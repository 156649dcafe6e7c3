/** What is kept under `key` until the tab is closed; null where that is nothing, or nothing may be kept. */
export function keptInTab(key: string): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

/** Keeps `value` until the tab is closed. @returns whether it may be kept here: the page works without it */
export function keepInTab(key: string, value: string): boolean {
  try {
    sessionStorage.setItem(key, value)
    return true
  } catch {
    return false
  }
}
