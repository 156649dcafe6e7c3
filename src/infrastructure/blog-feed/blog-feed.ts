import {
  BlogFeedError,
  type BlogFeed,
  type CrawlMemory,
  type CrawlOptions,
  type CrawlResult,
  type FeedEntry,
} from '#application/ports/blog-feed.ts'
import {
  SafeFetchError,
  type FetchedBody,
  type FetchValidators,
  type SafeFetch,
} from '#application/ports/safe-fetch.ts'
import { bloggerFeedOf, bloggerPage, feedLinks, isBloggerFeed, PAGE_SIZES } from './addresses.ts'
import { readBloggerJson } from './blogger-json.ts'
import { isComplete } from './completeness.ts'
import type { FeedPage } from './page.ts'

export interface BlogFeedOptions {
  /** one request, redirects and body included; default 30 s (decisions 69) */
  readonly requestMs?: number
  /** a whole crawl; default 10 minutes */
  readonly crawlMs?: number
  /** a page after decompression; default 10 MB (decisions 69) */
  readonly pageBytes?: number
  /** all pages of a crawl; default 100 MB */
  readonly crawlBytes?: number
  /** default 10,000 */
  readonly mostPosts?: number
}

interface Budget {
  readonly signal: AbortSignal
  bytes: number
}

/** A page as it was fetched and read. */
interface ReadPage {
  readonly address: string
  readonly validators: FetchValidators
  readonly page: FeedPage
}

interface OpenedFeed {
  readonly kind: 'blogger' | 'feed'
  readonly feedUrl: string
  readonly first: ReadPage
  /** posts asked for on a page; Blogger only */
  readonly size: number
}

/** Reads a page from its text and its address; null when it is not what was hoped for. */
type Reader = (text: string, url: string) => Promise<FeedPage | null>

const readBlogger: Reader = async (text) => readBloggerJson(text)
/** The parser for the other formats is loaded when one is met. */
const readAny: Reader = async (text, url) => (await import('./any-feed.ts')).readAnyFeed(text, url)

const ACCEPT =
  'application/json, application/atom+xml, application/rss+xml, application/xml;q=0.9, text/html;q=0.8, */*;q=0.1'

const failure = (kind: BlogFeedError['failure'], message: string, cause?: unknown): BlogFeedError =>
  new BlogFeedError(kind, message, cause === undefined ? undefined : { cause })

/** The body as text, in the encoding that the server or the file itself names. */
function textOf({ body, charset }: FetchedBody): string {
  const declared = /^<\?xml[^>]*encoding=["']([\w-]+)["']/u.exec(
    Buffer.from(body.subarray(0, 200)).toString('latin1'),
  )?.[1]
  const label = charset ?? declared ?? 'utf-8'
  try {
    return new TextDecoder(label).decode(body)
  } catch {
    // A label nobody knows: the web's own default is the best guess.
    return new TextDecoder('utf-8').decode(body)
  }
}

const statusInWords = (answer: FetchedBody): BlogFeedError => {
  const host = new URL(answer.url).host
  if (answer.status === 429 || answer.status === 503)
    return failure('unreachable', `${host} is busy (${answer.status}) and asks to come back later.`)
  if (answer.status >= 500)
    return failure(
      'unreachable',
      `${host} answers with an error of its own (${answer.status}). Try again later.`,
    )
  if (answer.status === 401 || answer.status === 403)
    return failure(
      'no-feed',
      `${host} does not let its feed be read (${answer.status}). Is the blog private?`,
    )
  return failure('no-feed', `${host} has no feed at this address (${answer.status}).`)
}

