/**
 * What the dashboard reads, as the owner: after a session's end no list of a visitor's must take the place of hers
 * unnoticed. Staleness, retries and refetching follow `lib/query-client.ts`: never by themselves. Lists are
 * refetched after a successful change (`useSave`) and when the server tells of one (`useChanges`).
 */
import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
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
import { limits } from '#web/contract/limits.ts'
import { call, type Reading, type SentTo } from '../../lib/api.ts'
import { keyOf } from './stale.ts'

const asOwner = { asOwner: true }

/** How a call is read through the cache. */
export const reading = <A extends Reading>(address: A, sent: SentTo<A>) =>
  queryOptions({
    queryKey: keyOf(address, sent),
    queryFn: ({ signal }) => call(address, { ...sent, ...asOwner, signal }),
  })
/** All artworks, hidden ones too, in the site's order: never sort them again. */
export const useArtworks = () => useQuery(reading(listArtworks, {}))

/** Recently deleted artworks, newest first, page by page. */
export const useDeletedArtworks = () =>
  useInfiniteQuery({
    queryKey: keyOf(listArtworks, { query: { deleted: 'true' } }),
    queryFn: ({ pageParam, signal }) => {
      const query = { deleted: 'true', ...(pageParam === '' ? {} : { before: pageParam }) }
      return call(listArtworks, { query, signal, ...asOwner })
    },
    initialPageParam: '',
    getNextPageParam: (page) => (page.length < limits.listPage ? null : page.at(-1)?.id),
  })

/** All categories, inactive ones too, by sortOrder and name. */
export const useCategories = () => useQuery(reading(listCategories, {}))

/** All mediums, inactive ones too, by sortOrder and name. */
export const useMediums = () => useQuery(reading(listMediums, {}))

export const useSiteContent = () => useQuery(reading(getSiteContent, {}))

/** All journal posts, hidden ones too, newest first. */
const posts = reading(listBlogPosts, { query: { part: 'rows' } })
export const usePosts = () => useQuery(posts)
/** Where they stand in the cache. */
export const POSTS = posts.queryKey

/** How the sync with the blog stands. */
export const useSyncStatus = () => useQuery(reading(getBlogSync, {}))

/** Messages received, newest first. */
export const useMessages = () => useQuery(reading(listContactMessages, {}))

/** Version, first password, mail, backup and free space. */
export const useStatus = () => useQuery(reading(getStatus, {}))

/** What would go with the sample content, and what would stay. */
export const useSamples = () => useQuery(reading(countSamples, {}))

/** The jobs behind the scenes, first what has failed for good. @param enabled false: not asked for now */
export const useJobs = (enabled = true) => useQuery({ ...reading(listJobs, {}), enabled })

/** The browsers that are signed in: nobody tells of a new one, so they are asked for whenever they are looked at. */
export const useSessions = () => useQuery({ ...reading(listSessions, {}), staleTime: 0 })

/** What happened, newest first, page by page; only of one artwork when `artworkId` is given. */
export const useActivity = (artworkId: string | null) =>
  useInfiniteQuery({
    queryKey: [...keyOf(listActivity, {}), artworkId],
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
