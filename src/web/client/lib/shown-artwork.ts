import type { Artwork } from '#web/contract/artworks.ts'

/** What no visitor sees of an artwork. */
type OwnersAlone =
  | 'isVisible'
  | 'isAvailable'
  | 'sortOrder'
  | 'version'
  | 'sample'
  | 'imageSource'
  | 'createdAt'
  | 'updatedAt'

/** An artwork as the public page shows it; null stands for a description that is still to be fetched. */
export type ShownArtwork = Omit<Artwork, OwnersAlone | 'description'> & { description: string | null }

/**
 * What visitors see of an artwork. Its placeholder stays out: it stands in the page's styles (`artwork-styles.ts`).
 * @param described whether its description comes with it
 */
export function shown(artwork: Artwork, described: boolean): ShownArtwork {
  const {
    isVisible: _isVisible,
    isAvailable: _isAvailable,
    sortOrder: _sortOrder,
    version: _version,
    sample: _sample,
    imageSource: _imageSource,
    createdAt: _createdAt,
    updatedAt: _updatedAt,
    description,
    image,
    ...rest
  } = artwork
  return {
    ...rest,
    description: described ? description : null,
    image: image && { ...image, placeholder: '' },
  }
}
