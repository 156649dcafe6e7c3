/**
 * What the dashboard reads. A query key's segments joined with slashes are the GET address (specification §7);
 * staleness, retries and refetching follow `lib/queries.ts` of the client: never by themselves. Lists are
 * refetched after a successful change (`useSave`) and when the server announces one (`useChanges`).
 */
import { type QueryKey, type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { AccountSession } from '#web/contract/accounts.ts'
import type { Artwork } from '#web/contract/artworks.ts'
import type { BlogPost, BlogSyncStatus } from '#web/contract/journal.ts'
import type { ContactMessage } from '#web/contract/messages.ts'
import type { SiteContent } from '#web/contract/site-content.ts'
import type { Status } from '#web/contract/status.ts'
import type { Category, Medium } from '#web/contract/taxonomy.ts'

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
  jobs: ['/api', 'jobs'],
  sessions: ['/api', 'account', 'sessions'],
  activity: ['/api', 'activity'],
} as const satisfies Record<string, QueryKey>

/** All works, hidden ones too, in the site's order: never sort them again (decisions 5). */
export const useArtworks = (): UseQueryResult<readonly Artwork[]> => useQuery({ queryKey: KEYS.artworks })

/** Recently deleted works, newest first. */
export const useDeletedArtworks = (): UseQueryResult<readonly Artwork[]> =>
  useQuery({ queryKey: KEYS.deletedArtworks })

/** All categories, inactive ones too, by sortOrder and name. */
export const useCategories = (): UseQueryResult<readonly Category[]> =>
  useQuery({ queryKey: KEYS.categories })

/** All mediums, inactive ones too, by sortOrder and name. */
export const useMediums = (): UseQueryResult<readonly Medium[]> => useQuery({ queryKey: KEYS.mediums })

export const useSiteContent = (): UseQueryResult<SiteContent> => useQuery({ queryKey: KEYS.siteContent })

/** All journal posts, hidden ones too, newest first. */
export const usePosts = (): UseQueryResult<readonly BlogPost[]> => useQuery({ queryKey: KEYS.posts })

/** How the sync with the blog stands. */
export const useSyncStatus = (): UseQueryResult<BlogSyncStatus> => useQuery({ queryKey: KEYS.sync })

/** Messages received, newest first. */
export const useMessages = (): UseQueryResult<readonly ContactMessage[]> =>
  useQuery({ queryKey: KEYS.messages })

/** Version, first password, mail, backup and free space. */
export const useStatus = (): UseQueryResult<Status> => useQuery({ queryKey: KEYS.status })

/** The browsers that are signed in. */
export const useSessions = (): UseQueryResult<readonly AccountSession[]> =>
  useQuery({ queryKey: KEYS.sessions })
