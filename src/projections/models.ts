/** What the change stream calls the lists that views are behind; it tells of some more (`web/contract/changes.ts`). */
export type ProjectedModel =
  | 'artworks'
  | 'categories'
  | 'mediums'
  | 'site-content'
  | 'blog-posts'
  | 'contact-messages'
  | 'activity'
  | 'sync'
