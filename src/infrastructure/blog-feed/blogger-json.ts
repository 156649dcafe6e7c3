import { z } from 'zod'
import type { FeedEntry } from '#application/journal/ports/blog-feed.ts'
import { plainText } from '../html/plain-text.ts'
import { webAddress } from '../html/web-address.ts'
import { leadImage } from './lead-image.ts'
import { isoDate, type FeedPage } from './page.ts'

/** Blogger writes every text as `{ "$t": "…" }`; a post may lack any of them. */
const text = z.object({ $t: z.coerce.string(), type: z.string().optional() })
const links = z
  .array(z.object({ rel: z.string().optional(), href: z.string().optional() }).catch({}))
  .catch([])
  .default([])
const entry = z
  .object({
    id: text.optional().catch(undefined),
    title: text.optional().catch(undefined),
    content: text.optional().catch(undefined),
    summary: text.optional().catch(undefined),
    published: text.optional().catch(undefined),
    updated: text.optional().catch(undefined),
    link: links,
    media$thumbnail: z.object({ url: z.string() }).optional().catch(undefined),
    app$control: z.object({ app$draft: text.optional() }).optional().catch(undefined),
  })
  .catch({ link: [] })
const answer = z.object({
  feed: z.object({
    title: text.optional().catch(undefined),
    openSearch$totalResults: text.optional().catch(undefined),
    link: links,
    // absent when there are no posts
    entry: z.array(entry).default([]),
  }),
})
type Entry = z.output<typeof entry>

const relOf = (list: z.output<typeof links>, rel: string): string | undefined =>
  list.find((link) => link.rel === rel)?.href

const wordsOf = (value: z.output<typeof text> | undefined): string =>
  value === undefined
    ? ''
    : value.type === 'html' || value.type === 'xhtml'
      ? plainText(value.$t)
      : value.$t.trim()

function read(post: Entry): FeedEntry | null {
  const url = webAddress(relOf(post.link, 'alternate'))
  const externalId = post.id?.$t.trim() || url
  if (externalId === null) return null
  const contentHtml = post.content?.$t ?? ''
  return {
    externalId,
    title: wordsOf(post.title),
    contentHtml,
    summary: post.summary?.$t ?? '',
    publishedAt: isoDate(post.published?.$t),
    updatedAt: isoDate(post.updated?.$t),
    url,
    imageUrl: leadImage(webAddress(post.media$thumbnail?.url), contentHtml, url),
  }
}

/** A page of Blogger's JSON feed; null when the text is something else. */
export function readBloggerJson(body: string): FeedPage | null {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return null
  }
  const parsed = answer.safeParse(json)
  if (!parsed.success) return null
  const { feed } = parsed.data
  const total =
    feed.openSearch$totalResults === undefined ? Number.NaN : Number(feed.openSearch$totalResults.$t)
  const posts = feed.entry.map((post) => ({
    post: read(post),
    // Anonymous feeds hold no drafts; should one appear all the same, it is never shown.
    draft: post.app$control?.app$draft?.$t.toLowerCase() === 'yes',
  }))
  return {
    title: wordsOf(feed.title),
    entries: posts.flatMap(({ post, draft }) => (post === null || draft ? [] : [post])),
    received: feed.entry.length,
    keys: posts.flatMap(({ post }) => (post === null ? [] : [post.externalId])),
    total: Number.isSafeInteger(total) && total >= 0 ? total : null,
    next: relOf(feed.link, 'next') ?? null,
    whole: false,
  }
}
