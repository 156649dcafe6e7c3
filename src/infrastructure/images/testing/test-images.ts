/** Images and measures for tests: made here, so that every byte of them is known. */
import sharp from 'sharp'

export type Rgb = readonly [number, number, number]
type Matrix = readonly [Rgb, Rgb, Rgb]

/** Columns: the D50 tristimulus values of the three primaries, as the profiles of these spaces carry them. */
const spaces: {
  readonly [name in 'srgb' | 'p3' | 'adobe']: { primaries: Matrix; gamma: number | null }
} = {
  srgb: {
    primaries: [
      [0.43607, 0.22249, 0.01392],
      [0.38515, 0.71687, 0.09708],
      [0.14307, 0.06061, 0.7141],
    ],
    gamma: null,
  },
  p3: {
    primaries: [
      [0.51512, 0.2412, -0.00105],
      [0.29198, 0.69225, 0.04189],
      [0.1571, 0.06657, 0.78407],
    ],
    gamma: null,
  },
  adobe: {
    primaries: [
      [0.60974, 0.31111, 0.01947],
      [0.20528, 0.62567, 0.06087],
      [0.14919, 0.06322, 0.74457],
    ],
    gamma: 563 / 256,
  },
}
export type Space = keyof typeof spaces

const linear = (value: number, gamma: number | null): number =>
  gamma === null ? (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4) : value ** gamma

/** Lab (D50) of an 8-bit colour of a space, by the definition of that space. */
export const labOf = (space: Space, colour: Rgb): Rgb => {
  const { primaries, gamma } = spaces[space]
  const rgb = colour.map((value) => linear(value / 255, gamma))
  const xyz = [0, 1, 2].map((row) =>
    primaries.reduce((sum, primary, i) => sum + (primary[row] ?? 0) * (rgb[i] ?? 0), 0),
  )
  const [x = 0, y = 0, z = 0] = xyz.map((value, i) => {
    const t = value / ([0.96422, 1, 0.82521][i] ?? 1)
    return t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116
  })
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

const degrees = (radians: number): number => ((radians * 180) / Math.PI + 360) % 360
const radians = (angle: number): number => (angle * Math.PI) / 180

/** CIEDE2000, after Sharma, Wu and Dalal (2005). */
export const deltaE2000 = ([l1, a1, b1]: Rgb, [l2, a2, b2]: Rgb): number => {
  const meanC = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2
  const g = 0.5 * (1 - Math.sqrt(meanC ** 7 / (meanC ** 7 + 25 ** 7)))
  const [p1, p2] = [a1 * (1 + g), a2 * (1 + g)]
  const [c1, c2] = [Math.hypot(p1, b1), Math.hypot(p2, b2)]
  const [h1, h2] = [c1 === 0 ? 0 : degrees(Math.atan2(b1, p1)), c2 === 0 ? 0 : degrees(Math.atan2(b2, p2))]
  const grey = c1 * c2 === 0
  const turn = h2 - h1
  const dh = grey ? 0 : Math.abs(turn) <= 180 ? turn : turn > 180 ? turn - 360 : turn + 360
  const dH = 2 * Math.sqrt(c1 * c2) * Math.sin(radians(dh / 2))
  const meanL = (l1 + l2) / 2
  const meanP = (c1 + c2) / 2
  const sum = h1 + h2
  const meanH = grey ? sum : Math.abs(turn) <= 180 ? sum / 2 : sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2
  const t =
    1 -
    0.17 * Math.cos(radians(meanH - 30)) +
    0.24 * Math.cos(radians(2 * meanH)) +
    0.32 * Math.cos(radians(3 * meanH + 6)) -
    0.2 * Math.cos(radians(4 * meanH - 63))
  const sl = 1 + (0.015 * (meanL - 50) ** 2) / Math.sqrt(20 + (meanL - 50) ** 2)
  const sc = 1 + 0.045 * meanP
  const sh = 1 + 0.015 * meanP * t
  const rotation =
    -2 *
    Math.sqrt(meanP ** 7 / (meanP ** 7 + 25 ** 7)) *
    Math.sin(radians(60 * Math.exp(-(((meanH - 275) / 25) ** 2))))
  const [x, y, z] = [(l2 - l1) / sl, (c2 - c1) / sc, dH / sh]
  return Math.sqrt(x * x + y * y + z * z + rotation * y * z)
}

const be32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const s15Fixed16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(Math.round(value * 65536))
  return bytes
}
const xyzTag = (value: Rgb): Buffer =>
  Buffer.concat([Buffer.from('XYZ \0\0\0\0', 'latin1'), ...value.map(s15Fixed16)])

