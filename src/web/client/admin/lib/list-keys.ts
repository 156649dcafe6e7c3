import type { QueryKey } from '@tanstack/react-query'
import {
  countSamples,
  getBlogSync,
  getSiteContent,
  getStatus,
  listActivity,
  listArtworks,
  listBlogPosts,
  listCategories,
  listContactMessages,
  listJobs,
  listMediums,
  listSessions,
} from '#web/contract/addresses.ts'
import type { ChangedModel } from '#web/contract/changes.ts'
import { type Reading, type SentTo, requestOf } from '../../lib/request.ts'

/** A query's key: the segments of its path, so that the key of a list is the beginning of its works' keys. */
export const keyOf = <A extends Reading>(address: A, sent: SentTo<A>): readonly string[] =>
  requestOf(address, sent).path.split('/')

export const DELETED = { query: { deleted: 'true' } } as const

/** Where each list of the dashboard stands in the cache. */
export const KEYS = {
  artworks: keyOf(listArtworks, {}),
  deletedArtworks: keyOf(listArtworks, DELETED),
  categories: keyOf(listCategories, {}),
  mediums: keyOf(listMediums, {}),
  siteContent: keyOf(getSiteContent, {}),
  posts: keyOf(listBlogPosts, {}),
  sync: keyOf(getBlogSync, {}),
  messages: keyOf(listContactMessages, {}),
  status: keyOf(getStatus, {}),
  samples: keyOf(countSamples, {}),
  jobs: keyOf(listJobs, {}),
  sessions: keyOf(listSessions, {}),
  activity: keyOf(listActivity, {}),
} as const satisfies Record<string, QueryKey>

/** The lists of what an undo may change, or removing the samples. */
export const SITE_KEYS: readonly QueryKey[] = [
  KEYS.activity,
  KEYS.artworks,
  KEYS.deletedArtworks,
  KEYS.siteContent,
  KEYS.categories,
  KEYS.mediums,
  KEYS.posts,
  KEYS.samples,
]

/** Which lists of the dashboard a change makes stale. */
const STALE: Readonly<Record<ChangedModel, readonly QueryKey[]>> = {
  artworks: [KEYS.artworks, KEYS.deletedArtworks, KEYS.samples],
  categories: [KEYS.categories, KEYS.samples],
  mediums: [KEYS.mediums, KEYS.samples],
  'site-content': [KEYS.siteContent, KEYS.samples],
  'blog-posts': [KEYS.posts, KEYS.samples],
  'contact-messages': [KEYS.messages],
  activity: [KEYS.activity],
  jobs: [KEYS.jobs],
  sync: [KEYS.sync],
  status: [KEYS.status],
}

/** The keys of the lists that these changes make stale, each once. */
export const staleBy = (changed: readonly ChangedModel[]): readonly QueryKey[] => [
  ...new Set(changed.flatMap((model) => STALE[model])),
]
