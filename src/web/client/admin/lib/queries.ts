/**
 * What the dashboard reads. A query key's segments joined with slashes are the GET address;
 * staleness, retries and refetching follow `lib/queries.ts` of the client: never by themselves. Lists are
 * refetched after a successful change (`useSave`) and when the server announces one (`useChanges`).
 */
import { type QueryKey, queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { AccountSession } from '#web/contract/accounts.ts'
import type { Artwork } from '#web/contract/artworks.ts'
import type { BlogPost, BlogSyncStatus } from '#web/contract/journal.ts'
import type { ContactMessage } from '#web/contract/messages.ts'
import type { SiteContent } from '#web/contract/site-content.ts'
import type { JobList, Samples, Status } from '#web/contract/status.ts'
import type { Category, Medium } from '#web/contract/taxonomy.ts'
import { call } from '../../lib/api.ts'
import { queryAddress } from '../../lib/queries.ts'

export const KEYS = {
  artworks: ['/api', 'artworks'],
  deletedArtworks: ['/api', 'artworks?deleted=true'],
  categories: ['/api', 'categories'],
  mediums: ['/api', 'mediums'],
  siteContent: ['/api', 'site-content'],
  posts: ['/api', 'blog-posts'],
  sync: ['/api', 'blog-posts', 'sync'],
  messages: ['/api', 'contact-messages'],
  status: ['/api', 'status'],
  samples: ['/api', 'samples'],
  jobs: ['/api', 'jobs'],
  sessions: ['/api', 'account', 'sessions'],
  activity: ['/api', 'activity'],
} as const satisfies Record<string, QueryKey>

/**
 * A list that visitors may read too. Asked for as the owner: after a session's end the visitors' one must not take
 * its place unnoticed.
 */
const ownList = <List>(queryKey: QueryKey) =>
  queryOptions({
    queryKey,
    queryFn: ({ signal }) => call<List>('GET', queryAddress(queryKey), { signal, asOwner: true }),
  })

/** All works, hidden ones too, in the site's order: never sort them again. */
export const useArtworks = (): UseQueryResult<readonly Artwork[]> =>
  useQuery(ownList<readonly Artwork[]>(KEYS.artworks))

/** Recently deleted works, newest first. */
export const useDeletedArtworks = (): UseQueryResult<readonly Artwork[]> =>
  useQuery({ queryKey: KEYS.deletedArtworks })

/** All categories, inactive ones too, by sortOrder and name. */
export const useCategories = (): UseQueryResult<readonly Category[]> =>
  useQuery(ownList<readonly Category[]>(KEYS.categories))

/** All mediums, inactive ones too, by sortOrder and name. */
export const useMediums = (): UseQueryResult<readonly Medium[]> =>
  useQuery(ownList<readonly Medium[]>(KEYS.mediums))

export const useSiteContent = (): UseQueryResult<SiteContent> =>
  useQuery(ownList<SiteContent>(KEYS.siteContent))

/** All journal posts, hidden ones too, newest first. */
export const usePosts = (): UseQueryResult<readonly BlogPost[]> =>
  useQuery(ownList<readonly BlogPost[]>(KEYS.posts))

/** How the sync with the blog stands. */
export const useSyncStatus = (): UseQueryResult<BlogSyncStatus> => useQuery({ queryKey: KEYS.sync })

/** Messages received, newest first. */
export const useMessages = (): UseQueryResult<readonly ContactMessage[]> =>
  useQuery({ queryKey: KEYS.messages })

/** Version, first password, mail, backup and free space. */
export const useStatus = (): UseQueryResult<Status> => useQuery({ queryKey: KEYS.status })

/** What would go with the sample content, and what would stay. */
export const useSamples = (): UseQueryResult<Samples> => useQuery({ queryKey: KEYS.samples })

/** The work behind the scenes, first what has failed for good. @param enabled false: not asked for now */
export const useJobs = (enabled = true): UseQueryResult<JobList> => useQuery({ queryKey: KEYS.jobs, enabled })

/** The browsers that are signed in. */
export const useSessions = (): UseQueryResult<readonly AccountSession[]> =>
  useQuery({ queryKey: KEYS.sessions })
