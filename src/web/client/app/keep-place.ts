/**
 * The page stays where it is below an open artwork or the menu. When Back closes it, the browser must therefore not scroll
 * the page to where it would have been, nor to the anchor in its address, which would also take the focus away.
 * Call it just before its own entry is pushed: the mode belongs to the entry that is left.
 */
export function keepPlace(): void {
  window.history.scrollRestoration = 'manual'
}

/** That entry keeps its place, also when the page is loaded again there. Call it when it was pushed. */
export function keepOwnPlace(): void {
  window.history.scrollRestoration = 'auto'
}

/**
 * The browser restores places again, as everywhere else. Call it when the page's own entry is back; the browser
 * looks at the mode with its next frame, hence the wait. `then` follows.
 */
export function restorePlaces(then?: () => void): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      window.history.scrollRestoration = 'auto'
      then?.()
    }),
  )
}
