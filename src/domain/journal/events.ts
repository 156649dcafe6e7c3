import { z } from 'zod'
import { keysOf } from '../field-rules.ts'
import { event, type EventOf } from '../event.ts'

/**
 * A post as the blog gives it: HTML already sanitised, images inside still at the blog's addresses until
 * they are copied. `publishedAt` is ISO 8601 or null; `pictureUrl` is the blog's address of the lead image.
 */
const sourcePost = z.strictObject({
  title: z.string(),
  content: z.string(),
  excerpt: z.string(),
  pictureUrl: z.string().nullable(),
  publishedAt: z.string().nullable(),
  externalUrl: z.string().nullable(),
})
export type SourcePost = z.output<typeof sourcePost>
export const sourceFields = keysOf(sourcePost.shape)

export const overrideFields = ['title', 'excerpt', 'imageUrl'] as const
export type OverrideField = (typeof overrideFields)[number]
const override = z.strictObject({
  field: z.enum(overrideFields),
  from: z.string().nullable(),
  to: z.string().nullable(),
})

/** What can happen to one journal post (stream `blogPost-<id>`). */
export const journalEvents = {
  BlogPostImported: event(
    z.strictObject({
      /** the post's own stable key in its feed */
      externalId: z.string(),
      /** the blog it came from, as the owner set it; empty for sample posts */
      blogUrl: z.string(),
      post: sourcePost,
      sample: z.boolean(),
    }),
  ),
  /** The blog's own text was edited there, and the mirror followed. */
  BlogPostRevised: event(z.strictObject({ from: sourcePost, to: sourcePost })),
  /** One image of the post is kept here now: its address at the blog, and ours. */
  BlogPostPictureCopied: event(
    z.strictObject({ sourceUrl: z.string(), imageUrl: z.string(), hash: z.string() }),
  ),
  BlogPostHidden: event(z.strictObject({})),
  BlogPostShown: event(z.strictObject({})),
  /** The owner's own words or image for a post; null means the blog's. */
  BlogPostOverridden: event(override),
  /** The post is gone from the blog, proven by a complete crawl; or it was a sample. */
  BlogPostRemoved: event(z.strictObject({ reason: z.enum(['gone', 'other-blog', 'sample']) })),
  /** A removed post stands in the blog again. */
  BlogPostReturned: event(z.strictObject({ blogUrl: z.string(), post: sourcePost })),
  /** The blog names the post by another key, as after a move to https or to another program. */
  BlogPostKeyChanged: event(z.strictObject({ from: z.string(), to: z.string() })),
} as const
export type JournalEvent = EventOf<typeof journalEvents>

const counts = {
  created: z.int(),
  updated: z.int(),
  removed: z.int(),
  unchanged: z.int(),
  total: z.int(),
}

/** What can happen to the sync with the blog (stream `blog-sync`). */
export const blogSyncEvents = {
  BlogSyncStarted: event(
    z.strictObject({ runId: z.string(), blogUrl: z.string(), trigger: z.enum(['owner', 'schedule']) }),
  ),
  BlogSyncCompleted: event(z.strictObject({ runId: z.string(), ...counts })),
  /** `reason` is a sentence for the owner. */
  BlogSyncFailed: event(z.strictObject({ runId: z.string(), reason: z.string() })),
} as const
export type BlogSyncEvent = EventOf<typeof blogSyncEvents>