/** Reads blogs through the guarded fetch. Holds no state: what to remember between crawls is given back. */
export function openBlogFeed(
  safeFetch: SafeFetch,
  {
    requestMs = 30_000,
    crawlMs = 600_000,
    pageBytes = 10_000_000,
    crawlBytes = 100_000_000,
    mostPosts = 10_000,
  }: BlogFeedOptions = {},
): BlogFeed {
  const get = async (
    url: string,
    budget: Budget,
    validators: FetchValidators | null = null,
  ): Promise<FetchedBody> => {
    try {
      const answer = await safeFetch.get({
        url,
        maxBytes: pageBytes,
        timeoutMs: requestMs,
        accept: ACCEPT,
        validators,
        signal: budget.signal,
      })
      budget.bytes += answer.body.byteLength
      if (budget.bytes > crawlBytes)
        throw failure(
          'too-large',
          `The blog is larger than ${Math.round(crawlBytes / 1_000_000)} MB of posts, which is more than can be mirrored.`,
        )
      return answer
    } catch (error) {
      if (!(error instanceof SafeFetchError)) throw error
      const kind =
        error.failure === 'too-large' || error.failure === 'too-slow' ? error.failure : 'unreachable'
      throw failure(kind, error.message, error)
    }
  }

  const getPage = async (address: string, read: Reader, budget: Budget): Promise<ReadPage> => {
    const answer = await get(address, budget)
    if (answer.status !== 200) throw statusInWords(answer)
    const page = await read(textOf(answer), answer.url)
    if (page === null)
      throw failure(
        'broken-feed',
        `What ${new URL(answer.url).host} sends is not a feed that can be read, or only a part of one.`,
      )
    return { address, validators: answer.validators, page }
  }

  /** A page of Blogger's, asked for smaller when it is too large; says with which size it came. */
  const getBloggerPage = async (
    feed: string,
    start: number,
    size: number,
    budget: Budget,
    reader: Reader = readBlogger,
  ): Promise<{ readonly read: ReadPage; readonly size: number }> => {
    try {
      return { read: await getPage(bloggerPage(feed, start, size), reader, budget), size }
    } catch (error) {
      const smaller = PAGE_SIZES.find((each) => each < size)
      if (
        !(error instanceof BlogFeedError) ||
        error.failure !== 'too-large' ||
        smaller === undefined ||
        budget.bytes > crawlBytes
      )
        throw error
      return getBloggerPage(feed, start, smaller, budget, reader)
    }
  }

  const openBlogger = async (feedUrl: string, budget: Budget): Promise<OpenedFeed> => {
    let kind: OpenedFeed['kind'] = 'blogger'
    // A server that knows no JSON answers Atom at the same place; its pages name the next one.
    const reader: Reader = async (text, url) => {
      const page = readBloggerJson(text)
      if (page === null) kind = 'feed'
      return page ?? readAny(text, url)
    }
    const { read, size } = await getBloggerPage(feedUrl, 1, PAGE_SIZES[0], budget, reader)
    return { kind, feedUrl, first: read, size }
  }

  const openAny = async (feedUrl: string, budget: Budget): Promise<OpenedFeed> =>
    isBloggerFeed(feedUrl)
      ? openBlogger(feedUrl, budget)
      : { kind: 'feed', feedUrl, first: await getPage(feedUrl, readAny, budget), size: 0 }

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
    const itself = await readAny(text, home.url)
    if (itself !== null)
      return {
        kind: 'feed',
        feedUrl: home.url,
        first: { address: home.url, validators: home.validators, page: itself },
        size: 0,
      }
    for (const link of feedLinks(text, home.url)) {
      try {
        return await openAny(link, budget)
      } catch (error) {
        if (!(error instanceof BlogFeedError) || budget.bytes > crawlBytes) throw error
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
      const next = await getPage(page.next, readAny, budget)
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
  }
}

/** What makes the next crawl conditional; null when a page gave nothing to be conditional on. */
function memoryOf(blogUrl: string, pages: readonly ReadPage[]): CrawlMemory | null {
  if (pages.some(({ validators }) => validators.etag === null && validators.lastModified === null))
    return null
  return { blogUrl, pages: pages.map(({ address, validators }) => ({ url: address, ...validators })) }
}
