import type {
  BlogFeed,
  CrawlMemory,
  CrawlOptions,
  CrawlResult,
  FeedEntry,
} from '#application/ports/blog-feed.ts'
import { readableTitle } from '#application/journal/readable-post.ts'
import type { SafeFetch } from '#application/kernel/ports/safe-fetch.ts'
import { fieldLimits } from '#domain/field-limits.ts'
import { readOn } from '../html/cut.ts'
import { isComplete } from './page.ts'
import { failure, feedPages, type FeedPages, type ReadPage } from './feed-pages.ts'
import { sizeOfNames } from './room.ts'
import { findFeed, pagesOf } from './find-feed.ts'
import { ReadingGivenUp, readingThread, type ReadingThread } from './reading-thread.ts'

export interface BlogFeedOptions {
  /** one request, redirects and body included; default 30 s */
  readonly requestMs?: number
  /** a whole crawl; default 10 minutes */
  readonly crawlMs?: number
  /** a page after decompression; default 10 MB */
  readonly pageBytes?: number
  /** default {@link fieldLimits.blogPosts} */
  readonly mostPosts?: number
  /** of all posts together, in characters; those past it come as a beginning; default 10 million */
  readonly mostText?: number
  /** keys, titles, addresses and beginnings of all posts together, in characters; default 20 million, some three times what 10,000 posts of a real blog have */
  readonly mostNames?: number
  /** where foreign texts are parsed; default a thread with its own limits */
  readonly thread?: ReadingThread
  /** is told of a post that comes as a link, because it could not be read */
  readonly onGivenUp?: (url: string | null, reason: ReadingGivenUp) => void
}

/** What makes the next crawl conditional; null when a page gave nothing to be conditional on. */
const memoryOf = (blogUrl: string, pages: readonly ReadPage[]): CrawlMemory | null => {
  if (pages.some(({ validators }) => validators.etag === null && validators.lastModified === null))
    return null
  return { blogUrl, pages: pages.map(({ address, validators }) => ({ url: address, ...validators })) }
}

/** Whether every page of the last crawl answers that it has not changed. */
const nothingChanged = async (pages: FeedPages, memory: CrawlMemory): Promise<boolean> => {
  if (memory.pages.length === 0) return false
  for (const page of memory.pages) {
    const answer = await pages.get(page.url, page)
    if (answer.status !== 304) return false
  }
  return true
}

const crawlAll = async (
  pages: FeedPages,
  blogUrl: string,
  { mostPosts, mostNames }: { readonly mostPosts: number; readonly mostNames: number },
  onProgress: CrawlOptions['onProgress'],
): Promise<CrawlResult> => {
  const feed = await findFeed(pages, blogUrl)
  const done: ReadPage[] = []
  const entries = new Map<string, FeedEntry>()
  const keys = new Set<string>()
  let [received, names] = [0, 0]
  for await (const read of pagesOf(pages, feed)) {
    // Only what is needed later: the posts themselves are kept once, in `entries`.
    done.push({ ...read, page: { ...read.page, entries: [], keys: [] } })
    received += read.page.received
    names += sizeOfNames(read.page.entries)
    for (const key of read.page.keys) keys.add(key)
    for (const entry of read.page.entries)
      if (!entries.has(entry.externalId)) entries.set(entry.externalId, entry)
    if (received > mostPosts)
      throw failure(
        'too-large',
        `The blog has more than ${mostPosts} posts, which is more than can be mirrored.`,
      )
    if (names > mostNames)
      throw failure('too-large', 'The titles and addresses of the blog are longer than can be mirrored.')
    onProgress?.(received, read.page.total)
  }
  return {
    unchanged: false,
    entries: [...entries.values()],
    complete: isComplete(
      done.map((read) => read.page),
      received,
      keys.size,
    ),
    memory: memoryOf(blogUrl, done),
  }
}

/** Reads blogs through the guarded fetch. Holds no state: what to remember between crawls is given back. */
export const openBlogFeed = (
  safeFetch: SafeFetch,
  {
    requestMs = 30_000,
    crawlMs = 600_000,
    pageBytes = 10_000_000,
    mostPosts = fieldLimits.blogPosts,
    mostText = 10_000_000,
    mostNames = 20_000_000,
    thread = readingThread(),
    onGivenUp = () => undefined,
  }: BlogFeedOptions = {},
): BlogFeed => {
  /** One crawl, with the time and the bytes that it may take. */
  const within = async <T>(
    signal: AbortSignal | undefined,
    work: (pages: FeedPages) => Promise<T>,
  ): Promise<T> => {
    const deadline = AbortSignal.timeout(crawlMs)
    const either = signal === undefined ? deadline : AbortSignal.any([deadline, signal])
    try {
      return await work(feedPages(safeFetch, thread, { requestMs, pageBytes, mostPosts, mostText }, either))
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
      within(signal, async (pages) => {
        const { feedUrl, kind, first } = await findFeed(pages, blogUrl)
        return { feedUrl, kind, title: first.page.title }
      }),
    crawl: (blogUrl, { signal, onProgress, memory = null } = {}) =>
      within(signal, async (pages) => {
        if (memory !== null && memory.blogUrl === blogUrl && (await nothingChanged(pages, memory)))
          return { unchanged: true }
        return crawlAll(pages, blogUrl, { mostPosts, mostNames }, onProgress)
      }),
    readPost: async (post, signal) => {
      const { title, contentHtml, url } = post
      try {
        return await thread.ask('post', { post: { title, contentHtml, url } }, signal)
      } catch (error) {
        if (!(error instanceof ReadingGivenUp)) throw error
        onGivenUp(url, error)
        return {
          title: readableTitle(title),
          content: readOn(url),
          isGivenUp: true,
        }
      }
    },
  }
}
