/**
 * Gives the focus back when a dialog closes: to what had it before, else, when that has gone meanwhile, to a
 * sensible neighbour. Radix itself only knows triggers of its own.
 */
export function giveFocusBack(opener: Element | null, neighbour: HTMLElement | null): void {
  const target =
    opener instanceof HTMLElement && opener.isConnected && opener !== document.body ? opener : neighbour
  target?.focus()
}
