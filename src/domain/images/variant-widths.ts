/** In pixels, of the image as it stands upright. */
interface Size {
  readonly width: number
  readonly height: number
}

/** Of every share image. */
export const cardSize = { width: 1200, height: 630 } as const

const steps = [320, 640, 960, 1280, 1920] as const
const widestMade = 2560

/**
 * Encoding the largest AVIF takes about 31 bytes of memory a pixel: this many pixels keep the helper process
 * under 400 MB, and let a 2:3 portrait have its full 2560 × 3840.
 */
const mostPixels = 10_000_000

/** The image's own width up to 2560; of a very tall one the width that holds ten million pixels. */
export const widestVariant = ({ width, height }: Size): number =>
  Math.max(1, Math.min(width, widestMade, Math.floor(Math.sqrt((mostPixels * width) / height))))

/**
 * The widths that variants of an image are made in and named by, in pixels: each step below the widest, and that.
 * Ascending.
 */
export const variantWidths = (original: Size): readonly number[] => {
  const widest = widestVariant(original)
  return [...steps.filter((step) => step < widest), widest]
}

/** The height that goes with a width, never under one pixel. */
export const heightFor = (width: number, original: Size): number =>
  Math.max(1, Math.round((width * original.height) / original.width))
