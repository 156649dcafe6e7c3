import { imageHashIn, variantUrlOf, variantWidths } from '#web/contract/artwork-address.ts'

export type ImageSource = { type: string; srcSet: string }
export type ImageSources = {
  /** the JPEG that works anywhere, as wide as the widest variant */
  src: string
  /** better formats, best first; empty while no variants exist */
  sources: readonly ImageSource[]
  /** in pixels; null when nothing is known of the image */
  width: number | null
  height: number | null
}

/**
 * Everything an `img` with its `image` needs to show an artwork; null when it has no image at all.
 * @param most leaves out variants wider than this, in pixels, where the place is never so wide; the narrowest stays
 */
export function imageOf(
  artwork: { imageUrl: string; image: { width: number; height: number; ready: boolean } | null },
  most = Number.POSITIVE_INFINITY,
): ImageSources | null {
  if (!artwork.imageUrl) return null
  const { image, imageUrl } = artwork
  const hash = imageHashIn(imageUrl)
  const size = { width: image?.width ?? null, height: image?.height ?? null }
  if (!hash || !image?.ready) return { src: imageUrl, sources: [], ...size }
  const widths = variantWidths(image).filter((width, index) => width <= most || index === 0)
  const srcSet = (extension: string): string =>
    widths.map((width) => `${variantUrlOf(hash, width, extension)} ${width}w`).join(', ')
  return {
    src: variantUrlOf(hash, widths.at(-1), 'jpg'),
    sources: ['avif', 'webp'].map((format) => ({ type: `image/${format}`, srcSet: srcSet(format) })),
    ...size,
  }
}
