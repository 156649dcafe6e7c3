/** Nobody wants to hear of changes yet. */
export const UNOPENED = 0
/** The tab hears what others post; whether that is everything, nobody knows. */
export const HIDDEN = 1
/** It is shown: a stream of its own is open or waits for its turn, and has not told yet what was missed meanwhile. */
export const ASKING = 2
/** It has. What other tabs post goes on from there. */
export const TOLD = 3

/** How a tab stands with the change stream, each further than the one before: from `ASKING` on it listens. */
export type TabState = typeof UNOPENED | typeof HIDDEN | typeof ASKING | typeof TOLD

/** After it was hidden or shown, once somebody wants to hear. */
export const tabAfter = (tab: TabState, isHidden: boolean): TabState =>
  isHidden ? HIDDEN : tab < ASKING ? ASKING : tab
