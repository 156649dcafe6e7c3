import { inflateSync } from 'node:zlib'
import { ImageRefused } from '#application/ports/images.ts'
import type { OriginalFormat } from '#domain/images/events.ts'

/*
 * What a file is made of beside the pixels that its header tells of. Decoders take all of it in, some before they say
 * anything: it is looked through before a decoder sees the file.
 */

/** What the texts and the profile of a PNG may grow to, which the decoder unpacks before it says anything. */
const mostNotesBytes = 64_000_000
/** Each costs time and memory however small it is. Programs write ten or so, of 64 kB where a note is large. */
export const mostNotes = 1_000
/** Of the image too: pieces of 8 kB are usual, of which a large one has some ten thousand. */
const mostPieces = 100_000
/** A decoder looks for each frame from the first one on. */
const mostWebpPieces = 10_000
/** Of any image in an AVIF, whose decoder takes up to 25 bytes for each: a phone's, and 370 MB. */
const mostPixelsOfAvif = 12_500_000

/** What is said of a file that carries more than an image needs. */
const tooMuchBesides = (what: string): ImageRefused =>
  new ImageRefused(
    'damaged',
    `This picture ${what}, which no usual program writes. Save it anew without metadata and upload that.`,
  )

export const tooManyPixels = (width: number, height: number, most: number): ImageRefused =>
  new ImageRefused(
    'too-many-pixels',
    `This picture has ${width} × ${height} pixels; up to ${most / 1_000_000} million can be used. Export it smaller and upload that.`,
  )

/** What is said of one that is made of too many parts. */
export const tooManyPieces = (): ImageRefused => tooMuchBesides('is in too many pieces')

const signatureBytes = 8
/** length, type and checksum */
const frameBytes = 12
/** What a byte can grow to at most. */
const largestGrowth = 1_032

/** The place behind the next zero byte; the end when there is none. */
const behindZero = (bytes: Buffer, from: number): number => {
  const at = bytes.indexOf(0, from)
  return at < 0 ? bytes.length : at + 1
}

/** The compressed part of a chunk that is no image; null for one that has none. */
const compressedIn = (type: string, body: Buffer): Buffer | null => {
  const named = behindZero(body, 0)
  // Behind the name stands the method, which is the same everywhere.
  if (type === 'zTXt' || type === 'iCCP') return body.subarray(named + 1)
  if (type !== 'iTXt' || body[named] !== 1) return null
  return body.subarray(behindZero(body, behindZero(body, named + 2)))
}

const grownBytes = (compressed: Buffer, most: number): number => {
  if (compressed.length === 0) return 0
  try {
    return inflateSync(compressed, { maxOutputLength: most + 1 }).length
  } catch {
    // Too large, or broken behind a beginning of unknown size: what it can be at most.
    return compressed.length * largestGrowth
  }
}

/** The pieces of the image, which in one that moves are many. */
const ofTheImage = new Set(['IDAT', 'fdAT', 'fcTL'])

/** Refuses a PNG of too many pieces, or whose compressed notes (texts, profile) grow too large. */
const checkPng = (bytes: Buffer): void => {
  let left = mostNotesBytes
  let notes = 0
  let pieces = 0
  for (let at = signatureBytes; at + frameBytes <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    pieces += 1
    if (!ofTheImage.has(type)) notes += 1
    if (notes > mostNotes || pieces > mostPieces) throw tooManyPieces()
    const compressed = compressedIn(type, bytes.subarray(at + 8, end))
    at = end + 4
    if (compressed === null) continue
    left -= grownBytes(compressed, left)
    if (left < 0)
      throw tooMuchBesides(`carries packed notes that grow to more than ${mostNotesBytes / 1_000_000} MB`)
  }
}

const riffHeadBytes = 12
const chunkHeadBytes = 8

/** Refuses a WebP of too many pieces. */
const checkWebp = (bytes: Buffer): void => {
  let pieces = 0
  for (let at = riffHeadBytes; at + chunkHeadBytes <= bytes.length; pieces += 1) {
    if (pieces === mostWebpPieces) throw tooManyPieces()
    const size = bytes.readUInt32LE(at + 4)
    at += chunkHeadBytes + size + (size % 2)
  }
}

const boxHeadBytes = 8

/** The outermost boxes of a file, but for those that hold the pixels: what it says of itself, in plain bytes. */
function* describingBoxes(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at + boxHeadBytes <= bytes.length; ) {
    const short = bytes.readUInt32BE(at)
    const isLong = short === 1 && at + 2 * boxHeadBytes <= bytes.length
    const size = isLong ? Number(bytes.readBigUInt64BE(at + boxHeadBytes)) : short
    // One without a size goes to the end.
    const end = size < boxHeadBytes ? bytes.length : at + size
    if (bytes.toString('latin1', at + 4, at + boxHeadBytes) !== 'mdat') yield bytes.subarray(at, end)
    at = end
  }
}

/** The kinds of images that are put together of others in the file, and where they stand behind the word. */
const putTogether = /infe[^]{8,10}(?:grid|iovl|iden)/

/**
 * Refuses an AVIF that holds an image larger than its decoder may open, be it part of the one that is shown, or that is
 * put together of others, of each of which the decoder opens as many as it is told: its header tells of none of them.
 * @throws {ImageRefused}
 */
const checkAvif = (bytes: Buffer): void => {
  for (const box of describingBoxes(bytes)) {
    const text = box.toString('latin1')
    if (putTogether.test(text)) throw tooMuchBesides('is put together of others')
    for (const { index } of text.matchAll(/ispe(?=[^]{12})/g)) {
      const [width, height] = [box.readUInt32BE(index + 8), box.readUInt32BE(index + 12)]
      if (width * height > mostPixelsOfAvif) throw tooManyPixels(width, height, mostPixelsOfAvif)
    }
  }
}

const checks: { readonly [Format in OriginalFormat]?: (bytes: Buffer) => void } = {
  png: checkPng,
  webp: checkWebp,
  avif: checkAvif,
}

/**
 * Refuses what is more than its header tells, before a decoder sees it. A JPEG is followed to its end elsewhere, and of a
 * GIF the decoder opens one frame whatever else there is.
 * @throws {ImageRefused}
 */
export const checkPieces = (format: OriginalFormat, bytes: Buffer): void => checks[format]?.(bytes)
