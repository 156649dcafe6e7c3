import { join } from 'node:path'
import sharp from 'sharp'

/** A photograph as a phone saves it, and the same image as it should look. */
export interface PhoneImage {
  readonly jpeg: Buffer
  /** sRGB pixels, upright, three bytes each */
  readonly upright: Buffer
  readonly width: number
  readonly height: number
}

/**
 * Photographs a sample painting with a phone held upright: the sensor's pixels lie on their side (EXIF
 * orientation 6), in Display P3, with the place where it was taken.
 * @param width of the upright image, in pixels; its height is a third more
 */
export const photographed = async (width: number): Promise<PhoneImage> => {
  const height = Math.round((width * 4) / 3)
  const painting = join(import.meta.dirname, '../../samples/gulmohar.jpg')
  const upright = await sharp(painting).resize(width, height).removeAlpha().raw().toBuffer()
  const jpeg = await sharp(upright, { raw: { width, height, channels: 3 } })
    .rotate(270)
    .withExif({
      IFD0: { Make: 'Phone', Model: 'Camera of the studio' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '18/1 55/1 0/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '72/1 50/1 0/1',
      },
    })
    .withMetadata({ orientation: 6 })
    .withIccProfile('p3')
    .jpeg({ quality: 92, chromaSubsampling: '4:2:0' })
    .toBuffer()
  return { jpeg, upright, width, height }
}
