/**
 * What the dashboard reads, as the owner: after a session's end no list of a visitor's must take the place of hers
 * unnoticed. Staleness, retries and refetching follow `lib/queries.ts` of the client: never by themselves. Lists are
 * refetched after a successful change (`useSave`) and when the server announces one (`useChanges`).
 */
import { type QueryKey, useInfiniteQuery, useQuery } from '@tanstack/react-query'
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
import { call } from '../../lib/api.ts'
import { keyOf } from '../../lib/queries.ts'
import { reading } from './reading.ts'

const asOwner = { asOwner: true }
const DELETED = { query: { deleted: 'true' } } as const

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

/** All works, hidden ones too, in the site's order: never sort them again. */
export const useArtworks = () => useQuery(reading(listArtworks, {}, asOwner))

/** Recently deleted artworks, newest first. */
export const useDeletedArtworks = () => useQuery(reading(listArtworks, DELETED, asOwner))

/** All categories, inactive ones too, by sortOrder and name. */
export const useCategories = () => useQuery(reading(listCategories, {}, asOwner))

/** All mediums, inactive ones too, by sortOrder and name. */
export const useMediums = () => useQuery(reading(listMediums, {}, asOwner))

export const useSiteContent = () => useQuery(reading(getSiteContent, {}, asOwner))

/** All journal posts, hidden ones too, newest first. */
export const usePosts = () => useQuery(reading(listBlogPosts, {}, asOwner))

/** How the sync with the blog stands. */
export const useSyncStatus = () => useQuery(reading(getBlogSync, {}, asOwner))

/** Messages received, newest first. */
export const useMessages = () => useQuery(reading(listContactMessages, {}, asOwner))

/** Version, first password, mail, backup and free space. */
export const useStatus = () => useQuery(reading(getStatus, {}, asOwner))

/** What would go with the sample content, and what would stay. */
export const useSamples = () => useQuery(reading(countSamples, {}, asOwner))

/** The jobs behind the scenes, first what has failed for good. @param enabled false: not asked for now */
export const useJobs = (enabled = true) => useQuery({ ...reading(listJobs, {}, asOwner), enabled })

/** The browsers that are signed in. */
export const useSessions = () => useQuery(reading(listSessions, {}, asOwner))

/** What happened, newest first, page by page; only of one artwork when `artworkId` is given. */
export const useActivity = (artworkId: string | null) =>
  useInfiniteQuery({
    queryKey: [...KEYS.activity, artworkId],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        ...(artworkId === null ? {} : { artworkId }),
        ...(pageParam === '' ? {} : { before: pageParam }),
      }
      return call(listActivity, { query, signal, ...asOwner })
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
