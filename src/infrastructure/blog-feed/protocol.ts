import type { ForeignPost, ReadablePost } from '#application/journal/ports/blog-feed.ts'
import type { FeedPage } from './page.ts'

/** What the reading thread can be asked for, and what each asking answers. */
export interface Readings {
  /** a page of Blogger's JSON feed; null when the text is something else */
  blogger: { readonly ask: { readonly text: string }; readonly answer: FeedPage | null }
  /** a page of any other feed; null when the text is none */
  feed: { readonly ask: { readonly text: string; readonly url: string }; readonly answer: FeedPage | null }
  /** the feeds that a page names */
  links: { readonly ask: { readonly text: string; readonly url: string }; readonly answer: readonly string[] }
  /** a post's texts as they are kept */
  post: { readonly ask: { readonly post: ForeignPost }; readonly answer: ReadablePost }
}
export type ReadingKind = keyof Readings
export type Reading = {
  readonly [Kind in ReadingKind]: { readonly kind: Kind; readonly ask: Readings[Kind]['ask'] }
}[ReadingKind]

export type FromReader =
  /** it can be asked now */
  | { readonly type: 'ready' }
  | { readonly type: 'read'; readonly answer: Readings[ReadingKind]['answer'] }
  | { readonly type: 'failed'; readonly message: string }
