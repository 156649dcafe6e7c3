import { z } from 'zod'
import { overrideRules } from '#domain/journal/blog-post.ts'
import { acceptedBody, errorBody } from './errors.ts'
import { changed, defineCalls, listOf } from './call.ts'
import {
  absentWhenEmpty,
  changeBody,
  count,
  id,
  idParams,
  oneOf,
  nullWhenEmpty,
  requiredText,
  textOrNull,
  timestamp,
  yesOrNo,
} from './field-schemas.ts'

/** One journal post. `content` and `overrides` are there for the owner only. */
export const blogPost = z.strictObject({
  id: id(),
  title: z.string(),
  content: z.string().exactOptional(),
  excerpt: z.string(),
  imageUrl: z.string().nullable(),
  publishedAt: timestamp().nullable(),
  externalUrl: z.string(),
  isExternal: z.boolean(),
  isVisible: z.boolean(),
  version: z.int(),
  /** the owner's own words where she has any; null where the blog's are shown. An image that is not shown has not come yet */
  overrides: z
    .strictObject({
      title: z.string().nullable(),
      excerpt: z.string().nullable(),
      imageUrl: z.string().nullable(),
    })
    .exactOptional(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type BlogPost = z.output<typeof blogPost>

/**
 * Which part of the posts is listed, without their content: `page` what the page shows, also to the owner, and whether there are
 * more; `rows` all of them. Other query keys are ignored.
 */
const postFilter = z.object({
  part: absentWhenEmpty(z.enum(['page', 'rows'], 'part must be page or rows')),
})

/** A change to a post: only the keys that were sent; null drops an override. */
export const blogPostChange = changeBody(
  oneOf(
    'id',
    'createdAt',
    'updatedAt',
    'version',
    'content',
    'publishedAt',
    'externalUrl',
    'isExternal',
    'overrides',
  ),
  {
    isVisible: yesOrNo('Visible'),
    title: requiredText(overrideRules.title).nullable(),
    excerpt: textOrNull(overrideRules.excerpt),
    imageUrl: nullWhenEmpty(overrideRules.imageUrl),
  },
)

const counts = {
  created: count(),
  updated: count(),
  removed: count(),
  unchanged: count(),
  total: count(),
}

/** What a finished sync did. */
export const blogSyncResult = z.strictObject({ ...counts, finishedAt: timestamp() })
export type BlogSyncResult = z.output<typeof blogSyncResult>

/** How the sync stands; the counts are those of the last finished run, 0 before the first. */
export const blogSyncStatus = z.strictObject({
  running: z.boolean(),
  finishedAt: timestamp().nullable(),
  ...counts,
  error: z.string().nullable(),
  nextAt: timestamp().nullable(),
})
export type BlogSyncStatus = z.output<typeof blogSyncStatus>

export const journalCalls = defineCalls('journal', {
  listBlogPosts: {
    summary: 'The visible journal posts, newest first; signed in, all with their content',
    access: 'anyone',
    query: postFilter,
    answers: listOf(blogPost),
  },
  changeBlogPost: {
    summary: 'Shows or hides a post, or sets the own title, excerpt and picture',
    params: idParams,
    body: blogPostChange,
    answers: changed(blogPost),
  },
  getBlogSync: {
    summary: 'How the sync with the external blog stands',
    answers: { 200: blogSyncStatus, 304: null },
  },
  syncBlogPosts: {
    summary: 'Pulls the posts from the external blog and waits for the result',
    answers: { 200: blogSyncResult, 202: acceptedBody, 409: errorBody, 502: errorBody },
  },
})
