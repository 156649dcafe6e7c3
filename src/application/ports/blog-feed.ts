import type { FetchValidators } from '../kernel/ports/safe-fetch.ts'

/** One post as the blog gives it, whatever the feed's format. Nothing here is sanitised yet. */
export interface FeedEntry {
  /** the only stable key: Blogger's or Atom's id, RSS's guid, else the post's address */
  readonly externalId: string
  /** plain text, trimmed; empty when the post has none */
  readonly title: string
  /** HTML as it came; empty when the blog gives no content */
  readonly contentHtml: string
  /** how its text begins, or its summary where the blog gives no text: plain, as it is kept; empty without either */
  readonly excerpt: string
  /** ISO 8601 in UTC, or null */
  readonly publishedAt: string | null
  /** address of the post, http or https only */
  readonly url: string | null
  /** lead image in a large size: the feed's thumbnail, else the first image of the content */
  readonly imageUrl: string | null
}

/** The texts of a post as a feed gave them. */
export type ForeignPost = Pick<FeedEntry, 'title' | 'contentHtml' | 'url'>

/** The texts of a post as they are kept: sanitised, cut where they are too long. */
export interface ReadablePost {
  readonly title: string
  readonly content: string
}

interface FoundFeed {
  readonly feedUrl: string
  readonly kind: 'blogger' | 'feed'
  /** the blog's own title; empty when it has none */
  readonly title: string
}

/** The pages of one crawl and the states they were in; kept by the caller and given to the next crawl. */
export interface CrawlMemory {
  readonly blogUrl: string
  readonly pages: readonly (FetchValidators & { readonly url: string })[]
}

export interface CrawlOptions {
  readonly signal?: AbortSignal
  /** `total` is what the feed claims, null when it claims nothing */
  readonly onProgress?: (received: number, total: number | null) => void
  /** of the last crawl that was taken over; makes the requests conditional */
  readonly memory?: CrawlMemory | null
}

export type CrawlResult =
  /** every page of the last crawl answered 304: nothing has changed */
  | { readonly unchanged: true }
  | {
      readonly unchanged: false
      /** newest first as the feed orders them; no drafts, no id twice */
      readonly entries: readonly FeedEntry[]
      /**
       * True only when it is proven that these are all posts of the blog; only then may a post that is not
       * among them be taken for removed.
       */
      readonly complete: boolean
      /** null when the feed gives nothing to be conditional on */
      readonly memory: CrawlMemory | null
    }

/** Why the blog could not be mirrored. The message is a sentence for the owner. */
export type BlogFeedFailure = 'unreachable' | 'no-feed' | 'broken-feed' | 'too-large' | 'too-slow'

export class BlogFeedError extends Error {
  override readonly name = 'BlogFeedError'
  readonly failure: BlogFeedFailure

  constructor(failure: BlogFeedFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.failure = failure
  }
}

/** Reads a blog through its feed: Blogger first, any Atom, RSS or JSON feed too. */
export interface BlogFeed {
  /** Finds the feed of a blog's home page (or takes the address of a feed as it is). @throws {BlogFeedError} */
  readonly discover: (blogUrl: string, signal?: AbortSignal) => Promise<FoundFeed>
  /**
   * Reads every page, or nothing: a page that fails fails the crawl, so that a half-read blog is never
   * taken for the whole. @throws {BlogFeedError}, or the signal's reason when aborted by it
   */
  readonly crawl: (blogUrl: string, options?: CrawlOptions) => Promise<CrawlResult>
  /**
   * The texts of a post as they are kept, made away from the event loop. One that takes too long or too much
   * memory comes as its title and a link to it, `isGivenUp`. @throws the signal's reason when aborted
   */
  readonly readPost: (
    post: ForeignPost,
    signal: AbortSignal,
  ) => Promise<ReadablePost & { readonly isGivenUp?: boolean }>
}
