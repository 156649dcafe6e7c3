import type { QueryKey } from '@tanstack/react-query'
import {
  changeCategory,
  changeFirstSteps,
  changeMedium,
  changePassword,
  countSamples,
  endOtherSessions,
  endSession,
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
  removeSamples,
  syncBlogPosts,
  undoActivity,
} from '#web/contract/addresses.ts'
import type { ChangedModel } from '#web/contract/changes.ts'
import { type Command, type Reading, requestOf, type SentTo } from '../../lib/api.ts'

/** What can change, by the names of the change stream; of the browsers that are signed in that one says nothing. */
export type Changed = ChangedModel | 'sessions'

/**
 * Which lists of the dashboard a change makes stale, and all that is read below their addresses. The page's own lists are
 * named as the change itself (`lib/page-queries.ts`).
 */
const STALE: Readonly<Record<Changed, readonly Reading[]>> = {
  // Categories and mediums say how many artworks use them, and messages what the artwork that they ask about is called.
  artworks: [listArtworks, listCategories, listMediums, listContactMessages, countSamples],
  categories: [listCategories, countSamples],
  mediums: [listMediums, countSamples],
  // The status says whether letters are mailed to the saved address.
  'site-content': [getSiteContent, getStatus, countSamples],
  'blog-posts': [listBlogPosts, countSamples],
  'contact-messages': [listContactMessages],
  activity: [listActivity],
  jobs: [listJobs],
  sync: [getBlogSync],
  status: [getStatus],
  sessions: [listSessions],
}

const SITE = ['artworks', 'categories', 'mediums', 'site-content', 'blog-posts'] as const

/** What a call changes is named in its path, `/api/artworks/{id}`. These change something else, or more than that. */
const CHANGES = {
  // A new name goes to the artworks that bear it.
  [changeCategory]: ['categories', 'artworks'],
  [changeMedium]: ['mediums', 'artworks'],
  [syncBlogPosts]: ['blog-posts', 'sync'],
  [undoActivity]: SITE,
  [removeSamples]: SITE,
  [changePassword]: ['status', 'sessions'],
  [changeFirstSteps]: ['status'],
  [endSession]: ['sessions'],
  [endOtherSessions]: ['sessions'],
} as const satisfies Partial<Record<Command, readonly Changed[]>>

type Listed = keyof typeof CHANGES
type NamedInPath = Extract<Command, `${string} /api/${ChangedModel}${'' | `/${string}`}`>
/** A call of which it is known what it changes. */
export type ChangingCall = Listed | NamedInPath

const isListed = (call: ChangingCall): call is Listed => call in CHANGES

/** What a call changes. */
export const changedBy = (call: ChangingCall): readonly Changed[] =>
  // By its type one that is not listed has the name in its path.
  isListed(call) ? CHANGES[call] : [call.split('/')[2] as ChangedModel]

/** A query's key: the segments of its path and its query, so that the key of a list is the beginning of its artworks' keys. */
export const keyOf = <A extends Reading>(address: A, sent: SentTo<A>): QueryKey =>
  requestOf(address, sent).path.replace('?', '/?').split('/')

/** Whether a list is one that she reads as the owner. */
export const isOwners = ({ queryKey }: { queryKey: QueryKey }): boolean => queryKey[1] === 'api'

/** The keys of the lists that these changes make stale, each once. */
export const staleBy = (changed: readonly Changed[]): readonly QueryKey[] =>
  [...new Set(changed.flatMap((model) => STALE[model]))].map((address) => keyOf(address, {}))

/** The same of changes of her own, of which the activity tells. */
export const staleBySave = (changed: readonly Changed[]): readonly QueryKey[] =>
  staleBy([...changed, 'activity'])
