import type { CallName } from '#web/contract/calls.ts'
import { type ChangeStreams } from './change-streams.ts'
import type { WebDeps } from './deps.ts'
import type { PublicLists } from './public-lists.ts'
import type { Routes } from './route.ts'
import { accountRoutes } from './routes/accounts.ts'
import { activityRoutes } from './routes/activity.ts'
import { artworkRoutes } from './routes/artworks.ts'
import { changeRoutes } from './routes/changes.ts'
import { imageRoutes } from './routes/images.ts'
import { journalRoutes } from './routes/journal.ts'
import { messageRoutes } from './routes/messages.ts'
import { siteContentRoutes } from './routes/site-content.ts'
import { statusRoutes } from './routes/status.ts'
import { taxonomyRoutes } from './routes/taxonomy.ts'
import type { SessionKeeper } from './session.ts'

/** A route for every call of the contract: one that lacks here does not compile. */
export const allRoutes = (
  deps: WebDeps,
  lists: PublicLists,
  keeper: SessionKeeper,
  streams: ChangeStreams,
): Routes<CallName> => ({
  ...accountRoutes(deps, keeper, streams),
  ...siteContentRoutes(deps, lists),
  ...artworkRoutes(deps, lists),
  ...taxonomyRoutes(deps, lists),
  ...journalRoutes(deps, lists),
  ...messageRoutes(deps),
  ...imageRoutes(deps),
  ...activityRoutes(deps),
  ...changeRoutes(streams, keeper),
  ...statusRoutes(deps),
})
