import { BlogFeedError } from '#application/ports/blog-feed.ts'
import {
  SafeFetchError,
  type FetchedBody,
  type FetchValidators,
  type SafeFetch,
} from '#application/kernel/ports/safe-fetch.ts'
import { bloggerPage, pageSizes } from './addresses.ts'
import type { FeedPage } from './page.ts'
import { sizeOfTexts } from './room.ts'
import { ReadingGivenUp, type ReadingThread } from './reading-thread.ts'

export interface PageLimits {
  /** one request, redirects and body included */
  readonly requestMs: number
  /** a page after decompression */
  readonly pageBytes: number
  /** a page with more comes without its posts */
  readonly mostPosts: number
  /** of all posts together, in characters; those past it come as a beginning */
  readonly mostText: number
}

export interface ReadPage {
  readonly address: string
  readonly validators: FetchValidators
  readonly page: FeedPage
}

/** All pages of a crawl, in bytes. */
const crawlBytes = 100_000_000

const acceptedTypes =
  'application/atom+xml, application/rss+xml, application/json, application/xml;q=0.9, text/html;q=0.8, */*;q=0.1'

/** A failure with a sentence for the owner. */
export const failure = (kind: BlogFeedError['failure'], message: string, cause?: unknown): BlogFeedError =>
  new BlogFeedError(kind, message, cause === undefined ? undefined : { cause })

/** What an answer without a page means. */
export const statusInWords = (answer: FetchedBody): BlogFeedError => {
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

/** The pages of one crawl. */
export interface FeedPages {
  readonly get: (url: string, validators?: FetchValidators | null) => Promise<FetchedBody>
  /** Reads an answer as a page of a feed; null when it is none. */
  readonly readPage: (answer: FetchedBody) => Promise<FeedPage | null>
  /** The feeds that a home page names. */
  readonly readLinks: (answer: FetchedBody) => Promise<readonly string[]>
  readonly getPage: (address: string) => Promise<ReadPage>
  /** A page of Blogger's, asked for smaller when it is too large; says with which size it came. */
  readonly getBloggerPage: (
    feed: string,
    start: number,
    size: number,
  ) => Promise<{ readonly read: ReadPage; readonly size: number }>
}

/** Fetches single pages of feeds within limits. Everything it throws is a `BlogFeedError`, or an abort. */
export const feedPages = (
  safeFetch: SafeFetch,
  thread: ReadingThread,
  { requestMs, pageBytes, mostPosts, mostText }: PageLimits,
  signal: AbortSignal,
): FeedPages => {
  let [bytes, room] = [0, mostText]
  const isSpent = (): boolean => bytes > crawlBytes

  const get: FeedPages['get'] = async (url, validators = null) => {
    try {
      const answer = await safeFetch.get({
        url,
        maxBytes: pageBytes,
        timeoutMs: requestMs,
        accept: acceptedTypes,
        validators,
        signal,
      })
      bytes += answer.body.byteLength
      if (isSpent())
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

  /** What the thread gives up is a failure of the host's. */
  const read = async <T>({ url }: FetchedBody, asked: Promise<T>): Promise<T> => {
    try {
      return await asked
    } catch (error) {
      if (!(error instanceof ReadingGivenUp)) throw error
      throw failure(
        'too-slow',
        `What ${new URL(url).host} sends was given up, so that it holds up nothing else. ${error.message}`,
        error,
      )
    }
  }

  const readPage: FeedPages['readPage'] = async (answer) => {
    const { body, charset, url } = answer
    const page = await read(answer, thread.ask('feed', { body, charset, url, mostPosts, room }, signal))
    if (page === null) return null
    room -= sizeOfTexts(page.entries)
    return page
  }
  const readLinks: FeedPages['readLinks'] = (answer) => {
    const { body, charset, url } = answer
    return read(answer, thread.ask('links', { body, charset, url }, signal))
  }

  const getPage: FeedPages['getPage'] = async (address) => {
    const answer = await get(address)
    if (answer.status !== 200) throw statusInWords(answer)
    const page = await readPage(answer)
    if (page === null)
      throw failure(
        'broken-feed',
        `What ${new URL(answer.url).host} sends is not a feed that can be read, or only a part of one.`,
      )
    return { address, validators: answer.validators, page }
  }

  const getBloggerPage: FeedPages['getBloggerPage'] = async (feed, start, size) => {
    try {
      return { read: await getPage(bloggerPage(feed, start, size)), size }
    } catch (error) {
      const smaller = pageSizes.find((each) => each < size)
      const isTooLarge = error instanceof BlogFeedError && error.failure === 'too-large'
      if (!isTooLarge || smaller === undefined || isSpent()) throw error
      return getBloggerPage(feed, start, smaller)
    }
  }

  return { get, readPage, readLinks, getPage, getBloggerPage }
}
