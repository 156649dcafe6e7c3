import sharp, { type Sharp } from 'sharp'
import type { Tasks } from './protocol.ts'
import { setUpright } from './orientation.ts'
import { decodeAt, readOriginal, readingOf, type Original } from './reading.ts'

const longerSide = 1600
const viewQuality = 80
/** characters of the whole data URL */
const placeholderLimit = 400
const placeholderHead = 'data:image/webp;base64,'
/** longer side in pixels and quality, best first; the last one fits whatever the image shows */
const placeholderTries = [
  [16, 50],
  [16, 20],
  [12, 20],
  [8, 10],
] as const

interface Raster {
  readonly data: Buffer
  readonly info: { readonly width: number; readonly height: number; readonly channels: 1 | 2 | 3 | 4 }
}

const open = ({ data, info }: Raster): Sharp =>
  sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })

const placeholderOf = async (raster: Raster): Promise<string> => {
  for (const [side, quality] of placeholderTries) {
    const tiny = await open(raster)
      .resize({ width: side, height: side, fit: 'inside' })
      .webp({ quality, smartSubsample: true })
      .toBuffer()
    const url = placeholderHead + tiny.toString('base64')
    if (url.length <= placeholderLimit) return url
  }
  throw new Error('A placeholder of 8 pixels does not fit into 400 characters')
}

const hex = (value: number): string => Math.round(value).toString(16).padStart(2, '0')

const colourOf = async (raster: Raster): Promise<string> => {
  const small = await open(raster)
    .resize({ width: 64, height: 64, fit: 'inside' })
    .png({ compressionLevel: 0 })
    .toBuffer()
  const { dominant } = await sharp(small).stats()
  return `#${hex(dominant.r)}${hex(dominant.g)}${hex(dominant.b)}`
}

/**
 * A JPEG decoder gives a half or a quarter of the size for next to nothing, and it is used from a third and a
 * fifth downwards: large images get a view of just that size, everything else one of 1600 px.
 */
const viewWidthOf = ({ width, height }: Original): number => {
  const longer = Math.max(width, height)
  const share = longer > 3 * longerSide ? longer / 5 : longer > 2700 ? longer / 3 : longer
  return Math.max(1, Math.floor((width * Math.min(share, longerSide)) / longer))
}

/**
 * One quick decode of the whole file, which also proves that it can be read to its end, and from it what a
 * page needs at once.
 * @throws {ImageRefused}
 */
export const firstLook = async ({
  path,
  accept,
}: Tasks['first']['ask']): Promise<Tasks['first']['answer']> => {
  const original = await readOriginal(path, 'now', accept)
  const { width, height, format, bytes } = original
  const viewWidth = viewWidthOf(original)
  const lying = await readingOf(() =>
    decodeAt(original, viewWidth, { quick: true }).raw().toBuffer({ resolveWithObject: true }),
  )
  const upright = await setUpright(open(lying), original.orientation)
    .raw()
    .toBuffer({ resolveWithObject: true })
  // Small things, each on its own thread.
  const [view, placeholder, color] = await Promise.all([
    open(upright)
      .jpeg({ quality: viewQuality, chromaSubsampling: '4:4:4' })
      .toBuffer({ resolveWithObject: true }),
    placeholderOf(upright),
    colourOf(upright),
  ])
  return {
    width,
    height,
    format,
    bytes,
    placeholder,
    color,
    view: { data: view.data },
  }
}
