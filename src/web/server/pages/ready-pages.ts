import {
  type PageAsked,
  type CachedPage,
  formOf,
  cacheRendered,
  type PageAnswer,
  type Rendered,
} from '../door/cached-page.ts'
import { createCompressor } from '../door/compressor.ts'
import { openLane } from '../door/lane.ts'
import { pageCache } from '../door/page-cache.ts'
import { keyGuess } from './address.ts'
import { type MadeBy, openHomeOnDisk } from './home-on-disk.ts'
import { siteTexts } from './texts.ts'
import type { Snapshot } from './rendering.ts'

const homePath = '/'
/** Of these there is one each, so that strangers cannot have many made: they go before the others, and are never refused. */
const singles: readonly string[] = [
  homePath,
  keyGuess('/', 'contact=sent'),
  '/admin',
  'not-found',
  ...Object.keys(siteTexts),
]
/** Between two renderings: each leaves nobody else a turn, for a tenth of a second in a gallery of 500 artworks. */
const longestPauseMs = 250

type Make = () => Promise<Rendered>

/** What a page is made of, and how. */
interface Making extends Pick<Snapshot, 'version' | 'nth'> {
  readonly make: Make
}

/** A page to be made, until it is begun of the newest snapshot that anybody has who asked for it. */
interface Order {
  /** in the lane */
  readonly name: string
  of: Making
  /** by the form in which it is asked for */
  readonly asked: Map<string, PageAsked>
  /** who wait for it */
  askers: number
}

/** Pages that stand ready: made one after the other, kept in memory, compressed behind their readers' backs. */
export const openReadyPages = (options: {
  /** headers of every page */
  readonly common: Record<string, string>
  /** names what a page on the disk was made by */
  readonly made: MadeBy
  /** nothing is kept: the next request may be rendered by other code */
  readonly dev: boolean
  readonly folder: string | undefined
  readonly debounceMs: number
  readonly onError: (error: unknown) => void
}) => {
  const { common, made, dev, debounceMs, onError } = options
  const disk = options.folder === undefined || dev ? null : openHomeOnDisk(options.folder, made, onError)
  const cache = pageCache()
  const lane = openLane<CachedPage>({ longestPauseMs })
  const compressor = createCompressor({
    debounceMs,
    isCurrent: (key, page) => cache.get(key) === page,
    onCompressed: async (key, page) => {
      cache.weigh()
      if (key === homePath) await disk?.write(page)
    },
    onError,
  })

  const renderAndPut = async (key: string, { version, make }: Making): Promise<CachedPage> => {
    const page = cacheRendered(await make(), version, common)
    if (dev) return page
    const before = cache.get(key)
    // A change that this page does not show leaves its bytes, and its small forms, as they were.
    const small = before?.contentHash === page.contentHash ? before.compressed() : null
    if (small) page.adopt(small)
    cache.put(key, page)
    // The homepage is asked for again; any other page shows by being asked for twice that it is worth it.
    if (key === homePath || small) compressor.enqueue(key, page)
    return page
  }

  /** by the key of their page; of each at most one is begun, and one waits */
  const begun = new Map<string, Order>()
  const waiting = new Map<string, Order>()
  let orders = 0

  /**
   * The order of a page that is as new as what it would be made of now. While changes come faster than pages are made each reader
   * would else wait for a page of their own, of which all but the last are outdated.
   */
  const orderOf = (key: string, making: Making): Order => {
    const current = begun.get(key)
    if (current && current.of.nth >= making.nth) return current
    const next = waiting.get(key)
    if (next) {
      if (making.nth > next.of.nth) next.of = making
      return next
    }
    orders += 1
    const order: Order = { name: `${orders} ${key}`, of: making, asked: new Map(), askers: 0 }
    waiting.set(key, order)
    return order
  }

  const carryOut = async (key: string, order: Order): Promise<CachedPage> => {
    if (waiting.get(key) === order) waiting.delete(key)
    begun.set(key, order)
    try {
      const page = await renderAndPut(key, order.of)
      // Of what goes first a form that has a turn of its own would have others wait for it once more.
      if (singles.includes(key)) for (const asked of order.asked.values()) await page.prepare(asked)
      return page
    } finally {
      begun.delete(key)
    }
  }

  /** What comes out of the lane has the form that was asked for: nothing waits beside it for its compression. */
  const inLane = (
    name: string,
    asked: PageAsked,
    make: () => Promise<CachedPage>,
    first = false,
  ): Promise<CachedPage> =>
    lane.take(
      name,
      async () => {
        const page = await make()
        await page.prepare(asked)
        cache.weigh()
        return page
      },
      { reader: asked.reader, first },
    )

  return {
    get: cache.get,
    /** The page's answer; a form of it that is not ready takes its place in the lane. */
    answer: async (page: CachedPage, asked: PageAsked): Promise<PageAnswer> => {
      for (;;) {
        const ready = page.answer(asked)
        if (ready) return ready
        const isSingle = singles.some((key) => cache.get(key) === page)
        await inLane(`${page.contentHash} ${formOf(asked)}`, asked, async () => page, isSingle)
      }
    },
    /** Renders once for all who ask at the same time, caches the page and compresses it behind their backs. */
    keep: async (key: string, asked: PageAsked, making: Making): Promise<CachedPage> => {
      const kept = cache.get(key)
      if (kept?.version === making.version) return kept
      const order = orderOf(key, making)
      order.asked.set(formOf(asked), asked)
      order.askers += 1
      try {
        return await inLane(order.name, asked, () => carryOut(key, order), singles.includes(key))
      } finally {
        order.askers -= 1
        // It may have been refused; one that some have left is still that of the others.
        if (order.askers === 0 && waiting.get(key) === order) waiting.delete(key)
      }
    },
    /** Renders a page that nobody keeps. */
    makeOnce: (name: string, version: string, asked: PageAsked, make: Make): Promise<CachedPage> =>
      inLane(name, asked, async () => cacheRendered(await make(), version, common)),
    fromDisk: async (key: string, version: string): Promise<CachedPage | null> => {
      if (!disk || key !== homePath || cache.get(key)) return null
      const page = await disk.read(version, common)
      if (page) cache.put(key, page)
      return page
    },
    /** It was asked for once more: its small forms are worth making. */
    compress: compressor.enqueue,
    settled: compressor.settled,
    close: async (): Promise<void> => {
      await compressor.close()
      // Asked for a moment ago, and not compressed yet: the next start has it all the same.
      const home = cache.get(homePath)
      if (home && disk?.holds(home) === false) await disk.write(home)
    },
  }
}
