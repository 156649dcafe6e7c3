import type { CallName } from '#web/contract/calls.ts'
import type { WebDeps } from './deps.ts'
import type { PublicLists } from './public-lists.ts'
import type { Routes } from './route.ts'
import { accountRoutes } from './routes/accounts.ts'
import { artworkRoutes } from './routes/artworks.ts'
import { imageRoutes } from './routes/images.ts'
import { siteContentRoutes } from './routes/site-content.ts'
import { taxonomyRoutes } from './routes/taxonomy.ts'
import type { SessionKeeper } from './session.ts'

/** Calls of the contract that have no route yet. */
export const laterCalls = [
  'listBlogPosts',
  'changeBlogPost',
  'getBlogSync',
  'syncBlogPosts',
  'sendEnquiry',
  'sendEnquiryForm',
  'listContactMessages',
  'markMessageRead',
  'deleteMessage',
  'listActivity',
  'undoActivity',
  'listenForChanges',
  'getStatus',
  'listJobs',
  'removeSamples',
  'getOpenApi',
] as const satisfies readonly CallName[]

/** Every call that is served. */
export type ServedCall = Exclude<CallName, (typeof laterCalls)[number]>

/** The routes of all modules, and how to end what they keep open. */
export const allRoutes = (
  deps: WebDeps,
  lists: PublicLists,
  keeper: SessionKeeper,
): { readonly routes: Routes<ServedCall>; readonly close: () => Promise<void> } => ({
  routes: {
    ...accountRoutes(deps, keeper),
    ...siteContentRoutes(deps, lists),
    ...artworkRoutes(deps, lists),
    ...taxonomyRoutes(deps, lists),
    ...imageRoutes(deps),
  },
  close: async () => {},
})
