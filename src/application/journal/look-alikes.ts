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

/** An entry's title as it is kept. */
export const titleOf = ({ title }: FeedEntry): string => readableTitle(title.slice(0, 2 * fieldLimits.name))

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
  /** the post that an entry looks like, its text aside; none where it looks like many, or another one like that post too */
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

/** What an entry or a post is told from others by, in numbers: thousands of marks that are made of long texts fill a memory. */
interface Marks {
  /** the path of its address, where it is that of one entry alone: one that many have says nothing */
  readonly path: number | undefined
  /** how its text begins; says enough by itself, and is asked for by itself */
  readonly text: string | undefined
  /** what is its own wherever it stands: how its text begins; title and date, where it says both */
  readonly words: readonly string[]
  /** its words, and each two of path, title and date: one of them may be changed, and a post is still told from others */
  readonly all: readonly string[]
}

interface EntryMarks {
  readonly of: (entry: FeedEntry) => Marks | undefined
  /** those of a post; what no entry has makes none */
  readonly ofPost: (post: MirroredPost) => Marks
  readonly entries: ReadonlyMap<string, FeedEntry>
}

const numbered = (texts: Iterable<string>): ReadonlyMap<string, number> =>
  new Map([...new Set(texts)].filter((text) => text !== '').map((text, number) => [text, number]))

const marksOf = (
  { path, title, text }: Readonly<Record<'path' | 'title' | 'text', number | undefined>>,
  date: string | null,
): Marks => {
  const mark = (what: string, one: number | undefined, other: number | string | null | undefined) =>
    one === undefined || other == null ? [] : [`${what} ${one} ${other}`]
  const ofText = mark('text', text, '')
  const words = [...mark('words', title, date), ...ofText]
  const all = [...mark('title', path, title), ...mark('date', path, date), ...words]
  return { path, text: ofText[0], words, all }
}

/** Shorter beginnings of a text come again, as where each post is a line on its picture. */
const leastText = 100

/**
 * What marks the entries of a blog: worked out at the first asking, and once for all posts. Of a blog as it was nobody asks
 * this, and of one with thousands of posts it takes its time.
 */
export const marksOfEntries = (entries: readonly FeedEntry[]): (() => EntryMarks) =>
  once(() => {
    const paths = numbered(aloneBy(entries, ({ url }) => [pathOf(url)]).keys())
    const titles = numbered(entries.map(titleOf))
    const texts = numbered(entries.flatMap(({ excerpt }) => (excerpt.length < leastText ? [] : [excerpt])))
    const marksAt = (url: string | null, name: string, excerpt: string, date: string | null): Marks =>
      marksOf({ path: paths.get(pathOf(url)), title: titles.get(name), text: texts.get(excerpt) }, date)
    const marks = new Map(
      entries.map((entry) => [entry, marksAt(entry.url, titleOf(entry), entry.excerpt, entry.publishedAt)]),
    )
    const of = (entry: FeedEntry): Marks | undefined => marks.get(entry)
    return {
      of,
      ofPost: ({ externalUrl, title, excerpt, publishedAt }) =>
        marksAt(externalUrl, title, excerpt, publishedAt),
      entries: aloneBy(entries, (entry) => of(entry)?.all ?? []),
    }
  })

/** Which posts the entries of a blog look like, whatever their keys are and wherever the blog is by now. @param marks of these entries */
export const lookAlikes = (posts: readonly MirroredPost[], marks: () => EntryMarks): LookAlikes => {
  const byId = new Map(posts.map((post) => [post.id, post]))
  const marked = once(() => {
    const postsBy = aloneBy(posts, (post) => marks().ofPost(post).all)
    const both = [...postsBy].flatMap(([mark, post]) => {
      const entry = marks().entries.get(mark)
      return entry && marks().of(entry)?.text !== mark ? [{ entry, post }] : []
    })
    return {
      postsBy,
      entriesOf: Map.groupBy(both, ({ post }) => post),
      postsOf: Map.groupBy(both, ({ entry }) => entry),
    }
  })
  const withText = (entry: FeedEntry): string | undefined => {
    const text = posts.length === 0 ? undefined : marks().of(entry)?.text
    if (text === undefined || marks().entries.get(text) !== entry) return undefined
    return marked().postsBy.get(text)?.id
  }
  return {
    withText,
    postOf: (entry) => {
      if (posts.length === 0) return undefined
      const { entriesOf, postsOf } = marked()
      const post = onlyOne(postsOf.get(entry)?.map((pair) => pair.post))
      return post && onlyOne(entriesOf.get(post)?.map((pair) => pair.entry)) === entry ? post.id : undefined
    },
    differ: (entry, id) => {
      const post = byId.get(id)
      if (!post || isForGood(entry)) return false
      if (post.publishedAt === entry.publishedAt || post.title === titleOf(entry)) return false
      const [ofEntry, ofPost] = [marks().of(entry), marks().ofPost(post)]
      const isAtPath = !goesByAddress(entry) && ofEntry?.path !== undefined && ofEntry.path === ofPost.path
      if (isAtPath || withText(entry) === id) return false
      return (
        ofPost.words.some((each) => marks().entries.has(each)) ||
        ofEntry?.words.some((each) => marked().postsBy.has(each)) === true
      )
    },
  }
}
