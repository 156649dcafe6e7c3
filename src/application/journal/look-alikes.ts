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
  const { pathname, search } = parsed
  return (pathname.endsWith('/') ? pathname.slice(0, -1) : pathname) + search
}

const titleOf = ({ title }: FeedEntry): string => readableTitle(title.slice(0, 2 * fieldLimits.name))

const mark = (what: string, one: string, other: string | null): readonly string[] =>
  one && other ? [JSON.stringify([what, one, other])] : []

/** What a post is about and of when, wherever it stands; none where it does not say both. */
const words = (title: string, date: string | null): readonly string[] => mark('words', title, date)

/** Each two of path, title and date: one of them may be changed, and a post is still told from others. */
const marks = (url: string | null, title: string, date: string | null): readonly string[] => {
  const path = pathOf(url)
  return [...mark('title', path, title), ...mark('date', path, date), ...words(title, date)]
}

const marksOfPost = ({ externalUrl, title, publishedAt }: MirroredPost): readonly string[] =>
  marks(externalUrl, title, publishedAt)

const marksOfEntry = (entry: FeedEntry): readonly string[] =>
  marks(entry.url, titleOf(entry), entry.publishedAt)

export interface LookAlikes {
  /** the post that an entry looks like; none where it looks like many, or another one like that post too */
  readonly postOf: (entry: FeedEntry) => string | undefined
  /** whether an entry has neither title nor date of a post, and one of them has both of another */
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
  const marked = once(() => ({
    entriesBy: aloneBy(entries, marksOfEntry),
    postsBy: aloneBy(posts, marksOfPost),
  }))
  const pairs = once(() => {
    const { entriesBy, postsBy } = marked()
    const found = new Map<FeedEntry, Set<string>>()
    for (const [each, entry] of entriesBy) {
      const post = postsBy.get(each)
      if (post) found.set(entry, (found.get(entry) ?? new Set()).add(post.id))
    }
    const all = [...found].flatMap(([entry, ids]) => [...ids].map((id) => ({ entry, id })))
    return { ofEntry: aloneBy(all, ({ entry }) => [entry]), ofPost: aloneBy(all, ({ id }) => [id]) }
  })
  return {
    postOf: (entry) => {
      const pair = pairs().ofEntry.get(entry)
      return pair && pairs().ofPost.get(pair.id) === pair ? pair.id : undefined
    },
    differ: (entry, id) => {
      const post = byId.get(id)
      if (!post || post.publishedAt === entry.publishedAt || post.title === titleOf(entry)) return false
      const { entriesBy, postsBy } = marked()
      return (
        words(post.title, post.publishedAt).some((each) => entriesBy.has(each)) ||
        words(titleOf(entry), entry.publishedAt).some((each) => postsBy.has(each))
      )
    },
  }
}
