import { parseFeed, type AnyFeed } from 'feedsmith'
import { keptKey } from '#application/journal/post-ids.ts'
import type { FeedEntry } from '#application/ports/blog-feed.ts'
import { oneLine } from '#domain/field-rules.ts'
import { excerptOf, plainText } from '../html/plain-text.ts'
import { webAddress } from '../html/web-address.ts'
import { fieldLimits } from '#domain/field-limits.ts'
import { isoMoment, type FeedPage } from './page.ts'
import { withinRoom } from './room.ts'
import { lookedAt, walkHtml } from '../html/walk.ts'

type Parsed = AnyFeed<string>
type FeedOf<Format extends Parsed['format']> = Extract<Parsed, { format: Format }>['feed']
type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never
type AtomEntry = ItemOf<NonNullable<FeedOf<'atom'>['entries']>>
type RssItem = ItemOf<NonNullable<FeedOf<'rss'>['items']>>
type RdfItem = ItemOf<NonNullable<FeedOf<'rdf'>['items']>>
type JsonItem = ItemOf<NonNullable<FeedOf<'json'>['items']>>
type Links = readonly { readonly href?: string; readonly rel?: string }[] | undefined
interface Media {
  thumbnails?: readonly { url?: string }[]
  contents?: readonly { url?: string; medium?: string; type?: string }[]
}

interface Post {
  readonly entry: FeedEntry | null
  readonly draft: boolean
}

const linkOf = (links: Links, rel: string): string | undefined =>
  links?.find((link) => (link.rel ?? 'alternate') === rel)?.href

const isImage = (media: { medium?: string | undefined; type?: string | undefined }): boolean =>
  media.medium === 'image' || media.type?.startsWith('image/') === true

const imageOf = (media: Media | undefined): string | undefined =>
  media?.thumbnails?.[0]?.url ?? media?.contents?.find(isImage)?.url

/** A title as plain text: HTML is written also where a feed says that it is text, as Blogger's does. */
const words = (text: { value?: string } | string = ''): string =>
  plainText(typeof text === 'string' ? text : (text.value ?? ''))

