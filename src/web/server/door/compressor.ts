import { pause } from '#application/kernel/retry.ts'
import type { CachedPage } from './cached-page.ts'

export interface CompressorOptions {
  /** ms that a page must have stood: one that is replaced at once, as in a row of changes, is not worth the work */
  debounceMs: number
  /** whether this page is still the one that is sent */
  isCurrent: (key: string, page: CachedPage) => boolean
  /** after the small forms are there */
  onCompressed: (key: string, page: CachedPage) => Promise<void>
  onError: (error: unknown) => void
}

interface Waiting {
  readonly key: string
  readonly page: CachedPage
  readonly since: number
}

/** Past these a page is asked for again before it is shrunk: one of a big gallery takes two seconds of a core. */
const mostWaiting = 4
const home = '/'

/**
 * Makes the small forms of pages behind the answers: one page after the other, so that it
 * never takes more than one core, a few that wait, the homepage first, and none that was replaced while it waited.
 */
export const createCompressor = ({ debounceMs, isCurrent, onCompressed, onError }: CompressorOptions) => {
  const seen = new WeakSet<CachedPage>()
  const closing = new AbortController()
  let waiting: Waiting[] = []
  let working: Promise<void> | null = null

  const compress = async ({ key, page, since }: Waiting): Promise<void> => {
    if (!isCurrent(key, page)) return
    await pause(Math.max(0, since + debounceMs - performance.now()), closing.signal)
    if (closing.signal.aborted || !isCurrent(key, page)) return
    try {
      await page.compress()
      await onCompressed(key, page)
    } catch (error) {
      onError(error)
    }
  }

  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await compress(next)
    working = null
  }

  return {
    /** Has the page's small forms made, once; the answers in between are the quick ones. */
    enqueue: (key: string, page: CachedPage): void => {
      if (closing.signal.aborted || seen.has(page)) return
      if (waiting.length >= mostWaiting) waiting = waiting.filter((each) => isCurrent(each.key, each.page))
      if (waiting.length >= mostWaiting && key !== home) return
      seen.add(page)
      const one = { key, page, since: performance.now() }
      if (key === home) waiting.unshift(one)
      else waiting.push(one)
      // Begun behind the answer.
      working ??= Promise.resolve().then(work)
    },
    /** Resolves when nothing is waiting or under way. */
    settled: async () => {
      while (working) await working
    },
    /** Drops what waits and takes nothing more; resolves when the page under way is done. */
    close: async () => {
      closing.abort()
      waiting = []
      await working
    },
  }
}
