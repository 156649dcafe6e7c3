import { activityProjection } from '#projections/activity/activity-view.ts'
import { artworksProjection } from '#projections/artworks/artworks-view.ts'
import { imagesProjection } from '#projections/images/images-view.ts'
import { blogPostsProjection } from '#projections/journal/blog-posts-view.ts'
import { blogSyncProjection } from '#projections/journal/blog-sync-view.ts'
import { messagesProjection } from '#projections/messages/messages-view.ts'
import type { Projection } from '#projections/projection.ts'
import { siteContentProjection } from '#projections/site-content/site-content-view.ts'
import { categoriesProjection, mediumsProjection } from '#projections/taxonomy/taxonomy-view.ts'

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
