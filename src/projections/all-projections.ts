import { activityProjection } from './activity/activity-view.ts'
import { artworksProjection } from './artworks/artworks-view.ts'
import { imagesProjection } from './images/images-view.ts'
import { blogPostsProjection } from './journal/blog-posts-view.ts'
import { blogSyncProjection } from './journal/blog-sync-view.ts'
import { messagesProjection } from './messages/messages-view.ts'
import type { Projection } from './runtime/projection.ts'
import { siteContentProjection } from './site-content/site-content-view.ts'
import { categoriesProjection, mediumsProjection } from './taxonomy/taxonomy-view.ts'

/** Every read model of the site. */
export const allProjections = [
  artworksProjection,
  imagesProjection,
  categoriesProjection,
  mediumsProjection,
  siteContentProjection,
  blogPostsProjection,
  blogSyncProjection,
  messagesProjection,
  activityProjection,
  // Each is only ever given the documents and events it names itself; a list cannot say that.
] as readonly unknown[] as readonly Projection[]
