import type { MirroredPost } from '#application/ports/lookups.ts'
import { othersFirst } from '#application/kernel/turns.ts'
import type { DocumentQuery, Documents } from '#application/kernel/ports/documents.ts'
import type { HtmlSanitiser } from '#application/ports/html.ts'
import { copyOf, effectivePost, keptAddress } from '#domain/journal/blog-post.ts'
import { type BlogPostDoc, blogPostsProjection } from './blog-posts-view.ts'
import { type BlogSyncDoc, blogSyncId, blogSyncProjection } from './blog-sync-view.ts'
import type { SyncCounts } from '#domain/journal/blog-sync.ts'

const { view } = blogPostsProjection
const newestFirst = [{ field: 'shownAt', descending: true }] as const

/** One journal post as visitors get it, key for key. */
const answer = (doc: BlogPostDoc) => ({
  id: doc.id,
  ...effectivePost(doc),
  publishedAt: doc.post.publishedAt,
  externalUrl: doc.post.externalUrl ?? '',
  isExternal: !doc.sample,
  isVisible: doc.isVisible,
  version: doc.version,
  createdAt: doc.createdAt,
  updatedAt: doc.updatedAt,
})

/** Sanitised once more, with our copies of its images; one that is not copied yet is left out. */
const contentOf = ({ post, images }: BlogPostDoc, html: HtmlSanitiser): string =>
  html.journal(post.content, {
    baseUrl: post.externalUrl,
    imageFor: (sourceUrl) => copyOf(images, sourceUrl)?.imageUrl ?? null,
  })

/** Her own words. Her image is named as it is shown; by the address that she gave while no image came from there. */
const overridesOf = ({ overrides, images }: BlogPostDoc) => ({
  ...overrides,
  imageUrl: keptAddress(images, overrides.imageUrl) ?? overrides.imageUrl,
})

/** The same for the owner. */
const ownAnswer = (doc: BlogPostDoc, html: HtmlSanitiser) => ({
  ...answer(doc),
  content: contentOf(doc, html),
  overrides: overridesOf(doc),
})

/** Posts are long: never more of them are in memory at once. */
const atOnce = 20

/** What is wanted of each post in the journal, newest first; of all of them, unless `after`, `limit` and `isEnough` say otherwise. */
const ofPosts = async <T>(
  documents: Documents,
  { where = {}, after, limit = Infinity }: Pick<DocumentQuery, 'where' | 'after' | 'limit'>,
  wanted: (doc: BlogPostDoc) => T | Promise<T>,
  isEnough: () => boolean = () => false,
): Promise<readonly T[]> => {
  const found: T[] = []
  for (let seen = after; ; ) {
    const most = Math.min(atOnce, limit - found.length)
    const docs: readonly BlogPostDoc[] = await documents.find<BlogPostDoc>(view, {
      where: { status: 'present', ...where },
      order: newestFirst,
      ...(seen === undefined ? {} : { after: seen }),
      limit: most,
    })
    for (const doc of docs) found.push(await wanted(doc))
    const last = docs.at(-1)
    // Fewer than asked for are not the last ones: what cannot be read is left out.
    if (last === undefined || found.length >= limit || isEnough()) return found
    seen = [last.shownAt, last.id]
    await othersFirst()
  }
}

/** What visitors see, as far as its date has come. */
const visible = { status: 'present', isVisible: true }
/** Between the posts whose date has come and the others: no id is greater than this one. */
const borderAt = (now: Date): readonly string[] => [now.toISOString(), '\uffff']

/** The visible posts whose date has come, without their content, newest first. @param limit all unless given */
export const listVisiblePosts = (documents: Documents, now: Date, limit = Infinity) =>
  ofPosts(documents, { where: visible, after: borderAt(now), limit }, answer)

