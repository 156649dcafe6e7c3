import { stat } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'
import sharp, { type Sharp } from 'sharp'
import { PictureRefused } from '#application/ports/pictures.ts'
import type { OriginalFormat } from '#domain/images/events.ts'
import { heightFor, variantWidths } from './variant-widths.ts'
import { liesOnItsSide, orientationOf, type Orientation } from './orientation.ts'

/** Above this a picture is a bomb or a mistake: an A0 print at 300 dpi has 139 million, a phone's best 50. */
const MOST_PIXELS = 100_000_000
/** The decoders of all formats but JPEG and PNG hold the whole picture in memory, at four bytes a pixel. */
const MOST_PIXELS_AT_ONCE = 40_000_000

/** The tallest that a WebP can be; JPEG and AVIF allow more. */
const LONGEST_SIDE = 16_383

/** What the header of an original tells; width and height are of the upright picture. */
export interface Original {
  readonly path: string
  readonly format: OriginalFormat
  readonly width: number
  readonly height: number
  readonly bytes: number
  readonly orientation: Orientation
}

const heic = new Set(['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence'])

/** By the type that a file's first bytes tell. Not read from the event's schema: this process stays small. */
const formats = new Map<string | undefined, OriginalFormat>([
  ['image/jpeg', 'jpeg'],
  ['image/png', 'png'],
  ['image/apng', 'png'],
  ['image/webp', 'webp'],
  ['image/gif', 'gif'],
  ['image/avif', 'avif'],
])

const wrongType = (mime: string | undefined, extension: string | undefined): PictureRefused => {
  if (mime !== undefined && heic.has(mime))
    return new PictureRefused(
      'wrong-type',
      'This is a HEIC picture, which browsers cannot show. Export it as JPEG (on a Mac: File, Export; on an iPhone: Settings, Camera, Formats, Most Compatible) and upload that.',
    )
  const found =
    extension === undefined ? 'no picture that can be recognised' : `of the kind ${extension.toUpperCase()}`
  return new PictureRefused(
    'wrong-type',
    `Only JPEG and PNG pictures can be used; this file is ${found}. Export it as JPEG or PNG and upload that.`,
  )
}

const damaged = (): PictureRefused =>
  new PictureRefused(
    'damaged',
    'This picture is damaged or incomplete: it cannot be read to its end. Export or copy it once more and upload that.',
  )

const isNoFile = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EACCES')

/** Runs a reading of the file; what the decoder cannot read is the file's fault and refused as damaged. */
export async function readingOf<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof PictureRefused) throw error
    // A full disk or a missing file says nothing about the picture.
    if (
      isNoFile(error) ||
      /no space left|ENOSPC|cannot allocate|unable to open for write/i.test(String(error))
    )
      throw error
    throw damaged()
  }
}

const decoder = (path: string): Sharp =>
  sharp(path, { failOn: 'error', limitInputPixels: MOST_PIXELS, sequentialRead: true })

/**
 * Looks at a file's first bytes and its header (decisions 13, 54).
 * @throws {PictureRefused} when it is of no accepted format, is damaged, or has more pixels than are safe to open
 */
export async function readOriginal(
  path: string,
  accept: readonly OriginalFormat[] = [...formats.values()],
): Promise<Original> {
  const { size } = await stat(path)
  const type = await fileTypeFromFile(path)
  const format = formats.get(type?.mime)
  if (format === undefined || !accept.includes(format)) throw wrongType(type?.mime, type?.ext)
  const header = await readingOf(() => sharp(path, { failOn: 'error', limitInputPixels: false }).metadata())
  const orientation = orientationOf(header.orientation)
  const [width, height] = liesOnItsSide(orientation)
    ? [header.height, header.width]
    : [header.width, header.height]
  const most = format === 'jpeg' || format === 'png' ? MOST_PIXELS : MOST_PIXELS_AT_ONCE
  if (width * height > most)
    throw new PictureRefused(
      'too-many-pixels',
      `This picture has ${width} × ${height} pixels; up to ${most / 1_000_000} million can be used. Export it smaller and upload that.`,
    )
  const widest = variantWidths(width, height).at(-1) ?? width
  if (heightFor(widest, { width, height }) > LONGEST_SIDE)
    throw new PictureRefused(
      'too-many-pixels',
      `This picture is too tall and narrow (${width} × ${height} pixels). Crop it, or export it smaller, and upload that.`,
    )
  return { path, format, width, height, bytes: size, orientation }
}

/**
 * The pixels of an original at a width, in sRGB, 8 bit, without transparency, not yet upright. The decoder
 * shrinks while it reads, so the whole picture is never in memory.
 */
export function decodeAt(original: Original, width: number, options: { readonly quick: boolean }): Sharp {
  const height = heightFor(width, original)
  const [w, h] = liesOnItsSide(original.orientation) ? [height, width] : [width, height]
  return decoder(original.path)
    .resize({ width: w, height: h, fit: 'fill', fastShrinkOnLoad: options.quick })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
}