/** A minimal ICC profile (version 2, matrix and curves) of a space. */
export const profileOf = (space: Space): Buffer => {
  const { primaries, gamma } = spaces[space]
  const samples = gamma === null ? 1024 : 1
  const curve = Buffer.alloc(samples * 2)
  for (let i = 0; i < samples; i++)
    curve.writeUInt16BE(
      gamma === null ? Math.round(linear(i / (samples - 1), null) * 65535) : Math.round(gamma * 256),
      i * 2,
    )
  const trc = Buffer.concat([Buffer.from('curv\0\0\0\0', 'latin1'), be32(samples), curve])
  const name = Buffer.from(`${space}\0`, 'latin1')
  const description = Buffer.concat([
    Buffer.from('desc\0\0\0\0', 'latin1'),
    be32(name.length),
    name,
    Buffer.alloc(78),
  ])
  const [red, green, blue] = primaries
  const tags: readonly (readonly [string, Buffer])[] = [
    ['desc', description],
    ['cprt', Buffer.from('text\0\0\0\0CC0\0', 'latin1')],
    ['wtpt', xyzTag([0.96422, 1, 0.82521])],
    ['rXYZ', xyzTag(red)],
    ['gXYZ', xyzTag(green)],
    ['bXYZ', xyzTag(blue)],
    ['rTRC', trc],
    ['gTRC', trc],
    ['bTRC', trc],
  ]
  const start = 128 + 4 + 12 * tags.length
  const entries: Buffer[] = []
  const bodies: Buffer[] = []
  let at = start
  for (const [tag, body] of tags) {
    const padded = Buffer.concat([body, Buffer.alloc((4 - (body.length % 4)) % 4)])
    entries.push(Buffer.from(tag, 'latin1'), be32(at), be32(padded.length))
    bodies.push(padded)
    at += padded.length
  }
  const header = Buffer.alloc(128)
  header.writeUInt32BE(at, 0)
  header.write('lcms', 4, 'latin1')
  header.writeUInt32BE(0x02400000, 8)
  header.write('mntrRGB XYZ ', 12, 'latin1')
  header.writeUInt16BE(2025, 24)
  header.writeUInt16BE(1, 26)
  header.writeUInt16BE(1, 28)
  header.write('acsp', 36, 'latin1')
  Buffer.concat([0.96422, 1, 0.82521].map(s15Fixed16)).copy(header, 68)
  return Buffer.concat([header, be32(tags.length), ...entries, ...bodies])
}

/** Puts an ICC profile into a JPEG as it is, without touching a pixel. */
export const withProfile = (jpeg: Buffer, profile: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), profile])
  const length = Buffer.alloc(2)
  length.writeUInt16BE(body.length + 2)
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xe2]), length, body, jpeg.subarray(2)])
}

const patch = 96
const columns = 4

/** Flat patches, four in a row, as a JPEG of the best quality: a colour chart. */
export const chart = async (colours: readonly Rgb[]): Promise<Buffer> => {
  const rows = Math.ceil(colours.length / columns)
  const [width, height] = [columns * patch, rows * patch]
  const pixels = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const colour = colours[Math.floor(y / patch) * columns + Math.floor(x / patch)] ?? [0, 0, 0]
      for (const [i, value] of colour.entries()) pixels[(y * width + x) * 3 + i] = value
    }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer()
}

/** The colours in the middle of the patches of an image of a chart, whatever its size, as stored. */
export const readChart = async (image: string | Buffer, count: number): Promise<readonly Rgb[]> => {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const side = info.width / columns
  return Array.from({ length: count }, (_, i) => {
    const sum = [0, 0, 0]
    let pixels = 0
    for (let dy = -4; dy < 4; dy++)
      for (let dx = -4; dx < 4; dx++) {
        const x = Math.floor(((i % columns) + 0.5) * side) + dx
        const y = Math.floor((Math.floor(i / columns) + 0.5) * side) + dy
        for (let c = 0; c < 3; c++)
          sum[c] = (sum[c] ?? 0) + (data[(y * info.width + x) * info.channels + c] ?? 0)
        pixels++
      }
    return [(sum[0] ?? 0) / pixels, (sum[1] ?? 0) / pixels, (sum[2] ?? 0) / pixels] as const
  })
}

/** An image with a different colour in each quarter, so that every turn and mirror image shows. */
export const quarters = async (width: number, height: number): Promise<Buffer> => {
  const quarter = (background: string) => ({
    create: { width: width / 2, height: height / 2, channels: 3 as const, background },
  })
  return sharp({ create: { width, height, channels: 3, background: '#c02020' } })
    .composite([
      { input: quarter('#20c020'), left: width / 2, top: 0 },
      { input: quarter('#2020c0'), left: 0, top: height / 2 },
      { input: quarter('#e0e0e0'), left: width / 2, top: height / 2 },
    ])
    .png()
    .toBuffer()
}
