/// <reference lib="dom" />
import type { Page } from 'playwright'

/** How much moved by itself, summed up as browsers score it, and what did, for whoever looks for the reason. */
export interface Shifts {
  readonly score: number
  readonly moved: readonly string[]
}

/** Not in TypeScript's library: https://wicg.github.io/layout-instability/ */
interface LayoutShift extends PerformanceEntry {
  readonly value: number
  readonly hadRecentInput: boolean
  readonly sources: readonly {
    readonly node: Node | null
    readonly previousRect: DOMRectReadOnly
    readonly currentRect: DOMRectReadOnly
  }[]
}

/** Watches whatever is opened in this page from now on. Gives how much has moved since the last opening. */
export async function watchShifts(page: Page): Promise<() => Promise<Shifts>> {
  await page.addInitScript(() => {
    const shifts: { score: number; moved: string[] } = { score: 0, moved: [] }
    Object.assign(window, { shifts })
    const nameOf = (node: Node | null): string => {
      const element = node instanceof Element ? node : (node?.parentElement ?? null)
      return element === null ? '' : `${element.closest('[id]')?.id} ${element.tagName} ${element.className}`
    }
    new PerformanceObserver((list) => {
      // What is observed below has this type.
      for (const { value, hadRecentInput, sources } of list.getEntries() as LayoutShift[]) {
        if (hadRecentInput) continue
        shifts.score += value
        for (const { node, previousRect: from, currentRect: to } of sources)
          shifts.moved.push(`${nameOf(node)}: ${from.x}, ${from.y} to ${to.x}, ${to.y}`)
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () => page.evaluate(() => (window as unknown as { shifts: Shifts }).shifts) // put there above
}
