/** When the whole document is there, in a task of its own: the browser lays the page out in the one in which it is. */
export const parsed = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.readyState === 'loading') addEventListener('DOMContentLoaded', () => setTimeout(resolve))
    else resolve()
  })

/** Whether somebody wants no more fetched than is needed. Not every browser tells; the name is not in TypeScript's library. */
export const savesData = (): boolean | undefined =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData

/** After everything that somebody waits for; browsers without idle callbacks get a plain delay. */
export function whenIdle(work: () => void): void {
  const soon = (): void => {
    if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 5_000 })
    else setTimeout(work, 2_000)
  }
  if (document.readyState === 'complete') soon()
  else addEventListener('load', soon)
}
