import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import type { VariantFile } from '#application/ports/images.ts'
import type { ImageFormat } from '#domain/images/events.ts'
import { setUpright } from './orientation.ts'
import type { Tasks } from './protocol.ts'
import { decodeAt, readOriginal, readingOf, type Original } from './reading.ts'
import { heightFor, variantWidths, widestVariant } from '#domain/images/variant-widths.ts'

/** AVIF first: the widest one needs the most memory, and by then the least of it is taken. */
const formats = ['avif', 'jpg', 'webp'] as const satisfies readonly ImageFormat[]

/**
 * 4:4:4 because thin strokes of a saturated colour fray without it (WebP cannot). AVIF effort 2: effort 3
 * took twice the time for files 8 % smaller; the turbo JPEG because mozjpeg costs ten times its time.
 */
const encoders: { readonly [Format in ImageFormat]: (image: Sharp) => Sharp } = {
  avif: (image) => image.avif({ quality: 55, effort: 2, chromaSubsampling: '4:4:4' }),
  webp: (image) => image.webp({ quality: 80 }),
  jpg: (image) => image.jpeg({ quality: 82, chromaSubsampling: '4:4:4' }),
}

/** Stored, not compressed: written and read at the disk's speed, and nobody sees it. */
const stored = (image: Sharp): Sharp => image.png({ compressionLevel: 0, adaptiveFiltering: false })

/**
 * The one decode: an upright sRGB image of the widest width as a file, so that no pixels lie in memory
 * beside the encoder, which needs most of it.
 */
const makeMaster = async (original: Original, width: number, into: string): Promise<string> => {
  const lying = join(into, '.lying.png')
  const master = join(into, '.master.png')
  const first = original.orientation === 1 ? master : lying
  await readingOf(() => stored(decodeAt(original, width, { quick: false })).toFile(first))
  if (original.orientation !== 1) {
    await stored(setUpright(sharp(lying), original.orientation)).toFile(master)
    await rm(lying)
  }
  return master
}

interface Step {
  readonly done: number
  readonly total: number
}

/**
 * Makes all variants from one decode, a file at a time, the largest first. Between two files it yields how
 * far it is, so that the caller can do something urgent or stop. Leaves only finished variants behind.
 * @throws {ImageRefused}
 */
export async function* makeVariants({
  path,
  into,
}: Tasks['variants']['ask']): AsyncGenerator<Step, readonly VariantFile[]> {
  const original = await readOriginal(path, 'before')
  const widths = variantWidths(original).toReversed()
  const widest = widestVariant(original)
  const total = widths.length * formats.length
  const files: VariantFile[] = []
  const master = await makeMaster(original, widest, into)
  try {
    yield { done: 0, total }
    for (const width of widths) {
      const height = heightFor(width, original)
      const sized =
        width === widest
          ? null
          : await sharp(master, { sequentialRead: true })
              .resize({ width, height, fit: 'fill' })
              .raw()
              .toBuffer({ resolveWithObject: true })
      for (const format of formats) {
        const name = `${width}.${format}`
        const source =
          sized === null ? sharp(master, { sequentialRead: true }) : sharp(sized.data, { raw: sized.info })
        await encoders[format](source).toFile(join(into, name))
        files.push({ width, format, name })
        yield { done: files.length, total }
      }
    }
  } finally {
    await rm(master, { force: true })
    await rm(join(into, '.lying.png'), { force: true })
  }
  return files.toReversed()
}
