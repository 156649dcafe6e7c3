import {
  BlogFeedError,
  type BlogFeed,
  type CrawlMemory,
  type CrawlOptions,
  type CrawlResult,
  type FeedEntry,
} from '#application/journal/ports/blog-feed.ts'
import { readableTitle } from '#application/journal/readable-post.ts'
import { SafeFetchError, type SafeFetch } from '#application/kernel/ports/safe-fetch.ts'
import { plainText } from '../html/plain-text.ts'
import { readOn } from '../html/cut.ts'
import { bloggerFeedOf, isBloggerFeed, pageSizes } from './addresses.ts'
import { isComplete } from './page.ts'
import {
  failure,
  feedPages,
  readerIn,
  statusInWords,
  textOf,
  type Budget,
  type ReadPage,
} from './feed-pages.ts'
import { ReadingGivenUp, readingThread, type ReadingThread } from './reading-thread.ts'

export interface BlogFeedOptions {
  /** one request, redirects and body included; default 30 s */
  readonly requestMs?: number
  /** a whole crawl; default 10 minutes */
  readonly crawlMs?: number
  /** a page after decompression; default 10 MB */
  readonly pageBytes?: number
  /** all pages of a crawl; default 100 MB */
  readonly crawlBytes?: number
  /** default 10,000 */
  readonly mostPosts?: number
  /** where foreign texts are parsed; default a thread with its own limits */
  readonly thread?: ReadingThread
  /** is told of a post that comes as a link, because it could not be read */
  readonly onGivenUp?: (url: string | null, reason: ReadingGivenUp) => void
}

/** Of a title that could not be read in time: enough for what is kept of one. */
const beginningOfTitle = 200

interface OpenedFeed {
  readonly kind: 'blogger' | 'feed'
  readonly feedUrl: string
  readonly first: ReadPage
  /** posts asked for on a page; Blogger only */
  readonly size: number
}

