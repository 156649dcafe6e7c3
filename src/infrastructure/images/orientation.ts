import type { Sharp } from 'sharp'

/** EXIF orientation: 1 is upright, 2 to 4 are mirrored or upside down, 5 to 8 lie on their side. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

/** How each is set upright. */
const turns: Readonly<Record<Orientation, (image: Sharp) => Sharp>> = {
  1: (image) => image,
  2: (image) => image.flop(),
  3: (image) => image.rotate(180),
  4: (image) => image.flip(),
  5: (image) => image.rotate(90).flop(),
  6: (image) => image.rotate(90),
  7: (image) => image.rotate(270).flop(),
  8: (image) => image.rotate(270),
}

const isOrientation = (value: number): value is Orientation => value in turns

/** The value from a header; anything unknown counts as upright. */
export const orientationOf = (value = 1): Orientation => (isOrientation(value) ? value : 1)

/** Whether width and height change places when the image is set upright. */
export const liesOnItsSide = (orientation: Orientation): boolean => orientation >= 5

/**
 * Sets small pixels upright. Turning comes after shrinking: a turn needs the whole image in memory, a shrink
 * only a strip of it.
 */
export const setUpright = (image: Sharp, orientation: Orientation): Sharp => turns[orientation](image)
