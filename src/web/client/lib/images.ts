import type { Artwork } from '#web/contract/artworks.ts'

/** The widths that variants are made in, below the image's own width, which is the last one. */
const WIDTH_STEPS = [320, 640, 960, 1280, 1920] as const
const LARGEST_WIDTH = 2560
/** A very tall image ends at the width that holds so many pixels; variants are made by the same rule. */
const MOST_PIXELS = 10_000_000
const OWN = /^(\/images\/[0-9a-f]+)\/original-view\.jpg$/
const FORMATS = [
  { extension: 'avif', type: 'image/avif' },
  { extension: 'webp', type: 'image/webp' },
] as const

export type ImageSource = { type: string; srcSet: string }
export type Image = {
  /** the JPEG that works anywhere, as wide as the widest variant */
  src: string
  /** better formats, best first; empty while no variants exist */
  sources: readonly ImageSource[]
  /** in pixels; null when nothing is known of the image */
  width: number | null
  height: number | null
}

/** The widths of an image's variants, ascending, for the size of the upright original in pixels. */
export function widthsOf({ width, height }: { width: number; height: number }): readonly number[] {
  const bounded = Math.floor(Math.sqrt((MOST_PIXELS * width) / height))
  const widest = Math.max(1, Math.min(width, LARGEST_WIDTH, bounded))
  return [...WIDTH_STEPS.filter((step) => step < widest), widest]
}

/**
 * Everything an `img` with its `image` needs to show an artwork; null when it has no image at all.
 * @param most leaves out variants wider than this, in pixels, where the place is never so wide; the narrowest stays
 */
export function imageOf(
  artwork: { imageUrl: string; image: { width: number; height: number; ready: boolean } | null },
  most: number = LARGEST_WIDTH,
): Image | null {
  if (!artwork.imageUrl) return null
  const { image, imageUrl } = artwork
  const folder = OWN.exec(imageUrl)?.[1]
  const size = { width: image?.width ?? null, height: image?.height ?? null }
  if (!folder || !image?.ready) return { src: imageUrl, sources: [], ...size }
  const widths = widthsOf(image).filter((width, index) => width <= most || index === 0)
  const srcSet = (extension: string): string =>
    widths.map((width) => `${folder}/${width}.${extension} ${width}w`).join(', ')
  return {
    src: `${folder}/${widths.at(-1)}.jpg`,
    sources: FORMATS.map(({ extension, type }) => ({ type, srcSet: srcSet(extension) })),
    ...size,
  }
}

/** The largest public JPEG, for zooming. */
export function largestOf(artwork: Pick<Artwork, 'imageUrl' | 'image'>): string {
  return artwork.imageUrl
}
