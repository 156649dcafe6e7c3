import fc from 'fast-check'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { type JpegScans, jpegScansIn } from './jpeg-scans.ts'

const side = 8
/** What is found of a JPEG of a few segments. */
const scansIn = (jpeg: Buffer): JpegScans | null => {
  const found = jpegScansIn(jpeg, { scans: 32, segments: 100 })
  if (found === 'too many segments') throw new Error('More segments than the test has made')
  return found
}
const marker = (code: number): Buffer => Buffer.from([0xff, code])
/** A segment; its length may lie by so many bytes. */
const segment = (code: number, body: Uint8Array | readonly number[], lie = 0): Buffer => {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(Math.max(0, body.length + 2 + lie))
  return Buffer.concat([marker(code), length, Buffer.from(body)])
}
const frame = (width: number, height: number, code = 0xc2): Buffer =>
  segment(code, [8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0])
const tables = Buffer.concat([
  segment(0xdb, [0, ...Array<number>(64).fill(1)]),
  // DC: one code, no difference. AC: a number of six bits, and the end of the block.
  segment(0xc4, [0x00, 1, ...Array<number>(15).fill(0), 0x00]),
  segment(0xc4, [0x10, 1, 1, ...Array<number>(14).fill(0), 0x06, 0x00]),
])
const evenPass = Buffer.concat([segment(0xda, [1, 1, 0x00, 0, 0, 0]), Buffer.from([0x7f])])
/** A pass that gives one frequency of the only block, so that the decoded image tells whether it was read. */
const pass = (frequency: number): Buffer =>
  Buffer.concat([segment(0xda, [1, 1, 0x00, frequency, frequency, 0]), Buffer.from([0x41])])

/** What can stand between two passes: all that a decoder may read otherwise than whoever looks before it does. */
const between = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 63 }).map(pass) },
  fc.constantFrom(0x01, 0xd0, 0xd3, 0xd7).map(marker),
  fc.integer({ min: 1, max: 5 }).map((count) => Buffer.alloc(count, 0xff)),
  fc.constant(Buffer.from([0xff, 0x00])),
  fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
  fc
    .record({
      code: fc.constantFrom(0xe0, 0xe1, 0xe2, 0xee, 0xef, 0xfe, 0xdc, 0x01, 0xd1, 0x02, 0xbf),
      inside: fc.oneof(fc.integer({ min: 1, max: 63 }).map(pass), fc.constant(frame(side, side))),
      lie: fc.constantFrom(0, 0, 0, -40, -12, -1, 1, 2, 12, 24, 500),
    })
    .map(({ code, inside, lie }) => segment(code, inside, lie)),
  fc.constantFrom(0, 1, 2).map((interval) => segment(0xdd, [0, interval])),
  { weight: 1, arbitrary: fc.constantFrom(0xd8, 0xd9, 0x02, 0xbf, 0xf0, 0xc8, 0xde).map(marker) },
)

/** The frequencies that are in a decoded block, by the cosine transform. */
const frequenciesIn = (pixels: Buffer): number => {
  let found = 0
  for (let v = 0; v < side; v++)
    for (let u = 0; u < side; u++) {
      if (u === 0 && v === 0) continue
      let sum = 0
      for (let y = 0; y < side; y++)
        for (let x = 0; x < side; x++)
          sum +=
            (pixels[y * side + x] ?? 0) *
            Math.cos(((2 * x + 1) * u * Math.PI) / 16) *
            Math.cos(((2 * y + 1) * v * Math.PI) / 16)
      const scale = (u === 0 ? Math.SQRT1_2 : 1) * (v === 0 ? Math.SQRT1_2 : 1)
      if (Math.abs((sum * scale) / 4) > 16) found++
    }
  return found
}

const decoded = async (jpeg: Buffer): Promise<Buffer | null> => {
  try {
    const { data, info } = await sharp(jpeg, { failOn: 'error' })
      .extractChannel(0)
      .raw()
      .toBuffer({ resolveWithObject: true })
    return info.width === side && info.height === side ? data : null
  } catch {
    return null
  }
}

