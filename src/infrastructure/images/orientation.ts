import type { Sharp } from 'sharp'

/** EXIF orientation: 1 is upright, 2 to 4 are mirrored or upside down, 5 to 8 lie on their side. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

/** The value from a header; anything unknown counts as upright. */
export const orientationOf = (value: number | undefined): Orientation => {
  switch (value) {
    case 2:
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
    case 8:
      return value
    default:
      return 1
  }
}

/** Whether width and height change places when the image is set upright. */
export const liesOnItsSide = (orientation: Orientation): boolean => orientation >= 5

/**
 * Sets small pixels upright. Turning comes after shrinking: a turn needs the whole image in memory, a shrink
 * only a strip of it.
 */
export const setUpright = (image: Sharp, orientation: Orientation): Sharp => {
  switch (orientation) {
    case 1:
      return image
    case 2:
      return image.flop()
    case 3:
      return image.rotate(180)
    case 4:
      return image.flip()
    case 5:
      return image.rotate(90).flop()
    case 6:
      return image.rotate(90)
    case 7:
      return image.rotate(270).flop()
    case 8:
      return image.rotate(270)
  }
}
