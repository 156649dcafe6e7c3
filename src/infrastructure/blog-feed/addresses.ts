import { walkHtml } from '../html/walk.ts'
import { webAddress } from '../html/web-address.ts'

/** A feed of Blogger's, however it was asked for: full, as summary, for one label, by the blog's number. */
const bloggerPath = /\/feeds\/(?:\d+\/)?posts\/(?:default|full|summary)(?:\/-\/.+)?\/?$/

/** How many posts a page is asked for; Blogger gives what it likes, at most 150. */
export const pageSizes = [150, 25, 5] as const

/** Whether an address names a feed of Blogger's. */
export const isBloggerFeed = (address: string): boolean => bloggerPath.test(new URL(address).pathname)

/** The address of one page of a Blogger feed; `start` counts from 1. */
export const bloggerPage = (feed: string, start: number, size: number): string => {
  const url = new URL(feed)
  url.search = new URLSearchParams({
    orderby: 'published',
    'start-index': String(start),
    'max-results': String(size),
  }).toString()
  return url.href
}

/** Where a blog has its feed if it is one of Blogger's: they live at the root of a host. */
export const bloggerFeedOf = (blogUrl: string): string => {
  const url = new URL(blogUrl)
  return url.origin + (isBloggerFeed(blogUrl) ? url.pathname : '/feeds/posts/default')
}

/** So many of the feeds that a page names are asked for: a page may name any number, at any host. */
const mostLinks = 10

const types = [
  'application/atom+xml',
  'application/rss+xml',
  'application/feed+json',
  'application/json',
  'text/xml',
]

/** WordPress says it by a folder or, without readable addresses, in the query; others by the name of a file. */
const addressOfComments = /(?<!\p{L})comments(?:-(?:rss|rdf|atom|feed))?(?![\p{L}-])/iu
/**
 * “Comments Feed”, “Kommentar-Feed”, “Flux des commentaires”: behind what WordPress sets between a blog's name and its feed,
 * or with nothing before it. A blog itself may be called “Comments on Art” or “Urban Commentary”.
 */
const titleOfComments = /(?:^|»[^»]*)\b[ck]omm?ent\p{L}+[^\p{L}»]*(?:(?:feed|rss|atom)[^\p{L}»]*)?$/iu
/** More of a title's end is not looked at. */
const titleEnd = 300

/** Whether a feed is one of what strangers say, as far as its address and its title tell. */
const isOfComments = (url: string, title: string): boolean => {
  const { pathname, search } = new URL(url)
  return addressOfComments.test(pathname + search) || titleOfComments.test(title.slice(-titleEnd))
}

/**
 * The feeds of posts that a page names, best first: Blogger's own, then Atom, RSS, JSON. Never one of comments, also
 * where it names no other, as a front page of WordPress may. No more than are worth asking for.
 */
export const feedLinks = (html: string, address: string): readonly string[] => {
  const found: { href: string; rank: number }[] = []
  walkHtml(html, {
    onopentag: (name, { rel = '', type = '', href, title = '' }) => {
      if (name !== 'link') return
      const rels = rel.toLowerCase().split(/\s+/u)
      const kind = types.indexOf(type.toLowerCase().split(';')[0]?.trim() ?? '')
      const url = webAddress(href, address)
      if (url === null) return
      const ofBlogger = isBloggerFeed(url) && (rels.includes('service.post') || rels.includes('alternate'))
      if (!ofBlogger && (kind < 0 || !rels.includes('alternate') || isOfComments(url, title))) return
      found.push({ href: url, rank: ofBlogger ? -1 : kind })
    },
  })
  const best = found.toSorted((a, b) => a.rank - b.rank)
  return [...new Set(best.map(({ href }) => href))].slice(0, mostLinks)
}
