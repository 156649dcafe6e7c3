import type { RemovalReason } from '#domain/journal/blog-post.ts'
/** Where artworks stand in the owner's order; what placing one among them needs to know. */
export interface ArtworkPlace {
  readonly id: string
  readonly sortOrder: number
  readonly rank: string
}

/** An artwork that is there or can be restored, and what it is filed under. */
export interface ArtworkTerms {
  readonly id: string
  readonly deleted: boolean
  /** sample content that was never changed */
  readonly sample: boolean
  readonly categoryId: string | null
  readonly mediumId: string | null
}

/** A post of the journal with the place that it came from. */
export interface MirroredPost {
  readonly id: string
  /** its key in the feed, as it is kept */
  readonly externalId: string
  /** of the post itself, in the blog; null where it has none */
  readonly externalUrl: string | null
  /** the blog's */
  readonly title: string
  readonly excerpt: string
  readonly publishedAt: string | null
  readonly blogUrl: string
  /** why it was taken away; null while it is there */
  readonly removedFor: RemovalReason | null
  readonly sample: boolean
  /** the owner has changed it: a sample is hers from then on */
  readonly touched: boolean
}

/** What use cases ask of the read models. Answers are hints for a decision, never its guard. */
export interface Lookups {
  /** Every artwork that is not deleted, in the owner's order. */
  readonly artworkPlaces: () => Promise<readonly ArtworkPlace[]>
  /** The rank of the first of them of a sort order; null where there is none. */
  readonly firstRank: (sortOrder: number) => Promise<string | null>
  /** Posts of the journal that are in it now, with the blog they came from. */
  readonly mirroredPosts: () => Promise<readonly MirroredPost[]>
  /** Those that are not any more; of very many the newest. */
  readonly removedPosts: () => Promise<readonly MirroredPost[]>
  /** The hashes in the addresses of the cards of all artworks on show. */
  readonly currentCards: () => Promise<readonly string[]>
  /** Every artwork that is there or can be restored. */
  readonly termsOfArtworks: () => Promise<readonly ArtworkTerms[]>
}
