import { readFile } from 'node:fs/promises'
import { inflateSync } from 'node:zlib'

const SIGNATURE_BYTES = 8
/** length, type and checksum */
const FRAME_BYTES = 12
/** What a byte can grow to at most. */
const LARGEST_GROWTH = 1_032

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
    return compressed.length * LARGEST_GROWTH
  }
}

/**
 * Whether the compressed notes of a PNG (texts, profile) grow past a limit: a decoder unpacks all of them before
 * it comes to the image.
 */
export function pngNotesGrowPast(bytes: Buffer, most: number): boolean {
  let left = most
  for (let at = SIGNATURE_BYTES; at + FRAME_BYTES <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at)
    const compressed = compressedIn(bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, end))
    at = end + 4
    if (compressed === null) continue
    left -= grownBytes(compressed, left)
    if (left < 0) return true
  }
  return false
}

/** The same for a file: {@link pngNotesGrowPast}. */
export const pngFileNotesGrowPast = async (path: string, most: number): Promise<boolean> =>
  pngNotesGrowPast(await readFile(path), most)
