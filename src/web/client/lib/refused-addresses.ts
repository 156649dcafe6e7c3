/**
 * Safari refuses more than a hundred addresses in ten seconds, as a held arrow key asks for them, and a router that was
 * refused one changes none any more. A refused replacement is passed over, for the next one takes its place; what a
 * refused new entry leads to is loaded. Call it before the router is made.
 */
export function passOverRefusedAddresses(): void {
  for (const way of ['pushState', 'replaceState'] as const) {
    const change = history[way].bind(history)
    history[way] = (...asked) => {
      try {
        change(...asked)
      } catch {
        if (asked[2] && way === 'pushState') location.assign(asked[2])
      }
    }
  }
}
