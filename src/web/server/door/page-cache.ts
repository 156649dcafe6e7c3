import type { CachedPage } from './cached-page.ts'

/** Room for a gallery of 500 works with a hundred of its pages, and for every page of an ordinary one. */
const roomBytes = 32 * 1024 * 1024

/**
 * Kept pages by key, one version of each: an outdated one stays until it is replaced, because it is what
 * goes out when the engines are silent. Past its room the pages kept longest go first, the homepage never.
 * @param room in bytes
 */
export const pageCache = (room: number = roomBytes) => {
  const pages = new Map<string, CachedPage>()
  let newest: string | null = null

  /** Counts again: a page grows by each form that is made of it. */
  const weigh = (): void => {
    let total = [...pages.values()].reduce((sum, page) => sum + page.size(), 0)
    for (const [key, page] of pages) {
      if (total <= room) return
      if (key === newest || key === '/') continue
      total -= page.size()
      pages.delete(key)
    }
  }

  return {
    get: (key: string) => pages.get(key),
    put: (key: string, page: CachedPage): void => {
      // Deleted first, so that a renewed page counts as the newest.
      pages.delete(key)
      pages.set(key, page)
      newest = key
      weigh()
    },
    weigh,
  }
}