it('never counts fewer passes than the decoder reads', async () => {
  let told = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(between, { maxLength: 4 }),
      fc.array(between, { maxLength: 10 }),
      async (before, after) => {
        const jpeg = Buffer.concat([
          marker(0xd8),
          tables,
          ...before.filter((bytes) => !bytes.includes(0xda)),
          frame(side, side),
          evenPass,
          ...after,
          // Room to fall into for whoever takes two markers for one with a length.
          Buffer.alloc(66_000),
          marker(0xd9),
        ])
        const pixels = await decoded(jpeg)
        if (pixels === null) return
        const read = frequenciesIn(pixels)
        const counted = scansIn(jpeg)
        if (counted === null) return
        if (read > 0) told++
        expect(counted.scans).toBeGreaterThan(read)
        expect(counted.heldBytes).toBeGreaterThanOrEqual(side * side * 2)
        expect([counted.width, counted.height]).toEqual([side, side])
      },
    ),
    { seed: 13, numRuns: 1_500 },
  )
  // Of the images made here enough can be read for this to mean something.
  expect(told).toBeGreaterThan(200)
})

it('follows a hidden pass exactly: behind a marker without a length nothing is passed over', async () => {
  const passes = Array.from({ length: 5 }, (_, n) => pass(n + 1))
  const hidden = Buffer.concat([marker(0x01), ...passes, Buffer.alloc(65_520, 0xff)])
  const jpeg = Buffer.concat([
    marker(0xd8),
    tables,
    marker(0x01),
    frame(side, side),
    evenPass,
    hidden,
    marker(0xd9),
  ])
  expect(frequenciesIn((await decoded(jpeg)) ?? Buffer.alloc(0))).toBe(5)
  expect(scansIn(jpeg)).toMatchObject({ scans: 6, width: side, heldBytes: 128 })
})

it.each([
  ['no frame', Buffer.concat([tables, evenPass])],
  ['two frames', Buffer.concat([tables, frame(side, side), frame(4_000, 4_000), evenPass])],
  ['a second start', Buffer.concat([tables, frame(side, side), evenPass, marker(0xd8), pass(1)])],
  [
    'a frame without a height, told later',
    Buffer.concat([tables, frame(side, 0), evenPass, segment(0xdc, [0, 8])]),
  ],
  ['a frame of a kind that nobody reads', Buffer.concat([tables, frame(side, side, 0xc3), evenPass])],
  ['no pass at all', Buffer.concat([tables, frame(side, side)])],
  [
    'a segment longer than the file',
    Buffer.concat([tables, frame(side, side), evenPass, segment(0xe1, [1], 999)]),
  ],
])('does not follow a picture with %s, and the decoder refuses it too', async (_, inner) => {
  const jpeg = Buffer.concat([marker(0xd8), inner, marker(0xd9)])
  expect(scansIn(jpeg)).toBeNull()
  expect(await decoded(jpeg)).toBeNull()
})

it('passes over the picture in the notes of a camera', async () => {
  const small = await sharp({ create: { width: 16, height: 16, channels: 3, background: 'red' } })
    .jpeg({ progressive: true })
    .toBuffer()
  const jpeg = Buffer.concat([
    marker(0xd8),
    segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), small])),
    tables,
    frame(side, side),
    evenPass,
    pass(3),
    marker(0xd9),
    // what some phones put behind the image
    small,
  ])
  expect(scansIn(jpeg)).toMatchObject({ scans: 2, width: side, height: side })
  expect(frequenciesIn((await decoded(jpeg)) ?? Buffer.alloc(0))).toBe(1)
})

it('counts what is held as the decoder makes room for it, subsampled or not', async () => {
  const held = async (chromaSubsampling: string): Promise<number | undefined> => {
    const jpeg = await sharp({ create: { width: 100, height: 50, channels: 3, background: 'red' } })
      .jpeg({ progressive: true, chromaSubsampling })
      .toBuffer()
    return scansIn(jpeg)?.heldBytes
  }
  expect(await held('4:4:4')).toBe(13 * 7 * 3 * 128)
  expect(await held('4:2:0')).toBe((14 * 8 + 2 * 7 * 4) * 128)
})
