/** After everything that somebody waits for. */
export const later = (work: () => void): void => {
  if ('requestIdleCallback' in window) requestIdleCallback(work)
  else setTimeout(work, 2_000)
}
