/** Steps of the public variants in pixels. */
const STEPS = [320, 640, 960, 1280, 1920, 2560] as const
const WIDEST = 2560

/**
 * Encoding the largest AVIF takes about 31 bytes of memory a pixel: this many pixels keep the helper process
 * under 400 MB, and let a 2:3 portrait have its full 2560 × 3840.
 */
const MOST_PIXELS = 10_000_000

/**
 * The widths an image is offered in: each step below its own width, and that width itself up to 2560 px; a very tall one ends at the width that holds ten million pixels. Takes the upright size in
 * pixels; ascending, never empty.
 */
export const variantWidths = (width: number, height: number): readonly number[] => {
  const bounded = Math.floor(Math.sqrt((MOST_PIXELS * width) / height))
  const widest = Math.max(1, Math.min(width, WIDEST, bounded))
  return [...STEPS.filter((step) => step < widest), widest]
}

/** The height that goes with a width, never under one pixel. */
export const heightFor = (
  width: number,
  original: { readonly width: number; readonly height: number },
): number => {
  return Math.max(1, Math.round((width * original.height) / original.width))
}
