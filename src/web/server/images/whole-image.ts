import type { ImageExtension } from './image-types.ts'

/** A JPEG ends with its own mark (ITU T.81, B.1.1.3), a WebP says its length (RIFF), an AVIF that of each box (ISO 14496-12). */
const ends: Readonly<Record<ImageExtension, (bytes: Buffer) => boolean>> = {
  jpg: (bytes) =>
    bytes.length > 4 && bytes.readUInt16BE(0) === 0xffd8 && bytes.readUInt16BE(bytes.length - 2) === 0xffd9,
  webp: (bytes) => {
    if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'RIFF') return false
    const length = bytes.readUInt32LE(4)
    return bytes.length === 8 + length + (length % 2)
  },
  avif: (bytes) => {
    if (bytes.length < 12 || bytes.toString('latin1', 4, 8) !== 'ftyp') return false
    for (let at = 0; at < bytes.length; ) {
      if (at + 16 > bytes.length) return false
      const short = bytes.readUInt32BE(at)
      // 1: the length follows in eight bytes; 0: the box goes to the end
      const length = short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short
      if (length === 0) return true
      if (length < 8 || at + length > bytes.length) return false
      at += length
    }
    return true
  },
}

/** Whether an image's file goes on to its end: nothing of it was cut, nor its end overwritten with zeros. */
export const isWholeImage = (bytes: Buffer, type: ImageExtension): boolean => ends[type](bytes)