const escapeText = (text: string): string =>
  lookedAt(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const paragraphs = (text: string): string =>
  lookedAt(text)
    .split(/\n\s*\n/u)
    .map((paragraph) => `<p>${escapeText(paragraph)}</p>`)
    .join('')

/** Of a title, in characters: five times what is kept of one. */
const mostOfTitle = 5 * fieldLimits.name

/** How an image within the text begins; its end is searched for apart: one expression for both fails at some millions of characters. */
const [inlined, anyQuote] = [/\bsrc\s*=\s*["']data:/giu, /["']/gu]
/** Shorter ones are as well left where they are. */
const leastInlined = 1_000

/** A text without the images within it: they are never kept, and honest posts are full of them. */
const withoutInlined = (html: string): string => {
  const kept: string[] = []
  let from = 0
  for (const { 0: head, index } of html.matchAll(inlined)) {
    const data = index + head.length
    const begin = data - 'data:'.length
    anyQuote.lastIndex = data
    const end = anyQuote.exec(html)?.index ?? html.length
    if (end - data < leastInlined || html.charAt(end) !== html.charAt(begin - 1)) continue
    kept.push(html.slice(from, begin))
    from = end
  }
  return kept.join('') + html.slice(from)
}

/** A frame that closes itself, as a feed of XHTML writes it; to HTML it is open, and all behind it stands in it. */
const closedFrame = /<iframe\b[^<>]*\/>/gi

/** A post made of what every format has, without what is never kept of one; null when it has neither a key nor an address. */
const entryOf = (post: {
  readonly key: string | undefined
  readonly title: string
  readonly contentHtml: string
  readonly summary: string
  readonly published: string | undefined
  readonly url: string | null
  readonly image: string | null
}): FeedEntry | null => {
  // Half a character is kept differently by each store.
  const externalId = post.key?.trim().toWellFormed() || post.url
  if (externalId === null) return null
  const contentHtml = lookedAt(withoutInlined(post.contentHtml)).replaceAll(closedFrame, '')
  return {
    externalId: externalId.length > fieldLimits.address ? keptKey(externalId) : externalId,
    title: post.title.slice(0, mostOfTitle),
    contentHtml,
    excerpt: oneLine(excerptOf(contentHtml === '' ? post.summary : contentHtml)),
    publishedAt: isoMoment(post.published),
    url: post.url,
    imageUrl: leadImage(post.image, contentHtml, post.url),
  }
}

const readAtom = (entry: AtomEntry, base: string): Post => {
  const url = webAddress(linkOf(entry.links, 'alternate'), base)
  const content = entry.content?.value ?? ''
  return {
    draft: entry.app?.control?.draft === true,
    entry: entryOf({
      key: entry.id,
      title: words(entry.title),
      contentHtml: entry.content?.type === 'text' ? paragraphs(content) : content,
      summary:
        entry.summary?.type === 'text' || entry.summary?.type === undefined
          ? escapeText(entry.summary?.value ?? '')
          : (entry.summary.value ?? ''),
      published: entry.published,
      url,
      image: webAddress(
        imageOf(entry.media) ?? linkOf(entry.links?.filter(isImage), 'enclosure'),
        url ?? base,
      ),
    }),
  }
}

const readRss = (item: RssItem, base: string): Post => {
  const permalink = item.guid?.isPermaLink === false ? undefined : item.guid?.value
  const url = webAddress(item.link ?? permalink, base)
  const enclosure = item.enclosures?.find((each) => each.type?.startsWith('image/'))?.url
  const long = item.content?.encoded
  return {
    draft: false,
    entry: entryOf({
      key: item.guid?.value,
      title: words(item.title),
      contentHtml: long ?? item.description ?? '',
      summary: long === undefined ? '' : (item.description ?? ''),
      published: item.pubDate ?? item.dc?.dates?.[0],
      url,
      image: webAddress(imageOf(item.media) ?? enclosure, url ?? base),
    }),
  }
}

/** An item of RDF says the same as one of RSS, and its key elsewhere. */
const readRdf = ({ rdf, ...item }: RdfItem, base: string): Post =>
  readRss({ ...item, guid: { value: rdf?.about ?? '', isPermaLink: false } }, base)

const readJson = (item: JsonItem, base: string): Post => {
  const url = webAddress(item.url, base)
  return {
    draft: false,
    entry: entryOf({
      key: item.id,
      title: words(item.title),
      contentHtml: item.content_html ?? paragraphs(item.content_text ?? ''),
      summary: escapeText(item.summary ?? ''),
      published: item.date_published,
      url,
      image: webAddress(item.image ?? item.banner_image, url ?? base),
    }),
  }
}

/** What a feed says of itself, whatever its format. */
interface FeedContent {
  readonly title: string
  readonly posts: readonly Post[]
  readonly next?: string | undefined
  readonly counts?: { readonly totalResults?: number; readonly startIndex?: number } | undefined
}

const contentOf = (parsed: Parsed, address: string): FeedContent => {
  switch (parsed.format) {
    case 'atom': {
      const { title, entries = [], links, opensearch, xml } = parsed.feed
      const base = webAddress(xml?.base, address) ?? address
      const posts = entries.map((entry) => readAtom(entry, base))
      return { title: words(title), posts, next: linkOf(links, 'next'), counts: opensearch }
    }
    case 'rss': {
      const { title, items = [], atom, opensearch } = parsed.feed
      const posts = items.map((item) => readRss(item, address))
      return { title: words(title), posts, next: linkOf(atom?.links, 'next'), counts: opensearch }
    }
    case 'rdf': {
      const { title, items = [] } = parsed.feed
      return { title: words(title), posts: items.map((item) => readRdf(item, address)) }
    }
    case 'json': {
      const { title = '', items = [], next_url: next } = parsed.feed
      return { title, posts: items.map((item) => readJson(item, address)), next }
    }
  }
}

/** What stands before the comments at the end of a text. */
const beforeComments = (text: string): string => {
  const rest = text.trimEnd()
  const begin = rest.endsWith('-->') ? rest.lastIndexOf('<!--') : -1
  return begin < 0 ? rest : beforeComments(rest.slice(0, begin))
}

/** The parser forgives a file that was cut off; here it would look like posts that are gone. */
const endsAsItShould = (body: string): boolean =>
  body.trimStart().startsWith('{') ||
  /<\/(?:\w{1,100}:)?(?:feed|rss|RDF)\s{0,100}>$/iu.test(beforeComments(body.slice(-8_000)))

/** No feed is nested so deep, and the parser of JSON holds more for each level than the thread may have. */
const mostLevels = 100
const [quote, backslash, openers, closers] = ['"', '\\', '[{', ']}']

/** Whether a text in JSON is nested deeper than any feed; false for what is none. */
const isTooDeep = (text: string): boolean => {
  if (!openers.includes(text.trimStart().charAt(0))) return false
  let depth = 0
  let isInText = false
  for (let at = 0; at < text.length && depth <= mostLevels; at += 1) {
    const each = text.charAt(at)
    if (isInText && each === backslash) at += 1
    else if (each === quote) isInText = !isInText
    else if (!isInText && openers.includes(each)) depth += 1
    else if (!isInText && closers.includes(each)) depth -= 1
  }
  return depth > mostLevels
}

const saysItIsWhole = (body: string): boolean =>
  body.includes('http://purl.org/syndication/history/1.0') && /<\w+:complete\s*\/?>/u.test(body)

/** How many there are, as a feed tells it; null where that is no count of anything. */
const countOf = (told: number | undefined): number | null =>
  told !== undefined && Number.isSafeInteger(told) && told >= 0 ? told : null

/**
 * A page of any Atom, RSS, RDF or JSON feed; null when the text is none, or only the beginning of one, or names a next
 * page at no address: taken for the last, it would prove posts gone. Addresses are resolved against the page's own.
 * @param most `mostPosts`: a page with more comes without them; `room`: for all their texts, in characters, behind which
 * posts come as their beginnings
 */
export const readFeed = (
  body: string,
  address: string,
  { mostPosts, room }: { readonly mostPosts: number; readonly room: number },
): FeedPage | null => {
  if (isTooDeep(body)) return null
  let parsed: Parsed
  try {
    parsed = parseFeed(body)
  } catch {
    return null
  }
  if (!endsAsItShould(body)) return null
  const { title, posts, next: named = '', counts } = contentOf(parsed, address)
  const next = webAddress(named, address)
  if (next === null && named.trim() !== '') return null
  // Their number says enough: each would be handed over to who counts them.
  const taken = posts.length > mostPosts ? [] : posts
  return {
    title: title.slice(0, mostOfTitle),
    entries: withinRoom(
      taken.flatMap(({ entry, draft }) => (entry === null || draft ? [] : [entry])),
      room,
    ),
    received: posts.length,
    keys: taken.flatMap(({ entry }) => (entry === null ? [] : [entry.externalId])),
    total: countOf(counts?.totalResults),
    isNumbered: counts?.startIndex !== undefined,
    next,
    whole: parsed.format !== 'json' && saysItIsWhole(body),
  }
}

const google = /(^|\.)(bp\.blogspot\.com|googleusercontent\.com|ggpht\.com)$/
/** Larger ones are only made smaller again; `s0`, the original, can be enormous. */
const large = 's1600'

/**
 * The same image in a large size. Blogger's image servers name the size in the address, as a folder
 * (`/s72-c/`, `/w320-h240/`) or at its end (`=s72-c`); other addresses come back as they are.
 */
export const inLargeSize = (address: string): string => {
  const url = URL.parse(address)
  if (url === null || !google.test(url.hostname)) return address
  url.pathname = /=[swh]\d+[^/]*$/.test(url.pathname)
    ? url.pathname.replace(/=[swh]\d+[^/]*$/, `=${large}`)
    : url.pathname.replace(/\/(?:s\d+|[wh]\d+)(?:-[\w-]+)?\/(?=[^/]*$)/, `/${large}/`)
  return url.href
}

const isTiny = (size: string | undefined): boolean => size !== undefined && Number.parseInt(size, 10) <= 2

/** The first image of a post, by its absolute address; counting pixels of one or two are not images. */
export const firstImage = (html: string, base: string | null): string | null => {
  let found: string | null = null
  walkHtml(html, {
    onopentag: (name, { src, width, height }) => {
      if (name === 'img' && found === null && !isTiny(width) && !isTiny(height))
        found = webAddress(src, base ?? undefined)
    },
  })
  return found
}

/** The lead image of a post: what the feed names, else the first one in its content; in a large size. */
export const leadImage = (named: string | null, contentHtml: string, url: string | null): string | null => {
  const image = named ?? firstImage(contentHtml, url)
  // A larger size may be a longer address.
  return image === null ? null : webAddress(inLargeSize(image))
}
