import type { KeptPage } from './kept-page.ts'

export type Shrinker = {
  /** Has the page's small forms made, once; the answers in between are the quick ones. */
  readonly enqueue: (key: string, page: KeptPage) => void
  /** Resolves when nothing is waiting or under way. */
  readonly settled: () => Promise<void>
}

export type ShrinkerOptions = {
  /** whether this page is still the one that is sent */
  isCurrent: (key: string, page: KeptPage) => boolean
  /** after the small forms are there */
  onShrunk: (key: string, page: KeptPage) => Promise<void>
  onError: (error: unknown) => void
}

/**
 * Makes the small forms of pages behind the answers (decisions 112): one page after the other, so that it
 * never takes more than one core, and none that was replaced while it waited.
 */
export function createShrinker({ isCurrent, onShrunk, onError }: ShrinkerOptions): Shrinker {
  const seen = new WeakSet<KeptPage>()
  let queue: Promise<void> = Promise.resolve()

  const shrink = async (key: string, page: KeptPage): Promise<void> => {
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
      queue = queue.then(() => shrink(key, page))
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
