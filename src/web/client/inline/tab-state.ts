/**
 * How this tab stands with the stream. `knownTo` is the position up to which it has missed no change.
 * - `unopened`: nobody wants to hear of changes yet.
 * - `hidden`: it hears what other tabs post; whether that is everything, nobody knows.
 * - `asking`: it is shown, and no stream of its own has told yet what it missed meanwhile.
 * - `told`: one has. What other tabs post goes on from there.
 */
type Standing =
  | { readonly at: 'unopened' | 'hidden' | 'asking'; readonly knownTo: string | null }
  | { readonly at: 'told'; readonly knownTo: string }
/** `isAnew`: the next stream is one more, and follows no login or log-out of this tab. */
export type TabState = Standing & { readonly isAnew: boolean }

export type TabEvent =
  | { readonly type: 'wanted' | 'hidden' | 'shown' | 'opened' | 'reopened' }
  /** of a change, and up to where it is shown: by a stream of this tab, or by another tab */
  | { readonly type: 'told' | 'posted'; readonly position: string }

/** Whether a stream of this tab is open, or waits for its turn. */
export const isListening = ({ at }: TabState): boolean => at === 'asking' || at === 'told'

/** How the tab stands after that. */
export function tabAfter(tab: TabState, event: TabEvent): TabState {
  switch (event.type) {
    case 'wanted':
      return tab.at === 'unopened' ? { ...tab, at: 'hidden' } : tab
    case 'shown':
      return tab.at === 'hidden' ? { ...tab, at: 'asking' } : tab
    case 'hidden':
      return tab.at === 'unopened' ? tab : { ...tab, at: 'hidden' }
    case 'told':
      return isListening(tab) ? { ...tab, at: 'told', knownTo: event.position } : tab
    case 'posted':
      return tab.at === 'told' ? { ...tab, knownTo: event.position } : tab
    case 'opened':
      return { ...tab, isAnew: true }
    case 'reopened':
      return { ...tab, isAnew: false }
  }
}
