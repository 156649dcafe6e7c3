import type { ForeignPost, ReadablePost } from './ports/blog-feed.ts'
import type { HtmlSanitiser } from '../site-content/ports/html.ts'

/** So much sanitised HTML of one post is kept, in bytes; a revision holds it twice. */
const contentBytes = 200 * 1024
/** The same as for a title that the owner writes. */
const longestTitle = 200

/** A feed's post made readable: sanitised before it reaches the log, and again whenever it is read. */
export const readablePost = (html: HtmlSanitiser, post: ForeignPost): ReadablePost => ({
  title: [...html.plainText(post.title)].slice(0, longestTitle).join(''),
  content: html.journal(post.contentHtml, { baseUrl: post.url, maxBytes: contentBytes }),
  excerpt: html.excerptOf(post.contentHtml === '' ? post.summary : post.contentHtml),
})
