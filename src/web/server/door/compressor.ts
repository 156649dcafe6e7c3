import { setTimeout as pause } from 'node:timers/promises'
import type { CachedPage } from './cached-page.ts'

export type Compressor = {
  /** Has the page's small forms made, once; the answers in between are the quick ones. */
  readonly enqueue: (key: string, page: CachedPage) => void
  /** Resolves when nothing is waiting or under way. */
  readonly settled: () => Promise<void>
}

export type CompressorOptions = {
  /** ms that a page must have stood: one that is replaced at once, as in a row of changes, is not worth the work */
  debounceMs: number
  /** whether this page is still the one that is sent */
  isCurrent: (key: string, page: CachedPage) => boolean
  /** after the small forms are there */
  onCompressed: (key: string, page: CachedPage) => Promise<void>
  onError: (error: unknown) => void
}

/**
 * Makes the small forms of pages behind the answers: one page after the other, so that it
 * never takes more than one core, and none that was replaced while it waited.
 */
export function createCompressor({
  debounceMs,
  isCurrent,
  onCompressed,
  onError,
}: CompressorOptions): Compressor {
  const seen = new WeakSet<CachedPage>()
  let queue: Promise<void> = Promise.resolve()

  const compress = async (key: string, page: CachedPage, since: number): Promise<void> => {
    if (!isCurrent(key, page)) return
    await pause(Math.max(0, since + debounceMs - performance.now()))
    if (!isCurrent(key, page)) return
    try {
      await page.compress()
      await onCompressed(key, page)
    } catch (error) {
      onError(error)
    }
  }

  return {
    enqueue: (key, page) => {
      if (seen.has(page)) return
      seen.add(page)
      const since = performance.now()
      queue = queue.then(() => compress(key, page, since))
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
