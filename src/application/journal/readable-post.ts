import type { ForeignPost, ReadablePost } from '../ports/blog-feed.ts'
import type { HtmlSanitiser } from '../ports/html.ts'
import { fieldLimits } from '#domain/field-limits.ts'
import { oneLine } from '#domain/field-rules.ts'

/** So much sanitised HTML of one post is kept, in bytes of its JSON; a revision holds it twice. */
const contentBytes = 200 * 1024

/** The beginning of a post's title as it is kept: as long as one that the owner writes. */
export const readableTitle = (text: string): string => oneLine([...text].slice(0, fieldLimits.name).join(''))

/** A feed's post made readable: sanitised before it reaches the log, and again whenever it is read. */
export const readablePost = (html: HtmlSanitiser, post: ForeignPost): ReadablePost => ({
  title: readableTitle(post.title),
  content: html.journal(post.contentHtml, { baseUrl: post.url, maxBytes: contentBytes }),
})