/** Reads blogs through the guarded fetch. Holds no state: what to remember between crawls is given back. */
export const openBlogFeed = (
  safeFetch: SafeFetch,
  {
    requestMs = 30_000,
    crawlMs = 600_000,
    pageBytes = 10_000_000,
    crawlBytes = 100_000_000,
    mostPosts = 10_000,
    thread = readingThread(),
    onGivenUp = () => undefined,
  }: BlogFeedOptions = {},
): BlogFeed => {
  const readText = readerIn(thread)
  const { isSpent, get, getPage, getBloggerPage } = feedPages(safeFetch, readText, {
    requestMs,
    pageBytes,
    crawlBytes,
  })

  const openBlogger = async (feedUrl: string, budget: Budget): Promise<OpenedFeed> => {
    const { read, size } = await getBloggerPage(feedUrl, 1, pageSizes[0], budget)
    return { kind: read.page.isNumbered ? 'blogger' : 'feed', feedUrl, first: read, size }
  }

  const openAny = async (feedUrl: string, budget: Budget): Promise<OpenedFeed> =>
    isBloggerFeed(feedUrl)
      ? openBlogger(feedUrl, budget)
      : { kind: 'feed', feedUrl, first: await getPage(feedUrl, budget), size: 0 }

  /** Blogger's own place first, then the address itself as a feed, then the feeds that its page names. */
  const openFeed = async (blogUrl: string, budget: Budget): Promise<OpenedFeed> => {
    if (!URL.canParse(blogUrl))
      throw failure(
        'unreachable',
        `This is not the address of a blog: ${blogUrl}. It should begin with https://`,
      )
    let refused: BlogFeedError
    try {
      return await openBlogger(bloggerFeedOf(blogUrl), budget)
    } catch (error) {
      // A host that cannot be reached will not be reached at another path either.
      const answered = error instanceof BlogFeedError && !(error.cause instanceof SafeFetchError)
      if (!answered) throw error
      refused = error
    }
    const home = await get(blogUrl, budget)
    if (home.status !== 200) throw refused.failure === 'unreachable' ? refused : statusInWords(home)
    const text = textOf(home)
    const itself = await readText('feed', text, home.url, budget.signal)
    if (itself !== null)
      return {
        kind: 'feed',
        feedUrl: home.url,
        first: { address: home.url, validators: home.validators, page: itself },
        size: 0,
      }
    for (const link of await readText('links', text, home.url, budget.signal)) {
      try {
        return await openAny(link, budget)
      } catch (error) {
        if (!(error instanceof BlogFeedError) || isSpent(budget)) throw error
        refused = error
      }
    }
    if (refused.failure === 'unreachable') throw refused
    throw failure(
      'no-feed',
      `No feed was found at ${blogUrl}. Give the address of the blog's home page, or of its feed.`,
      refused,
    )
  }

  /** All pages, one after the other, starting with the one already read. */
  async function* pagesOf(feed: OpenedFeed, budget: Budget): AsyncGenerator<ReadPage> {
    yield feed.first
    let { page } = feed.first
    if (feed.kind === 'blogger') {
      let { size } = feed
      let start = 1 + page.received
      while (page.received > 0 && (page.total === null ? page.next !== null : start <= page.total)) {
        const next = await getBloggerPage(feed.feedUrl, start, size, budget)
        size = next.size
        page = next.read.page
        start += page.received
        yield next.read
      }
      return
    }
    const seen = new Set([feed.first.address])
    while (page.next !== null && page.received > 0 && !seen.has(page.next)) {
      seen.add(page.next)
      const next = await getPage(page.next, budget)
      page = next.page
      yield next
    }
  }

  /** Whether every page of the last crawl answers that it has not changed. */
  const nothingChanged = async (memory: CrawlMemory, budget: Budget): Promise<boolean> => {
    if (memory.pages.length === 0) return false
    for (const page of memory.pages) {
      const answer = await get(page.url, budget, page)
      if (answer.status !== 304) return false
    }
    return true
  }

  const crawlAll = async (
    blogUrl: string,
    budget: Budget,
    onProgress: CrawlOptions['onProgress'],
  ): Promise<CrawlResult> => {
    const feed = await openFeed(blogUrl, budget)
    const pages: ReadPage[] = []
    const entries = new Map<string, FeedEntry>()
    const keys = new Set<string>()
    let received = 0
    for await (const read of pagesOf(feed, budget)) {
      // Only what is needed later: the posts themselves are kept once, in `entries`.
      pages.push({ ...read, page: { ...read.page, entries: [], keys: [] } })
      received += read.page.received
      for (const key of read.page.keys) keys.add(key)
      for (const entry of read.page.entries)
        if (!entries.has(entry.externalId)) entries.set(entry.externalId, entry)
      if (received > mostPosts)
        throw failure(
          'too-large',
          `The blog has more than ${mostPosts} posts, which is more than can be mirrored.`,
        )
      onProgress?.(received, read.page.total)
    }
    return {
      unchanged: false,
      feedUrl: feed.feedUrl,
      title: feed.first.page.title,
      entries: [...entries.values()],
      complete: isComplete(
        pages.map((read) => read.page),
        received,
        keys.size,
      ),
      memory: memoryOf(blogUrl, pages),
    }
  }

  const within = async <T>(
    signal: AbortSignal | undefined,
    work: (budget: Budget) => Promise<T>,
  ): Promise<T> => {
    const deadline = AbortSignal.timeout(crawlMs)
    try {
      return await work({
        signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
        bytes: 0,
      })
    } catch (error) {
      signal?.throwIfAborted()
      if (deadline.aborted)
        throw failure(
          'too-slow',
          `Reading the blog took longer than ${Math.round(crawlMs / 60_000)} minutes.`,
          error,
        )
      throw error
    }
  }

  return {
    discover: (blogUrl, signal) =>
      within(signal, async (budget) => {
        const { feedUrl, kind, first } = await openFeed(blogUrl, budget)
        return { feedUrl, kind, title: first.page.title }
      }),
    crawl: (blogUrl, { signal, onProgress, memory = null } = {}) =>
      within(signal, async (budget) => {
        if (memory !== null && memory.blogUrl === blogUrl && (await nothingChanged(memory, budget)))
          return { unchanged: true }
        return crawlAll(blogUrl, budget, onProgress)
      }),
    readPost: async (post, signal) => {
      const { title, contentHtml, summary, url } = post
      try {
        return await thread.ask('post', { post: { title, contentHtml, summary, url } }, signal)
      } catch (error) {
        if (!(error instanceof ReadingGivenUp)) throw error
        onGivenUp(url, error)
        return {
          title: readableTitle(plainText(title.slice(0, beginningOfTitle))),
          content: readOn(url),
          excerpt: '',
        }
      }
    },
  }
}

/** What makes the next crawl conditional; null when a page gave nothing to be conditional on. */
const memoryOf = (blogUrl: string, pages: readonly ReadPage[]): CrawlMemory | null => {
  if (pages.some(({ validators }) => validators.etag === null && validators.lastModified === null))
    return null
  return { blogUrl, pages: pages.map(({ address, validators }) => ({ url: address, ...validators })) }
}
