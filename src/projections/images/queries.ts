import type { Documents } from '#application/kernel/ports/documents.ts'
import { type ImageDoc, imagesProjection } from './images-view.ts'

/** What a page needs of an image before it has arrived. */
export type ImageLook = Pick<ImageDoc, 'width' | 'height' | 'placeholder' | 'color' | 'ready'>

const lookOf = ({ width, height, placeholder, color, ready }: ImageDoc): ImageLook => ({
  width,
  height,
  placeholder,
  color,
  ready,
})

/** Everything known of one image; null for a hash that is not kept here. */
export const findImage = (documents: Documents, hash: string): Promise<ImageDoc | null> =>
  documents.get<ImageDoc>(imagesProjection.view, hash)

/** The looks of these images by hash; images that are not kept here are left out. */
export const imageLooks = async (
  documents: Documents,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, ImageLook>> => {
  const unique = [...new Set(hashes)]
  if (unique.length === 0) return new Map()
  const found = await documents.getMany<ImageDoc>(imagesProjection.view, unique)
  return new Map(found.map((doc) => [doc.id, lookOf(doc)]))
}
