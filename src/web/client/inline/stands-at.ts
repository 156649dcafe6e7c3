import { categoryIn } from '../lib/page-data.ts'
import type { Program } from './program.ts'

/**
 * Whether the document still stands where it was made for. It does not when somebody went Back or Forward to another
 * address of the same document before the program was there.
 * @param current the document's own address
 */
export function standsAt(address: string, current: URL): boolean {
  const made = new URL(address, current)
  return made.pathname === current.pathname && categoryAt(made) === categoryAt(current)
}

const categoryAt = (address: URL): string | null => categoryIn(address.searchParams.get('category'))

/**
 * Loads the page again when the document has come to stand at an address that it was not made for, as long as there
 * is no program that could show the right one.
 * @param address the document was made for; null: any but the one it was met at
 */
export function reloadWhenElsewhere(address: string | null, program: Program): void {
  const made = address ?? location.href
  const look = (event: Event): void => {
    if ((address !== null && program.state() === 'ready') || standsAt(made, new URL(location.href))) return
    event.stopImmediatePropagation()
    // The program lets the page below an artwork stay where it is (`app/keep-place.ts`).
    history.scrollRestoration = 'auto'
    location.reload()
  }
  addEventListener('popstate', look, true)
}
