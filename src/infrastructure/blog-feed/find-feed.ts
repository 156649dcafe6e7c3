import { BlogFeedError } from '#application/ports/blog-feed.ts'
import { SafeFetchError } from '#application/kernel/ports/safe-fetch.ts'
import { bloggerFeedOf, isBloggerFeed, pageSizes } from './addresses.ts'
import { failure, statusInWords, type FeedPages, type ReadPage } from './feed-pages.ts'

export interface FoundFeed {
  readonly kind: 'blogger' | 'feed'
  readonly feedUrl: string
  readonly first: ReadPage
  /** posts asked for on a page; Blogger only */
  readonly size: number
}

const findBlogger = async (pages: FeedPages, feedUrl: string): Promise<FoundFeed> => {
  const { read, size } = await pages.getBloggerPage(feedUrl, 1, pageSizes[0])
  return { kind: read.page.isNumbered ? 'blogger' : 'feed', feedUrl, first: read, size }
}

const findAny = async (pages: FeedPages, feedUrl: string): Promise<FoundFeed> =>
  isBloggerFeed(feedUrl)
    ? findBlogger(pages, feedUrl)
    : { kind: 'feed', feedUrl, first: await pages.getPage(feedUrl), size: 0 }

/** Whether at an address there is nothing that a blog could be read from, as far as its answer tells. */
const isNoFeed = ({ failure }: BlogFeedError): boolean => failure === 'no-feed' || failure === 'broken-feed'

/** A host that answers at a path, though not with a page that is taken, may have others. */
const hasAnswered = ({ cause }: BlogFeedError): boolean =>
  !(cause instanceof SafeFetchError) || cause.failure === 'redirects' || cause.failure === 'too-large'

/** Blogger's own place first, then the address itself as a feed, then the feeds that its page names. */
export const findFeed = async (pages: FeedPages, blogUrl: string): Promise<FoundFeed> => {
  if (!URL.canParse(blogUrl))
    throw failure(
      'unreachable',
      `This is not the address of a blog: ${blogUrl}. It should begin with https://`,
    )
  let refused: BlogFeedError
  try {
    return await findBlogger(pages, bloggerFeedOf(blogUrl))
  } catch (error) {
    // A host that cannot be reached will not be reached at another path either.
    if (!(error instanceof BlogFeedError) || !hasAnswered(error)) throw error
    refused = error
  }
  const home = await pages.get(blogUrl)
  if (home.status !== 200) throw refused.failure === 'unreachable' ? refused : statusInWords(home)
  const { url, validators } = home
  const page = await pages.readPage(home)
  if (page !== null) return { kind: 'feed', feedUrl: url, first: { address: url, validators, page }, size: 0 }
  let named: BlogFeedError | null = null
  for (const link of await pages.readLinks(home)) {
    try {
      return await findAny(pages, link)
    } catch (error) {
      // What is only away for a while does not give its place to another feed, of other posts perhaps.
      if (!(error instanceof BlogFeedError) || !isNoFeed(error)) throw error
      named ??= error
    }
  }
  if (named !== null)
    throw failure(
      'no-feed',
      `The feed that ${blogUrl} names cannot be read. ${named.message} If the blog has another feed, give the address of that one.`,
      named,
    )
  if (refused.failure === 'unreachable') throw refused
  throw failure(
    'no-feed',
    `No feed was found at ${blogUrl}. Give the address of the blog's home page, or of its feed.`,
    refused,
  )
}

/** All pages, one after the other, starting with the one already read. */
export async function* pagesOf(pages: FeedPages, feed: FoundFeed): AsyncGenerator<ReadPage> {
  yield feed.first
  let { page } = feed.first
  if (feed.kind === 'blogger') {
    let { size } = feed
    let start = 1 + page.received
    while (page.received > 0 && (page.total === null ? page.next !== null : start <= page.total)) {
      const next = await pages.getBloggerPage(feed.feedUrl, start, size)
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
    const next = await pages.getPage(page.next)
    page = next.page
    yield next
  }
}
