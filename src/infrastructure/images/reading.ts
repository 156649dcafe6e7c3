import { readFile, stat } from 'node:fs/promises'
import { lacksHandles, lacksRoom } from '#application/kernel/outage.ts'
import { codeOf, isMissing } from '#application/kernel/reason.ts'
import { fileTypeFromFile } from 'file-type'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { ImageRefused } from '#application/ports/images.ts'
import type { OriginalFormat } from '#domain/images/events.ts'
import { type JpegScans, jpegScansIn } from './jpeg-scans.ts'
import { heightFor, widestVariant } from '#domain/images/variant-widths.ts'
import { liesOnItsSide, orientationOf, type Orientation } from './orientation.ts'
import { checkPieces, mostNotes, tooManyPieces, tooManyPixels } from './pieces.ts'

/** Above this an image is a bomb or a mistake: an A0 print at 300 dpi has 139 million, a phone's best 50. */
const mostPixels = 100_000_000
/** The decoders of all formats but JPEG and PNG hold the whole image in memory, at four bytes a pixel. */
const mostPixelsAtOnce = 40_000_000

/**
 * What a decoder may hold of an image that comes in passes, in bytes: with the helper's own memory (50 MB) and the web
 * process beside it, it fits the 512 MB that their container has.
 */
const mostHeldBytes = 240_000_000
/** The same of an interlaced PNG, which takes half as much again. */
const mostHeldPngBytes = 200_000_000
/** Programs write ten or so; each one costs a walk over the whole image. */
const mostScans = 32

/** Longer than any panorama; a decoder holds some thousand rows at once, also of an image that is a few pixels high. */
const longestTaken = 30_000
/** Bytes of a row: 20,000 pixels with 16 bits a colour and transparency, which take 350 MB in all. */
const mostRowBytes = 160_000
/** What was taken before there was that limit is made as far as the memory of a worker goes. */
const mostRowBytesBefore = 400_000

/** The tallest that a WebP can be; JPEG and AVIF allow more. */
const longestSide = 16_383

/** What the header of an original tells; width and height are of the upright image. */
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

const wrongType = (mime: string | undefined, extension: string | undefined): ImageRefused => {
  if (mime !== undefined && heic.has(mime))
    return new ImageRefused(
      'wrong-type',
      'This is a HEIC picture, which browsers cannot show. Export it as JPEG (on a Mac: File, Export; on an iPhone: Settings, Camera, Formats, Most Compatible) and upload that.',
    )
  const found =
    extension === undefined ? 'no picture that can be recognised' : `of the kind ${extension.toUpperCase()}`
  return new ImageRefused(
    'wrong-type',
    `Only JPEG and PNG pictures can be used; this file is ${found}. Export it as JPEG or PNG and upload that.`,
  )
}

const damaged = (): ImageRefused =>
  new ImageRefused(
    'damaged',
    'This picture is damaged or incomplete: it cannot be read to its end. Export or copy it once more and upload that.',
  )

const heldWhole = (width: number, height: number, advice: string): ImageRefused =>
  new ImageRefused(
    'too-many-pixels',
    `This picture is saved in passes, so that it must be held in memory as a whole, and with ${width} × ${height} pixels it is too large for that. Save it ${advice}, or smaller, and upload that.`,
  )

const pixelBytes = ({ channels, depth }: Metadata): number => channels * (depth === 'ushort' ? 2 : 1)

/**
 * Refuses what is too long for a decoder, which holds whole rows whatever the number of pixels is.
 * @throws {ImageRefused}
 */
const checkRows = (taken: 'now' | 'before', header: Metadata, upright: readonly [number, number]): void => {
  const size = upright.join(' × ')
  if (taken === 'now' && Math.max(...upright) > longestTaken)
    throw new ImageRefused(
      'too-many-pixels',
      `This picture is too long (${size} pixels); up to ${longestTaken} on the longer side can be used. Crop it, or export it smaller, and upload that.`,
    )
  if (header.width * pixelBytes(header) > (taken === 'now' ? mostRowBytes : mostRowBytesBefore))
    throw new ImageRefused(
      'too-many-pixels',
      `This picture is too long for the depth of its colours (${size} pixels). Export it with 8 bits a colour, or smaller, and upload that.`,
    )
}

/**
 * Looks through a file before a decoder sees it.
 * @returns how a JPEG is stored; null for all else
 * @throws {ImageRefused}
 */
const lookThrough = (format: OriginalFormat, bytes: Buffer): JpegScans | null => {
  checkPieces(format, bytes)
  if (format !== 'jpeg') return null
  const followed = jpegScansIn(bytes, { scans: mostScans, segments: mostNotes })
  // What cannot be followed may be more than it seems.
  if (followed === null) throw damaged()
  if (followed === 'too many segments') throw tooManyPieces()
  return followed
}

