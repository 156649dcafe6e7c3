import type { Lookups } from '#application/app.ts'
import type { Documents } from '#application/ports/documents.ts'
import { artworkPlaces, sampleArtworkIds, worksUsing } from '#projections/artworks/queries.ts'
import { mirroredPosts } from '#projections/journal/queries.ts'

/** What use cases ask of the read models, answered by them. */
export const lookupsIn = (documents: Documents): Lookups => ({
  artworkPlaces: () => artworkPlaces(documents),
  mirroredPosts: () => mirroredPosts(documents),
  sampleArtworkIds: () => sampleArtworkIds(documents),
  worksUsing: (set, ids) => worksUsing(documents, set, ids),
})
