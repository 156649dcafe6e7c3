import type { CallName } from '#web/contract/calls.ts'
import { type ChangeStreams } from './live/change-streams.ts'
import type { WebDeps } from './deps.ts'
import type { PublicLists } from './public-lists.ts'
import type { Routes } from './call/route.ts'
import { accountRoutes } from './accounts/accounts.ts'
import { activityRoutes } from './activity/activity.ts'
import { artworkRoutes } from './artworks/artworks.ts'
import { changeRoutes } from './live/changes.ts'
import { imageRoutes } from './images/images.ts'
import { journalRoutes } from './journal/journal.ts'
import { messageRoutes } from './messages/messages.ts'
import { siteContentRoutes } from './site-content/site-content.ts'
import { statusRoutes } from './status.ts'
import { taxonomyRoutes } from './taxonomy/taxonomy.ts'
import type { SessionKeeper } from './call/session.ts'

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
  ...changeRoutes(deps, streams, keeper),
  ...statusRoutes(deps),
})
