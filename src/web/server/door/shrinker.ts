import { setTimeout as pause } from 'node:timers/promises'
import type { KeptPage } from './kept-page.ts'

export type Shrinker = {
  /** Has the page's small forms made, once; the answers in between are the quick ones. */
  readonly enqueue: (key: string, page: KeptPage) => void
  /** Resolves when nothing is waiting or under way. */
  readonly settled: () => Promise<void>
}

export type ShrinkerOptions = {
  /** ms that a page must have stood: one that is replaced at once, as in a row of changes, is not worth the work */
  calm: number
  /** whether this page is still the one that is sent */
  isCurrent: (key: string, page: KeptPage) => boolean
  /** after the small forms are there */
  onShrunk: (key: string, page: KeptPage) => Promise<void>
  onError: (error: unknown) => void
}

/**
 * Makes the small forms of pages behind the answers: one page after the other, so that it
 * never takes more than one core, and none that was replaced while it waited.
 */
export function createShrinker({ calm, isCurrent, onShrunk, onError }: ShrinkerOptions): Shrinker {
  const seen = new WeakSet<KeptPage>()
  let queue: Promise<void> = Promise.resolve()

  const shrink = async (key: string, page: KeptPage, since: number): Promise<void> => {
    if (!isCurrent(key, page)) return
    await pause(Math.max(0, since + calm - performance.now()))
    if (!isCurrent(key, page)) return
    try {
      await page.shrink()
      await onShrunk(key, page)
    } catch (error) {
      onError(error)
    }
  }

  return {
    enqueue: (key, page) => {
      if (seen.has(page)) return
      seen.add(page)
      const since = performance.now()
      queue = queue.then(() => shrink(key, page, since))
    },
    settled: async () => {
      let last: Promise<void>
      do {
        last = queue
        await last
      } while (last !== queue)
    },
  }
}
