/** How a JPEG is stored, as its markers tell before anything of it is decoded. */
export interface JpegScans {
  /** as the frame says, not upright */
  readonly width: number
  readonly height: number
  /** passes over the image; no more are counted than one more than was asked for */
  readonly scans: number
  /** bytes that the decoder holds until the last pass is read; 0 for one that gives its rows as they come */
  readonly heldBytes: number
}

const markerByte = 0xff
const startOfImage = 0xd8
const endOfImage = 0xd9
const startOfScan = 0xda
/** A number of the image as the decoder holds it between two passes. */
const coefficientBytes = 2
const blockSide = 8
const largestFactor = 4

const isBetween = (code: number, first: number, last: number): boolean => code >= first && code <= last
/** Tables, heights, comments and the data of programs: passed over by their length. */
const isPassedOver = (code: number): boolean =>
  code === 0xc4 ||
  code === 0xcc ||
  isBetween(code, 0xdb, 0xdd) ||
  isBetween(code, 0xe0, 0xef) ||
  code === 0xfe
/** The frames that the decoder takes. The first two come row by row; the others are held, or treated as if. */
const isFrame = (code: number): boolean => [0xc0, 0xc1, 0xc2, 0xc9, 0xca].includes(code)
const isSequential = (code: number): boolean => code === 0xc0 || code === 0xc1

interface Frame {
  readonly width: number
  readonly height: number
  readonly components: number
  readonly sequential: boolean
  readonly heldBytes: number
}

/** Blocks of one component along one side, whole groups of them, as the decoder makes room for them. */
const blocksAlong = (side: number, factor: number, largest: number): number =>
  Math.ceil(Math.ceil((side * factor) / (largest * blockSide)) / factor) * factor

/** Reads the body of a frame; null for one that the decoder refuses. */
const frameOf = (code: number, body: Buffer): Frame | null => {
  if (body.length < 6) return null
  const [height, width, components] = [body.readUInt16BE(1), body.readUInt16BE(3), body.readUInt8(5)]
  if (width === 0 || height === 0 || components === 0 || body.length !== 6 + 3 * components) return null
  const factors = Array.from({ length: components }, (_, i) => {
    const both = body.readUInt8(7 + 3 * i)
    return { across: both >> 4, down: both & 15 }
  })
  const isPossible = (factor: number): boolean => isBetween(factor, 1, largestFactor)
  if (!factors.every(({ across, down }) => isPossible(across) && isPossible(down))) return null
  const widest = Math.max(...factors.map(({ across }) => across))
  const tallest = Math.max(...factors.map(({ down }) => down))
  const blocks = factors.reduce(
    (sum, { across, down }) => sum + blocksAlong(width, across, widest) * blocksAlong(height, down, tallest),
    0,
  )
  const heldBytes = blocks * blockSide * blockSide * coefficientBytes
  return { width, height, components, sequential: isSequential(code), heldBytes }
}

/**
 * A marker that the decoder looks into, as it finds it: whatever stands before it is passed over, be it the data of a
 * scan, rubbish, fillers or markers that stand alone, of which there may be millions.
 */
const lookedInto = /\xff[\xc0-\xcf\xd8-\xfe]/g

/**
 * Counts what a decoder would have to do for a JPEG, by reading its markers exactly as libjpeg does: what it takes
 * for a segment is one here, and what it passes over byte by byte is read byte by byte.
 * @param most where counting stops: so many scans and one more, or segments of any kind
 * @returns null for an image that cannot be followed to where the decoder ends, and so may be more than it seems
 */
export const jpegScansIn = (
  bytes: Buffer,
  most: { readonly scans: number; readonly segments: number },
): JpegScans | 'too many segments' | null => {
  if (bytes[0] !== markerByte || bytes[1] !== startOfImage) return null
  let frame: Frame | null = null
  let scans = 0
  let segments = 0
  let at = 2
  const text = bytes.toString('latin1')
  for (;;) {
    lookedInto.lastIndex = at
    const marker = lookedInto.exec(text)
    if (marker === null) return null
    at = marker.index + 2
    const code = bytes.readUInt8(at - 1)
    if (code === endOfImage) break
    segments += 1
    if (segments > most.segments) return 'too many segments'
    if (at + 2 > bytes.length) return null
    // The length counts its own two bytes; one that is shorter is nevertheless read as far as them.
    const end = at + Math.max(2, bytes.readUInt16BE(at))
    if (end > bytes.length) return null
    const body = bytes.subarray(at + 2, end)
    at = end
    if (isPassedOver(code)) continue
    if (isFrame(code)) {
      // A second one could be another than the one that is decoded.
      if (frame !== null) return null
      frame = frameOf(code, body)
      if (frame === null) return null
      continue
    }
    if (code !== startOfScan || frame === null) return null
    const inScan = body[0] ?? 0
    if (inScan === 0 || body.length !== 4 + 2 * inScan) return null
    scans += 1
    const { width, height } = frame
    // All components in one scan of rows: nothing is held, and what follows is not read.
    if (scans === 1 && frame.sequential && inScan === frame.components)
      return { width, height, scans, heldBytes: 0 }
    if (scans > most.scans) break
  }
  if (frame === null || scans === 0) return null
  return { width: frame.width, height: frame.height, scans, heldBytes: frame.heldBytes }
}