/** The dates of the newest post that visitors see and of the next one that they will; null where there is none. */
export const datesAround = async (
  documents: Documents,
  now: Date,
): Promise<{ readonly newest: string | null; readonly next: string | null }> => {
  // More than one, as what cannot be read is left out.
  const nearest = { where: visible, after: borderAt(now), limit: atOnce }
  const [[newest], [next]] = await Promise.all([
    documents.find<BlogPostDoc>(view, { ...nearest, order: newestFirst }),
    documents.find<BlogPostDoc>(view, { ...nearest, order: [{ field: 'shownAt' }] }),
  ])
  return { newest: newest?.shownAt ?? null, next: next?.shownAt ?? null }
}

/** All posts for the owner, newest first, without their content, which makes a long list of long posts. */
export const listPostRows = (documents: Documents) =>
  ofPosts(documents, {}, (doc) => ({ ...answer(doc), overrides: overridesOf(doc) }))

/** All posts with their content, for the owner, newest first. */
export const listAllPosts = (documents: Documents, html: HtmlSanitiser) =>
  ofPosts(documents, {}, async (doc) => {
    // Long posts take long to sanitise: others are served between two of them.
    await othersFirst()
    return ownAnswer(doc, html)
  })

/** One post for the owner; null when it is not in the journal. */
export const findPost = async (documents: Documents, html: HtmlSanitiser, id: string) => {
  const doc = await documents.get<BlogPostDoc>(view, id)
  return doc?.status === 'present' ? ownAnswer(doc, html) : null
}

const mirrored = ({ id, post, ...doc }: BlogPostDoc): MirroredPost => ({
  id,
  externalId: doc.externalId,
  externalUrl: post.externalUrl,
  title: post.title,
  excerpt: post.excerpt,
  publishedAt: post.publishedAt,
  blogUrl: doc.blogUrl,
  removedFor: doc.removedFor,
  sample: doc.sample,
  touched: doc.touched,
})

/** What the sync compares the blog with: every post that is in the journal now. */
export const mirroredPosts = (documents: Documents): Promise<readonly MirroredPost[]> =>
  ofPosts(documents, {}, mirrored)

/** A blog may have new posts at every sync: of those that are gone so many are looked through, the newest. */
const removedLooked = 10_000
/** And so much of their keys and addresses, in characters: of a blog as blogs are those of 10,000 posts have a quarter of it. */
const removedText = 10_000_000

/** Those that were taken away. */
export const removedPosts = (documents: Documents): Promise<readonly MirroredPost[]> => {
  let text = 0
  const weighed = (doc: BlogPostDoc): MirroredPost => {
    text += doc.externalId.length + (doc.post.externalUrl ?? '').length
    return mirrored(doc)
  }
  const query = { where: { status: 'removed' }, limit: removedLooked }
  return ofPosts(documents, query, weighed, () => text >= removedText)
}

/**
 * How the sync stands; the counts are those of the last run that went well.
 * @param nextAt when the schedule runs next, known only to who runs it
 */
export const getBlogSync = async (documents: Documents, nextAt: string | null) => {
  const doc = await documents.get<BlogSyncDoc>(blogSyncProjection.view, blogSyncId)
  return {
    running: doc !== null && doc.runId !== null,
    finishedAt: doc?.finishedAt ?? null,
    created: doc?.created ?? 0,
    updated: doc?.updated ?? 0,
    removed: doc?.removed ?? 0,
    unchanged: doc?.unchanged ?? 0,
    total: doc?.total ?? 0,
    error: doc?.error ?? null,
    nextAt,
  }
}

/** How one run came out: its result once it has ended last, null while it runs or is not the last. */
export const syncOutcome = async (
  documents: Documents,
  runId: string,
): Promise<({ readonly finishedAt: string } & SyncCounts) | { readonly error: string } | null> => {
  const doc = await documents.get<BlogSyncDoc>(blogSyncProjection.view, blogSyncId)
  if (doc?.endedRunId !== runId || doc.finishedAt === null) return null
  if (doc.error !== null) return { error: doc.error }
  const { finishedAt, created, updated, removed, unchanged, total } = doc
  return { finishedAt, created, updated, removed, unchanged, total }
}
