/** In pixels, of the image as it stands upright. */
interface Size {
  readonly width: number
  readonly height: number
}

const steps = [320, 640, 960, 1280, 1920] as const
const widestMade = 2560

/**
 * Encoding the largest AVIF takes about 31 bytes of memory a pixel: this many pixels keep the helper process
 * under 400 MB, and let a 2:3 portrait have its full 2560 × 3840.
 */
const mostPixels = 10_000_000

/**
 * The widths that variants of an image are made in and named by, in pixels: each step below its own width, and that
 * width itself up to 2560; a very tall one ends at the width that holds ten million pixels. Ascending, never empty.
 */
export const variantWidths = ({ width, height }: Size): readonly number[] => {
  const bounded = Math.floor(Math.sqrt((mostPixels * width) / height))
  const widest = Math.max(1, Math.min(width, widestMade, bounded))
  return [...steps.filter((step) => step < widest), widest]
}

/** The height that goes with a width, never under one pixel. */
export const heightFor = (width: number, original: Size): number =>
  Math.max(1, Math.round((width * original.height) / original.width))