/**
 * Refuses, before anything is decoded, what would take more memory or time than there is.
 * @throws {ImageRefused}
 */
const checkPasses = (
  followed: JpegScans | null,
  format: OriginalFormat,
  header: Metadata,
  [width, height]: readonly [number, number],
): void => {
  if (format === 'png') {
    const held = width * height * pixelBytes(header)
    if (header.isProgressive === true && held > mostHeldPngBytes)
      throw heldWhole(width, height, 'as a PNG that is not interlaced')
  }
  if (followed !== null) {
    // Another image than the decoder's may be more than it seems.
    if (followed.width !== header.width || followed.height !== header.height) throw damaged()
    const { scans, heldBytes } = followed
    if (heldBytes > mostHeldBytes) throw heldWhole(width, height, 'as a JPEG that is not progressive')
    if (scans > mostScans)
      throw new ImageRefused(
        'damaged',
        `This picture is saved in more than ${mostScans} passes, which no usual program does. Save it as a JPEG that is not progressive and upload that.`,
      )
  }
}

const isNoFile = (error: unknown): boolean => isMissing(error) || codeOf(error) === 'EACCES'

/** In what the decoder says of a full disk, or of what this user may take of it. */
export const noRoomIn = /no space left|quota exceeded|file too large/i
/** In what it says of a file of its own that it could not write, whatever the reason, and of a machine that lacks something. */
const ofMachine =
  /cannot allocate|unable to open for write|write failed|input\/output error|too many open files/i

/** Runs a reading of the file; what the decoder cannot read is the file's fault and refused as damaged. */
export const readingOf = async <T>(read: () => Promise<T>): Promise<T> => {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ImageRefused) throw error
    // A full disk, one that fails, or a missing file says nothing about the image.
    const words = String(error)
    const isOurs = isNoFile(error) || lacksRoom(error) || lacksHandles(error)
    if (isOurs || noRoomIn.test(words) || ofMachine.test(words)) throw error
    throw damaged()
  }
}

const decoder = (path: string): Sharp =>
  sharp(path, { failOn: 'error', limitInputPixels: mostPixels, sequentialRead: true })

/**
 * Looks at a file's first bytes and its header.
 * @param taken when: what was fit to be taken then is not refused for how it was saved
 * @throws {ImageRefused} when it is of no accepted format, is damaged, or has more pixels than are safe to open
 */
export const readOriginal = async (
  path: string,
  taken: 'now' | 'before',
  accept: readonly OriginalFormat[] = [...formats.values()],
): Promise<Original> => {
  const { size } = await stat(path)
  const type = await fileTypeFromFile(path)
  const format = formats.get(type?.mime)
  if (format === undefined || !accept.includes(format)) throw wrongType(type?.mime, type?.ext)
  const followed = taken === 'now' ? lookThrough(format, await readFile(path)) : null
  const header = await readingOf(() => sharp(path, { failOn: 'error', limitInputPixels: false }).metadata())
  const orientation = orientationOf(header.orientation)
  const [width, height] = liesOnItsSide(orientation)
    ? [header.height, header.width]
    : [header.width, header.height]
  const most = format === 'jpeg' || format === 'png' ? mostPixels : mostPixelsAtOnce
  if (width * height > most) throw tooManyPixels(width, height, most)
  checkRows(taken, header, [width, height])
  if (taken === 'now') checkPasses(followed, format, header, [width, height])
  if (heightFor(widestVariant({ width, height }), { width, height }) > longestSide)
    throw new ImageRefused(
      'too-many-pixels',
      `This picture is too tall and narrow (${width} × ${height} pixels). Crop it, or export it smaller, and upload that.`,
    )
  return { path, format, width, height, bytes: size, orientation }
}

/**
 * The pixels of an original at a width, in sRGB, 8 bit, without transparency, not yet upright. The decoder
 * shrinks while it reads, so the whole image is never in memory.
 */
export const decodeAt = (original: Original, width: number, options: { readonly quick: boolean }): Sharp => {
  const height = heightFor(width, original)
  const [w, h] = liesOnItsSide(original.orientation) ? [height, width] : [width, height]
  return decoder(original.path)
    .resize({ width: w, height: h, fit: 'fill', fastShrinkOnLoad: options.quick })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
}

/** @throws {ImageRefused} for what was taken or made once and cannot be read to its end */
export const readWhole = async (path: string): Promise<void> => {
  const original = await readOriginal(path, 'before')
  await readingOf(() => decodeAt(original, 1, { quick: false }).raw().toBuffer())
}
