/**
 * Safari refuses more than a hundred addresses in ten seconds, as a held arrow key asks for them, and a router that was
 * refused one changes none any more. A refused replacement is passed over, for the next one takes its place; what a
 * refused new entry leads to is loaded. Call it before the router is made.
 * @param load goes to an address as a link does
 */
export function passOverRefusedAddresses(
  history: Pick<History, 'pushState' | 'replaceState'>,
  load: (address: string | URL) => void,
): void {
  for (const way of ['pushState', 'replaceState'] as const) {
    const change = history[way].bind(history)
    history[way] = (state, unused, address) => {
      try {
        change(state, unused, address)
      } catch {
        if (address && way === 'pushState') load(address)
      }
    }
  }
}
