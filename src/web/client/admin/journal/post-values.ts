import type { BlogPost } from '#web/contract/journal.ts'

/** What the pencil edits. An empty excerpt or image of her own is a real value: it shows none. */
export type PostValues = { title: string; excerpt: string; imageUrl: string }

export const OVERRIDABLE = ['title', 'excerpt', 'imageUrl'] as const
export type Overridable = (typeof OVERRIDABLE)[number]

export function valuesOf({ title, excerpt, imageUrl }: BlogPost): PostValues {
  return { title, excerpt, imageUrl: imageUrl ?? '' }
}

/** Whether she has words of her own in that field. */
export function isOwn(post: BlogPost, field: Overridable): boolean {
  return (post.overrides?.[field] ?? null) !== null
}

/**
 * The body of the PUT: changed fields as overrides, dropped ones as null, which brings the blog's own back.
 * @param changes the fields that were typed in
 * @param dropped the fields whose override she wants to be rid of
 */
export function bodyOf(
  changes: Partial<PostValues>,
  dropped: ReadonlySet<Overridable>,
): Partial<Record<Overridable, string | null>> {
  const nulls = Object.fromEntries([...dropped].map((field) => [field, null]))
  return { ...changes, ...nulls }
}
