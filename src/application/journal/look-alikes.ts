import type { FeedEntry } from '../ports/blog-feed.ts'
import type { MirroredPost } from '../ports/lookups.ts'
import { readableTitle } from './readable-post.ts'
import { fieldLimits } from '#domain/field-limits.ts'

/** What alone has a mark, by that: where many have one, it says of none which it is. */
export const aloneBy = <T, Mark>(
  all: Iterable<T>,
  marksOf: (each: T) => readonly Mark[],
): ReadonlyMap<Mark, T> => {
  const byMark = new Map<Mark, T>()
  const shared = new Set<Mark>()
  for (const each of all)
    for (const mark of marksOf(each)) {
      if (byMark.has(mark)) shared.add(mark)
      byMark.set(mark, each)
    }
  for (const mark of shared) byMark.delete(mark)
  return byMark
}

/** What stays of a post's address where its blog moves to another host; empty where that says nothing. */
const pathOf = (url: string | null): string => {
  const parsed = url === null ? null : URL.parse(url)
  if (parsed === null) return ''
  const { pathname, search, hash } = parsed
  return (pathname.endsWith('/') ? pathname.slice(0, -1) : pathname) + search + hash
}

/** Whether an entry's key is but its address, and changes with that. */
export const goesByAddress = ({ externalId, url }: FeedEntry): boolean =>
  pathOf(url) !== '' && pathOf(externalId) === pathOf(url)

/** Whether an entry's key is of a kind that is given once and for good, as Blogger's are (RFC 4151). */
const isForGood = ({ externalId }: FeedEntry): boolean => externalId.startsWith('tag:')

const titleOf = ({ title }: FeedEntry): string => readableTitle(title.slice(0, 2 * fieldLimits.name))

const mark = (what: string, one: string, other: string | null): readonly string[] =>
  one && other ? [JSON.stringify([what, one, other])] : []

/** Shorter beginnings of a text come again, as where each post is a line on its picture. */
const leastText = 100

const textMark = (excerpt: string): string => JSON.stringify(['text', excerpt])

/** What is a post's own wherever it stands: how its text begins; title and date, where it says both. */
const words = (title: string, date: string | null, excerpt: string): readonly string[] => [
  ...mark('words', title, date),
  ...(excerpt.length < leastText ? [] : [textMark(excerpt)]),
]

/** Its words, and each two of path, title and date: one of them may be changed, and a post is still told from others. */
const marks = (path: string, title: string, date: string | null, excerpt: string): readonly string[] => [
  ...mark('title', path, title),
  ...mark('date', path, date),
  ...words(title, date, excerpt),
]

/** Which of some posts with an entry's key it is: that alone, else what has most of its address, title and date, two at least. */
export const namedBy = (entry: FeedEntry, posts: readonly MirroredPost[]): MirroredPost | undefined => {
  if (posts.length < 2) return posts[0]
  const inCommon = ({ externalUrl, title, publishedAt }: MirroredPost): number =>
    [externalUrl === entry.url, title === titleOf(entry), publishedAt === entry.publishedAt].filter(Boolean)
      .length
  return posts
    .filter((post) => inCommon(post) >= 2)
    .toSorted((one, other) => inCommon(other) - inCommon(one) || (one.id < other.id ? -1 : 1))[0]
}

/** What all of them are; none where they are several. */
const onlyOne = <T>([first, ...more]: readonly T[] = []): T | undefined =>
  more.every((each) => each === first) ? first : undefined

export interface LookAlikes {
  /** the post whose text begins as the entry's does, as that of no other does */
  readonly withText: (entry: FeedEntry) => string | undefined
  /** the post that an entry looks like; none where it looks like many, or another one like that post too */
  readonly postOf: (entry: FeedEntry) => string | undefined
  /**
   * Whether an entry has nothing of the post that goes by its key, and one of the two has the words of another. Never of a
   * key that is given for good; where keys are the addresses the path says nothing more.
   */
  readonly differ: (entry: FeedEntry, id: string) => boolean
}

/** What is found at the first asking, and kept. */
const once = <T>(find: () => T): (() => T) => {
  let found: { readonly value: T } | null = null
  return () => (found ??= { value: find() }).value
}

/** Which posts the entries of a blog look like, whatever their keys are and wherever the blog is by now. */
export const lookAlikes = (posts: readonly MirroredPost[], entries: readonly FeedEntry[]): LookAlikes => {
  const byId = new Map(posts.map((post) => [post.id, post]))
  // Of a blog as it was nobody asks this, and of one with thousands of posts it takes its time.
  const paths = once(() => aloneBy(entries, ({ url }) => [pathOf(url)]))
  /** The path of an address, where it is that of one entry alone: one that many have says nothing. */
  const ownPath = (url: string | null): string => (paths().has(pathOf(url)) ? pathOf(url) : '')
  const marked = once(() => {
    const entriesBy = aloneBy(entries, (entry) =>
      marks(ownPath(entry.url), titleOf(entry), entry.publishedAt, entry.excerpt),
    )
    const postsBy = aloneBy(posts, (post) =>
      marks(ownPath(post.externalUrl), post.title, post.publishedAt, post.excerpt),
    )
    const both = [...entriesBy].flatMap(([mark, entry]) => {
      const post = postsBy.get(mark)
      return post ? [{ entry, post }] : []
    })
    const [entriesOf, postsOf] = [
      Map.groupBy(both, ({ post }) => post),
      Map.groupBy(both, ({ entry }) => entry),
    ]
    return { entriesBy, postsBy, entriesOf, postsOf }
  })
  const withText = (entry: FeedEntry): string | undefined => {
    const { entriesBy, postsBy } = marked()
    const text = textMark(entry.excerpt)
    return entriesBy.get(text) === entry ? postsBy.get(text)?.id : undefined
  }
  return {
    withText,
    postOf: (entry) => {
      const { entriesOf, postsOf } = marked()
      const post = onlyOne(postsOf.get(entry)?.map((pair) => pair.post))
      return post && onlyOne(entriesOf.get(post)?.map((pair) => pair.entry)) === entry ? post.id : undefined
    },
    differ: (entry, id) => {
      const post = byId.get(id)
      if (!post || isForGood(entry)) return false
      if (post.publishedAt === entry.publishedAt || post.title === titleOf(entry)) return false
      const path = goesByAddress(entry) ? '' : ownPath(entry.url)
      if (path !== '' && path === pathOf(post.externalUrl)) return false
      if (withText(entry) === id) return false
      const { entriesBy, postsBy } = marked()
      return (
        words(post.title, post.publishedAt, post.excerpt).some((each) => entriesBy.has(each)) ||
        words(titleOf(entry), entry.publishedAt, entry.excerpt).some((each) => postsBy.has(each))
      )
    },
  }
}
