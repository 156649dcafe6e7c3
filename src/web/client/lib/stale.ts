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
} from '#web/contract/addresses.ts'
import type { ChangedModel } from '#web/contract/changes.ts'
import { keyOf } from './queries.ts'

const samples = keyOf(countSamples, {})

/** Which lists a change makes stale: the one place that says so, for the dashboard and for the page. */
const STALE: Readonly<Record<ChangedModel, readonly QueryKey[]>> = {
  artworks: [keyOf(listArtworks, {}), keyOf(listArtworks, { query: { deleted: 'true' } }), samples],
  categories: [keyOf(listCategories, {}), samples],
  mediums: [keyOf(listMediums, {}), samples],
  'site-content': [keyOf(getSiteContent, {}), samples],
  'blog-posts': [keyOf(listBlogPosts, {}), samples],
  'contact-messages': [keyOf(listContactMessages, {})],
  activity: [keyOf(listActivity, {})],
  jobs: [keyOf(listJobs, {})],
  sync: [keyOf(getBlogSync, {})],
  status: [keyOf(getStatus, {})],
}

/** The keys of the lists that these changes make stale, each once. */
export const staleBy = (changed: readonly ChangedModel[]): readonly QueryKey[] => [
  ...new Set(changed.flatMap((model) => STALE[model])),
]
