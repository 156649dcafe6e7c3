import { randomFillSync } from 'node:crypto'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crc32, deflateSync } from 'node:zlib'
import jsqr from 'jsqr'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ImageRefused } from '#application/ports/images.ts'
import { openImages } from './images.ts'
import {
  chart,
  deltaE2000,
  labOf,
  profileOf,
  quarters,
  readChart,
  withProfile,
  type Rgb,
  type Space,
} from './testing/test-images.ts'

const images = openImages()
let folder = ''
let into = ''
const put = async (name: string, bytes: Uint8Array): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-pictures-'))
})
beforeEach(async () => {
  into = await mkdtemp(join(folder, 'into-'))
})
afterAll(async () => {
  await images.close()
  await rm(folder, { recursive: true, force: true })
})

/** The four corners of an image of quarters, by name, left to right and top to bottom. */
const cornersOf = async (image: string | Buffer): Promise<string> => {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const name = (x: number, y: number): string => {
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels
    const [r = 0, g = 0, b = 0] = data.subarray(at, at + 3)
    return r > 128 && g > 128 ? 'white' : r > g && r > b ? 'red' : g > b ? 'green' : 'blue'
  }
  return [name(0.25, 0.25), name(0.75, 0.25), name(0.25, 0.75), name(0.75, 0.75)].join(' ')
}

/** A part of a PNG with its length and its checksum. */
const part = (type: string, body: Buffer): Buffer => {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  sum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, sum])
}

describe('what is taken as a picture', () => {
  it('tells a PNG by its bytes, whatever its name says', async () => {
    const path = await put('painting.txt', await quarters(40, 30))
    const facts = await images.first(path)
    expect(facts).toMatchObject({ format: 'png', width: 40, height: 30 })
    expect(facts.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(facts.bytes).toBe((await readFile(path)).length)
  })

  it.each([
    ['text called .png', 'note.png', Buffer.from('Dear artist, this is no picture.'), /Only JPEG and PNG/],
    [
      'an SVG',
      'drawing.svg',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      /Only JPEG and PNG/,
    ],
    ['a GIF', 'a.jpg', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1'), /of the kind GIF/],
    [
      'an iPhone HEIC',
      'IMG_1.jpg',
      Buffer.from('\0\0\0\x18ftypheic\0\0\0\0heicmif1', 'latin1'),
      /HEIC.*Export it as JPEG/,
    ],
    ['an empty file', 'empty.jpg', Buffer.alloc(0), /Only JPEG and PNG/],
  ])('refuses %s in words', async (_what, name, bytes, words) => {
    const path = await put(name, bytes)
    const refusal = await images.first(path).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(ImageRefused)
    expect(refusal).toMatchObject({ kind: 'wrong-type', status: 415, message: expect.stringMatching(words) })
  })

  it('refuses a JPEG that ends too early', async () => {
    const whole = await sharp(randomFillSync(Buffer.alloc(300 * 200 * 3)), {
      raw: { width: 300, height: 200, channels: 3 },
    })
      .jpeg()
      .toBuffer()
    const path = await put('short.jpg', whole.subarray(0, whole.length / 2))
    const refusal = { kind: 'damaged', status: 422, message: expect.stringMatching(/damaged or incomplete/) }
    await expect(images.first(path)).rejects.toMatchObject(refusal)
    await expect(images.check(path)).rejects.toMatchObject(refusal)
    await expect(images.variants(path, { into })).rejects.toMatchObject(refusal)
    expect(await readdir(into)).toEqual([])
  })

  it('refuses a JPEG of which only the beginning is a JPEG', async () => {
    const path = await put(
      'junk.jpg',
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(500, 7)]),
    )
    await expect(images.first(path)).rejects.toMatchObject({ kind: 'damaged', status: 422 })
  })

  it('refuses 30,000 × 30,000 pixels by the header, without opening them', async () => {
    const header = Buffer.from([0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30, 8, 2, 0, 0, 0])
    const bomb = Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      part('IHDR', header),
      part('IDAT', deflateSync(Buffer.alloc(90_001))),
      part('IEND', Buffer.alloc(0)),
    ])
    await expect(images.first(await put('bomb.png', bomb))).rejects.toMatchObject({
      kind: 'too-many-pixels',
      status: 422,
      message: expect.stringMatching(/30000 × 30000 pixels.*Export it smaller/),
    })
  })

  /** A progressive JPEG of a few pixels, without subsampling. */
  const progressive = (): Promise<Buffer> =>
    sharp(randomFillSync(Buffer.alloc(64 * 64 * 3)), { raw: { width: 64, height: 64, channels: 3 } })
      .jpeg({ progressive: true, chromaSubsampling: '4:4:4' })
      .toBuffer()
  const claiming = (jpeg: Buffer, width: number, height: number): Buffer => {
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc2]))
    jpeg.writeUInt16BE(height, frame + 5)
    jpeg.writeUInt16BE(width, frame + 7)
    return jpeg
  }

  it('refuses a progressive picture that would have to be held in memory, before it is decoded', async () => {
    const large = claiming(await progressive(), 6_000, 6_700)
    const refused = {
      kind: 'too-many-pixels',
      status: 422,
      message: expect.stringMatching(/saved in passes.*6000 × 6700.*a JPEG that is not progressive/),
    }
    const path = await put('progressive.jpg', large)
    await expect(images.first(path)).rejects.toMatchObject(refused)
  })

  it('decodes again what was taken before there was that limit', async () => {
    const path = await put('taken-before.jpg', claiming(await progressive(), 7_400, 7_400))
    await expect(images.first(path)).rejects.toMatchObject({ kind: 'too-many-pixels' })
    await expect(images.check(path)).resolves.toBeUndefined()
  })

  it('takes a progressive picture of the usual size and number of passes', async () => {
    expect(await images.first(await put('usual.jpg', await progressive()))).toMatchObject({ width: 64 })
    const large = claiming(await progressive(), 6_000, 6_600)
    expect(await images.first(await put('phone.jpg', large))).toMatchObject({ width: 6_000 })
  })

  /** A PNG of some empty rows, which packs well, with 16 bits a colour where asked for. */
  const wide = (width: number, height: number, depth: 8 | 16, kind: 2 | 6): Buffer => {
    const header = Buffer.alloc(13)
    header.writeUInt32BE(width, 0)
    header.writeUInt32BE(height, 4)
    header[8] = depth
    header[9] = kind
    const row = 1 + (width * (kind === 6 ? 4 : 3) * depth) / 8
    return Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      part('IHDR', header),
      part('IDAT', deflateSync(Buffer.alloc(row * height))),
      part('IEND', Buffer.alloc(0)),
    ])
  }

  it.each([
    ['a million pixels', wide(1_000_000, 2, 8, 2), /1000000 × 2 pixels.*30000 on the longer side/],
    [
      'more pixels than a row may have bytes',
      wide(20_001, 2, 16, 6),
      /too long for the depth of its colours/,
    ],
  ])('refuses a row of %s, of which a decoder holds many', async (_, bytes, message) => {
    const path = await put('wide.png', bytes)
    const refused = { kind: 'too-many-pixels', status: 422, message: expect.stringMatching(message) }
    await expect(images.first(path)).rejects.toMatchObject(refused)
  })

  it('takes a panorama, and decodes again a longer one that was taken before', async () => {
    expect(await images.first(await put('panorama.png', wide(20_000, 20, 16, 6)))).toMatchObject({
      width: 20_000,
    })
    const longer = await put('longer.png', wide(40_000, 40, 8, 2))
    await expect(images.first(longer)).rejects.toMatchObject({ kind: 'too-many-pixels' })
    await expect(images.check(longer)).resolves.toBeUndefined()
    const bomb = await put('bomb.png', wide(1_000_000, 2, 8, 2))
    await expect(images.check(bomb)).rejects.toMatchObject({
      kind: 'too-many-pixels',
    })
  })

  it('refuses an interlaced picture that would have to be held in memory', async () => {
    const small = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .png({ progressive: true })
      .toBuffer()
    /** As wide and high as its header says, and no more of it there. */
    const first = async (side: number) => {
      const header = Buffer.from(small.subarray(16, 29))
      header.writeUInt32BE(side, 0)
      header.writeUInt32BE(side, 4)
      const large = Buffer.concat([small.subarray(0, 8), part('IHDR', header), small.subarray(33)])
      return images.first(await put(`interlaced-${side}.png`, large))
    }
    await expect(first(8_200)).rejects.toMatchObject({
      kind: 'too-many-pixels',
      message: expect.stringMatching(/a PNG that is not interlaced/),
    })
    await expect(first(8_100)).rejects.toMatchObject({ kind: 'damaged' })
  })

  it('refuses a picture of thousands of passes without walking through them', async () => {
    const jpeg = await progressive()
    const last = jpeg.lastIndexOf(Buffer.from([0xff, 0xda]))
    const scan = jpeg.subarray(last, -2)
    const many = Buffer.concat([
      jpeg.subarray(0, -2),
      ...Array.from({ length: 3_000 }, () => scan),
      jpeg.subarray(-2),
    ])
    await expect(images.first(await put('passes.jpg', many))).rejects.toMatchObject({
      kind: 'damaged',
      message: expect.stringMatching(/more than 32 passes/),
    })
  })

  it('refuses passes that are hidden behind a marker without a length', async () => {
    const jpeg = await progressive()
    const last = jpeg.lastIndexOf(Buffer.from([0xff, 0xda]))
    const scan = jpeg.subarray(last, -2)
    const hidden = Buffer.concat([
      Buffer.from([0xff, 0x01]),
      ...Array.from({ length: Math.ceil(66_000 / scan.length) }, () => scan),
    ])
    const many = Buffer.concat([jpeg.subarray(0, -2), hidden, jpeg.subarray(-2), Buffer.alloc(70_000)])
    await expect(images.first(await put('hidden.jpg', many))).rejects.toMatchObject({
      kind: 'damaged',
      message: expect.stringMatching(/more than 32 passes/),
    })
  })

  it('refuses a large progressive picture whose frame is hidden', async () => {
    const jpeg = claiming(await progressive(), 9_990, 9_990)
    const at = jpeg.indexOf(Buffer.from([0xff, 0xc2]))
    const hidden = Buffer.concat([jpeg.subarray(0, at), Buffer.from([0xff, 0x01]), jpeg.subarray(at)])
    await expect(images.first(await put('frame.jpg', hidden))).rejects.toMatchObject({
      kind: 'too-many-pixels',
    })
  })

  /** A PNG of one pixel with chunks before it. */
  const pngWith = (...chunks: readonly Buffer[]): Buffer => {
    const header = Buffer.alloc(13)
    header.writeUInt32BE(1, 0)
    header.writeUInt32BE(1, 4)
    header[8] = 8
    return Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      part('IHDR', header),
      ...chunks,
      part('IDAT', deflateSync(Buffer.alloc(2))),
      part('IEND', Buffer.alloc(0)),
    ])
  }
  const compressedText = (bytes: Buffer): Buffer =>
    part('zTXt', Buffer.concat([Buffer.from('a\0\0', 'latin1'), bytes]))
  const compressedUnicode = (bytes: Buffer): Buffer =>
    part('iTXt', Buffer.concat([Buffer.from('a\0\x01\0en\0a\0', 'latin1'), bytes]))

  it.each([
    ['texts', [compressedText, compressedText]],
    ['texts of two kinds', [compressedText, compressedUnicode]],
  ] as const)('refuses a picture with packed %s that grow without measure', async (_, kinds) => {
    const half = deflateSync(Buffer.alloc(40_000_000))
    const bomb = await put('notes.png', pngWith(...kinds.map((made) => made(half))))
    await expect(images.first(bomb)).rejects.toMatchObject({
      kind: 'damaged',
      status: 422,
      message: expect.stringMatching(/notes that grow to more than 64 MB.*anew without metadata/),
    })
  })

  it('refuses packed texts that are broken where nobody has come to yet', async () => {
    const whole = deflateSync(Buffer.alloc(90_000_000))
    const broken = Buffer.concat([whole.subarray(0, -2_000), Buffer.alloc(2_000, 0xff)])
    await expect(
      images.first(await put('broken.png', pngWith(compressedText(broken)))),
    ).rejects.toMatchObject({
      message: expect.stringMatching(/notes that grow/),
    })
  })

  it.each([
    ['notes', 1_100, () => compressedText(deflateSync(Buffer.alloc(1)))],
    ['empty pieces', 100_100, () => part('IDAT', Buffer.alloc(0))],
  ] as const)('refuses a picture with more %s than a decoder should walk through', async (_, count, made) => {
    const piece = made()
    const many = await put('many.png', pngWith(...Array.from({ length: count }, () => piece)))
    await expect(images.first(many)).rejects.toMatchObject({
      kind: 'damaged',
      message: expect.stringMatching(/too many pieces.*anew without metadata/),
    })
  })

  it('refuses a JPEG of more segments than a decoder should keep', async () => {
    const jpeg = await sharp(await quarters(8, 8))
      .jpeg()
      .toBuffer()
    const segments = Buffer.alloc(4 * 1_100, Buffer.from([0xff, 0xe1, 0, 2]))
    const many = Buffer.concat([jpeg.subarray(0, 2), segments, jpeg.subarray(2)])
    await expect(images.first(await put('many.jpg', many))).rejects.toMatchObject({
      kind: 'damaged',
      message: expect.stringMatching(/too many pieces.*anew without metadata/),
    })
  })

  it('passes over millions of markers that stand alone, as quickly as a decoder does', async () => {
    const jpeg = await progressive()
    const last = jpeg.lastIndexOf(Buffer.from([0xff, 0xda]))
    const alone = Buffer.alloc(20_000_000, Buffer.from([0xff, 0x01]))
    const path = await put('alone.jpg', Buffer.concat([jpeg.subarray(0, last), alone, jpeg.subarray(last)]))
    // A stranger's picture has fifteen seconds.
    expect(await images.first(path, { ofStranger: true })).toMatchObject({ format: 'jpeg' })
  })

  it('takes a picture with the notes that programs write', async () => {
    const notes = [compressedText, compressedUnicode].map((made) =>
      made(deflateSync(randomFillSync(Buffer.alloc(100_000)))),
    )
    expect(await images.first(await put('noted.png', pngWith(...notes)))).toMatchObject({ width: 1 })
  })

  it('refuses a strip that is too tall for a browser', async () => {
    const strip = await sharp({ create: { width: 4, height: 17_000, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    await expect(images.first(await put('strip.png', strip))).rejects.toMatchObject({
      kind: 'too-many-pixels',
      message: expect.stringMatching(/too tall and narrow/),
    })
  })
})

describe('a picture of a blog', () => {
  const all = ['jpeg', 'png', 'webp', 'gif', 'avif'] as const

  /** Red, green, blue and white quarters in a format, as a camera or a program would save them. */
  const inFormat = async (format: 'webp' | 'gif' | 'avif'): Promise<Buffer> => {
    const plain = sharp(await quarters(90, 60))
    if (format === 'gif') return plain.gif().toBuffer()
    if (format === 'avif')
      return plain.avif({ quality: 90, effort: 0, chromaSubsampling: '4:4:4' }).toBuffer()
    // Laid on its side, with a place in it and a profile of its own.
    return plain
      .rotate(270)
      .withExif({ IFD0: { Make: 'Phone' } })
      .withMetadata({ orientation: 6 })
      .webp({ quality: 95 })
      .toBuffer()
  }

  it.each(['webp', 'gif', 'avif'] as const)(
    'may be %s: upright, without metadata, in every variant',
    async (format) => {
      const path = await put(`blog.${format}`, await inFormat(format))
      const look = await images.first(path, { accept: all })
      expect(look).toMatchObject({ format, width: 90, height: 60 })
      expect(await cornersOf(Buffer.from(look.view.data))).toBe('red green blue white')
      const files = await images.variants(path, { into })
      expect(files.map(({ name }) => name).toSorted()).toEqual(['90.avif', '90.jpg', '90.webp'])
      for (const { name } of files) {
        expect([name, await cornersOf(join(into, name))]).toEqual([name, 'red green blue white'])
        const { exif, icc, orientation } = await sharp(join(into, name)).metadata()
        expect({ exif, icc, orientation }).toEqual({})
      }
      // The owner's own uploads stay JPEG and PNG.
      await expect(images.first(path)).rejects.toMatchObject({ kind: 'wrong-type', status: 415 })
    },
  )

  it('that moves is its first frame', async () => {
    const frames = Buffer.concat([
      await sharp({ create: { width: 20, height: 20, channels: 3, background: '#ff0000' } })
        .raw()
        .toBuffer(),
      await sharp({ create: { width: 20, height: 20, channels: 3, background: '#0000ff' } })
        .raw()
        .toBuffer(),
    ])
    const moving = await sharp(frames, { raw: { width: 20, height: 40, channels: 3, pageHeight: 20 } })
      .gif({ delay: [100, 100] })
      .toBuffer()
    expect((await sharp(moving).metadata()).pages).toBe(2)
    const path = await put('moving.gif', moving)
    const look = await images.first(path, { accept: all })
    expect(look).toMatchObject({ width: 20, height: 20 })
    expect(await cornersOf(Buffer.from(look.view.data))).toBe('red red red red')
  })

  it('is refused when it holds more pixels than its decoder may open at once', async () => {
    const bomb = await inFormat('gif')
    // The size stands in the head and once more before the frame.
    const frame = bomb.indexOf(Buffer.from([0x2c, 0, 0, 0, 0, 90, 0, 60, 0]))
    for (const at of [6, 8, frame + 5, frame + 7]) bomb.writeUInt16LE(60_000, at)
    await expect(images.first(await put('bomb.gif', bomb), { accept: all })).rejects.toMatchObject({
      kind: 'too-many-pixels',
      message: expect.stringMatching(/up to 40 million/),
    })
  })

  it('is refused when it is a WebP of more pieces than a decoder should walk through', async () => {
    const webp = await inFormat('webp')
    const piece = Buffer.from('NONE\0\0\0\0', 'latin1')
    const many = Buffer.concat([webp, Buffer.alloc(10_000 * piece.length, piece)])
    many.writeUInt32LE(many.length - 8, 4)
    await expect(images.first(await put('many.webp', many), { accept: all })).rejects.toMatchObject({
      kind: 'damaged',
      message: expect.stringMatching(/too many pieces/),
    })
  })

  it.each([
    ['whose only tile has', 'one-large-tile.avif', /is put together of others/],
    ['whose transparency has', 'large-transparency.avif', /12000 × 12000 pixels; up to 12.5 million/],
  ])(
    'is refused when it is a small AVIF %s more pixels than there is memory for',
    async (_, name, message) => {
      const path = fileURLToPath(new URL(`test-data/${name}`, import.meta.url))
      await expect(images.first(path, { accept: all })).rejects.toMatchObject({
        status: 422,
        message: expect.stringMatching(message),
      })
    },
  )

  it('is refused when it is an AVIF of more pixels than its decoder may open', async () => {
    const avif = await inFormat('avif')
    const at = avif.indexOf('ispe')
    for (const side of [8, 12]) avif.writeUInt32BE(3_600, at + side)
    await expect(images.first(await put('large.avif', avif), { accept: all })).rejects.toMatchObject({
      kind: 'too-many-pixels',
      message: expect.stringMatching(/3600 × 3600 pixels; up to 12.5 million/),
    })
  })

  it.each(['webp', 'gif', 'avif'] as const)(
    'is refused as damaged when its %s ends too early',
    async (format) => {
      const whole = await sharp(randomFillSync(Buffer.alloc(200 * 200 * 3)), {
        raw: { width: 200, height: 200, channels: 3 },
      })
        .toFormat(format, format === 'avif' ? { effort: 0 } : {})
        .toBuffer()
      const path = await put(`short.${format}`, whole.subarray(0, whole.length / 2))
      await expect(images.first(path, { accept: all })).rejects.toMatchObject({
        kind: 'damaged',
        status: 422,
      })
    },
  )

  it('is never a drawing that could run, nor a page of a document', async () => {
    for (const [name, bytes] of [
      ['a.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
      [
        'a.tiff',
        await sharp(await quarters(8, 8))
          .tiff()
          .toBuffer(),
      ],
      ['a.pdf', Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj')],
    ] as const)
      await expect(images.first(await put(name, bytes), { accept: all })).rejects.toMatchObject({
        kind: 'wrong-type',
      })
  })
})

describe('the first look', () => {
  it('gives size, placeholder, colour and a JPEG to show', async () => {
    const path = await put('wide.png', await quarters(2000, 1000))
    const look = await images.first(path)
    expect(look).toMatchObject({
      width: 2000,
      height: 1000,
      format: 'png',
    })
    expect(look.placeholder).toMatch(/^data:image\/webp;base64,/)
    expect(look.placeholder.length).toBeLessThanOrEqual(400)
    const tiny = Buffer.from(look.placeholder.replace(/^.*,/, ''), 'base64')
    expect(await sharp(tiny).metadata()).toMatchObject({ format: 'webp', width: 16, height: 8 })
    expect(look.color).toMatch(/^#[0-9a-f]{6}$/)
    const metadata = await sharp(look.view.data).metadata()
    expect(metadata).toMatchObject({ format: 'jpeg', width: 1600, height: 800 })
  })

  it('names the colour that covers most of the picture', async () => {
    const red = await sharp({ create: { width: 90, height: 90, channels: 3, background: '#c8281e' } })
      .composite([{ input: { create: { width: 30, height: 30, channels: 3, background: '#1e28c8' } } }])
      .png()
      .toBuffer()
    const { color } = await images.first(await put('red.png', red))
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
    expect([Math.abs(r - 0xc8) < 16, Math.abs(g - 0x28) < 16, Math.abs(b - 0x1e) < 16]).toEqual([
      true,
      true,
      true,
    ])
  })

  it('fits the placeholder of pure noise into 400 characters', async () => {
    const noise = await sharp(randomFillSync(Buffer.alloc(64 * 64 * 3)), {
      raw: { width: 64, height: 64, channels: 3 },
    })
      .png()
      .toBuffer()
    const look = await images.first(await put('noise.png', noise))
    expect(look.placeholder.length).toBeLessThanOrEqual(400)
  })

  it('does not enlarge a picture of one pixel', async () => {
    const dot = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#123456' } })
      .png()
      .toBuffer()
    const look = await images.first(await put('dot.png', dot))
    for (const size of [look, await sharp(look.view.data).metadata()])
      expect(size).toMatchObject({ width: 1, height: 1 })
  })
})

describe('the variants', () => {
  it('come in each step below the own width and in that width, in three formats, with progress', async () => {
    const path = await put('work.png', await quarters(700, 500))
    const told: string[] = []
    const files = await images.variants(path, {
      into,
      onProgress: (done, total) => told.push(`${done}/${total}`),
    })
    expect(files.map(({ name, width }) => `${name} ${width}`).toSorted()).toEqual(
      ['320', '640', '700']
        .flatMap((width) => ['avif', 'jpg', 'webp'].map((format) => `${width}.${format} ${width}`))
        .toSorted(),
    )
    expect(told.at(0)).toBe('0/9')
    expect(told.at(-1)).toBe('9/9')
    expect((await readdir(into)).toSorted()).toEqual(files.map((file) => file.name).toSorted())
    for (const file of files) {
      const made = await sharp(join(into, file.name)).metadata()
      expect([made.width, made.height]).toEqual([file.width, Math.round((file.width * 5) / 7)])
      const bytes = await readFile(join(into, file.name))
      if (file.format === 'jpg') expect(made.chromaSubsampling).toBe('4:4:4')
      // The third byte of the AVIF's own header says in two bits by how much colour is coarser than light.
      if (file.format === 'avif') expect(((bytes[bytes.indexOf('av1C') + 6] ?? 0xff) >> 2) & 3).toBe(0)
    }
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('stand upright when the EXIF orientation is %i', async (orientation) => {
    // The image as it should look, then laid down the way a camera with this orientation stores it.
    const upright = await quarters(120, 80)
    const laid = sharp(upright)
    const stored = {
      1: laid,
      2: laid.clone().flop(),
      3: laid.clone().rotate(180),
      4: laid.clone().flip(),
      5: laid.clone().rotate(90).flop(),
      6: laid.clone().rotate(270),
      7: laid.clone().rotate(270).flop(),
      8: laid.clone().rotate(90),
    }[orientation]
    const jpeg = await (stored ?? laid).withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer()
    const path = await put(`turned-${orientation}.jpg`, jpeg)

    const look = await images.first(path)
    expect([look.width, look.height]).toEqual([120, 80])
    expect(await cornersOf(Buffer.from(look.view.data))).toBe('red green blue white')
    const files = await images.variants(path, { into })
    for (const file of files) {
      const made = await sharp(join(into, file.name)).metadata()
      expect([made.width, made.height]).toEqual([120, 80])
      expect([file.name, await cornersOf(join(into, file.name))]).toEqual([file.name, 'red green blue white'])
    }
  })

  it('carry no EXIF, no place, no profile and nothing else of the camera', async () => {
    const jpeg = await sharp(await quarters(400, 300))
      .withExif({
        IFD0: { Make: 'Phone', Artist: 'Somebody' },
        IFD3: {
          GPSLatitudeRef: 'N',
          GPSLatitude: '18/1 55/1 0/1',
          GPSLongitudeRef: 'E',
          GPSLongitude: '72/1 50/1 0/1',
        },
      })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><secret/></x:xmpmeta>')
      .withIccProfile('p3')
      .jpeg()
      .toBuffer()
    expect(jpeg.includes('Phone')).toBe(true)
    const path = await put('gps.jpg', jpeg)
    const files = await images.variants(path, { into })
    const look = await images.first(path)
    for (const bytes of [
      look.view.data,
      ...(await Promise.all(files.map((file) => readFile(join(into, file.name))))),
    ]) {
      const { exif, xmp, iptc, icc, orientation } = await sharp(bytes).metadata()
      expect({ exif, xmp, iptc, icc, orientation }).toEqual({})
      expect(Buffer.from(bytes).includes('Phone')).toBe(false)
      expect(Buffer.from(bytes).includes('secret')).toBe(false)
    }
  })

  it('have white where a PNG lets the wall show through, in every format', async () => {
    const glass = await sharp({
      create: { width: 64, height: 64, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer()
    const files = await images.variants(await put('glass.png', glass), { into })
    for (const file of files) {
      const { data, info } = await sharp(join(into, file.name)).raw().toBuffer({ resolveWithObject: true })
      expect([file.name, info.channels, ...data.subarray(0, 3)]).toEqual([file.name, 3, 255, 255, 255])
    }
  })

  it.each([
    ['16 bits a channel', (plain: Sharp) => plain.toColourspace('rgb16').png()],
    ['greys', (plain: Sharp) => plain.greyscale().png()],
    ['a palette', (plain: Sharp) => plain.png({ palette: true, colours: 8 })],
  ])('are ordinary sRGB also from a PNG with %s', async (what, make) => {
    const path = await put('odd.png', await make(sharp(await quarters(64, 64))).toBuffer())
    const files = await images.variants(path, { into })
    for (const file of files) {
      const { space, depth } = await sharp(join(into, file.name)).metadata()
      expect([what, file.name, space, depth]).toEqual([what, file.name, 'srgb', 'uchar'])
    }
  })

  it('let an upload go first, between two of their files', async () => {
    const path = await put('queue.png', await quarters(1400, 1400))
    const order: string[] = []
    let upload: Promise<unknown> = Promise.resolve()
    const variants = images
      .variants(path, {
        into,
        onProgress: (done) => {
          if (done === 1) upload = images.first(path).then(() => order.push('upload'))
        },
      })
      .then(() => order.push('variants'))
    await variants
    await upload
    expect(order).toEqual(['upload', 'variants'])
  })

  it('stop between two files when nobody wants them any more, and leave no half-made file', async () => {
    const path = await put('long.png', await quarters(900, 900))
    const control = new AbortController()
    const work = images.variants(path, {
      into,
      signal: control.signal,
      onProgress: (done) => {
        if (done === 1) control.abort(new Error('enough'))
      },
    })
    await expect(work).rejects.toThrow('enough')
    const left = await readdir(into)
    expect(left.length).toBeLessThan(9)
    expect(left.filter((name) => name.startsWith('.'))).toEqual([])
    for (const name of left) expect((await sharp(join(into, name)).metadata()).width).toBeGreaterThan(0)
  })
})

describe('colours are right (mean ΔE2000 below 1 of the reference conversion)', () => {
  // Inside of sRGB, so that no conversion has to choose what to do with a colour that cannot be shown.
  const colours: readonly Rgb[] = [
    [200, 60, 50],
    [210, 140, 40],
    [190, 180, 60],
    [90, 150, 70],
    [60, 130, 140],
    [60, 80, 150],
    [120, 70, 130],
    [230, 210, 190],
    [128, 128, 128],
    [40, 36, 32],
    [245, 241, 232],
    [150, 105, 75],
  ]

  const meanDifference = (reference: readonly Rgb[], found: readonly Rgb[]): number =>
    reference.reduce((sum, lab, i) => sum + deltaE2000(lab, labOf('srgb', found[i] ?? [0, 0, 0])), 0) /
    reference.length

  const expectRight = async (path: string, reference: readonly Rgb[]): Promise<void> => {
    const made: readonly (readonly [string, string | Buffer])[] = [
      ['first', Buffer.from((await images.first(path)).view.data)],
      ...(await images.variants(path, { into })).map(({ name }) => [name, join(into, name)] as const),
    ]
    const wrong: string[] = []
    for (const [name, image] of made) {
      const difference = meanDifference(reference, await readChart(image, reference.length))
      if (difference >= 1) wrong.push(`${name}: ${difference.toFixed(2)}`)
    }
    expect(wrong).toEqual([])
  }

  it('knows the measure: pairs of Sharma, Wu and Dalal', () => {
    expect(deltaE2000([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 4)
    expect(deltaE2000([50, 2.5, 0], [56, -27, -3])).toBeCloseTo(31.903, 4)
    expect(deltaE2000([2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514])).toBeCloseTo(0.9082, 4)
  })

  it.each(['srgb', 'p3', 'adobe'] as const)('from a JPEG in %s with its profile', async (space: Space) => {
    const path = await put(`${space}.jpg`, withProfile(await chart(colours), profileOf(space)))
    await expectRight(
      path,
      colours.map((colour) => labOf(space, colour)),
    )
  })

  it('would be seen to be wrong without the profile', async () => {
    const reference = colours.map((colour) => labOf('p3', colour))
    expect(meanDifference(reference, await readChart(await chart(colours), colours.length))).toBeGreaterThan(
      1,
    )
  })

  it('from a CMYK JPEG with its profile', async () => {
    const path = fileURLToPath(new URL('test-data/cmyk-patches.jpg', import.meta.url))
    const converted: readonly Rgb[] = [
      [255, 255, 255],
      [122, 202, 237],
      [244, 154, 186],
      [255, 239, 146],
      [193, 229, 246],
      [252, 205, 220],
      [255, 247, 201],
      [138, 138, 138],
      [195, 195, 195],
      [35, 35, 35],
      [52, 52, 52],
      [0, 0, 0],
    ]
    await expectRight(
      path,
      converted.map((colour) => labOf('srgb', colour)),
    )
  })
})

describe('the card', () => {
  const words = {
    title: 'Lotus Tank',
    artist: 'A. Painter',
    caption: '₹1,40,000',
    saleStatus: 'for_sale',
  } as const

  it('is a JPEG of 1200 × 630 with the upright picture', async () => {
    const jpeg = await sharp(await quarters(300, 200))
      .rotate(270)
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const card = await images.card({ ...words, imagePath: await put('card.jpg', jpeg) })
    expect(await sharp(card.data).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 })
    const image = await sharp(card.data)
      .extract({ left: 56, top: 215, width: 300, height: 200 })
      .png()
      .toBuffer()
    expect(await cornersOf(image)).toBe('red green blue white')
  })

  const drawn = async (change: Partial<Parameters<typeof images.card>[0]>): Promise<Buffer> =>
    Buffer.from((await images.card({ ...words, imagePath: null, ...change })).data)

  it('letters ₹ and Devanagari with its own fonts, and nothing with the system’s', async () => {
    // This machine may have fonts for the last one; the card must not.
    const none = await drawn({ title: '', caption: '', artist: '' })
    expect((await drawn({ title: '', caption: '₹', artist: '' })).equals(none)).toBe(false)
    expect((await drawn({ title: 'कमल ताल', caption: '', artist: '' })).equals(none)).toBe(false)
    expect((await drawn({ title: '蓮の池', caption: '', artist: '' })).equals(none)).toBe(true)
    // ₹ is a glyph of its own, not the box that stands for a missing one.
    expect(
      (await drawn({ title: '', caption: '₹', artist: '' })).equals(
        await drawn({ title: '', caption: '€', artist: '' }),
      ),
    ).toBe(false)
  })

  it('changes with title, price and sale state', async () => {
    const cards = await Promise.all([
      drawn({}),
      drawn({ title: 'Another' }),
      drawn({ caption: '₹90,000' }),
      drawn({ saleStatus: 'sold' }),
      drawn({ saleStatus: 'reserved' }),
    ])
    expect(new Set(cards.map((card) => card.toString('base64'))).size).toBe(5)
  })

  it('takes the longest title there can be, with tags in it', async () => {
    for (const title of ['<b>never</b> & so on '.repeat(10), 'x'.repeat(200), 'अनवरत '.repeat(40)])
      expect((await drawn({ title })).length).toBeGreaterThan(10_000)
  })
})

describe('the payment QR', () => {
  const uri =
    'upi://pay?pa=painter%40okbank&pn=A.%20Painter&am=140000.00&cu=INR&tn=Lotus%20Tank%2C%20Four%20O%E2%80%99Clock'

  it('is a PNG of 720 × 720 that reads back as exactly the text', async () => {
    const qr = await images.qr(uri)
    expect(await sharp(qr.data).metadata()).toMatchObject({ format: 'png', width: 720, height: 720 })
    const { data } = await sharp(qr.data).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    // jsqr is CommonJS: its function is the default export of the default export
    const read = ('default' in jsqr ? jsqr.default : jsqr) as unknown as typeof import('jsqr').default
    expect(read(new Uint8ClampedArray(data), 720, 720)?.data).toBe(uri)
  })

  it('keeps a quiet zone of at least four modules', async () => {
    const { data, info } = await sharp((await images.qr(uri)).data)
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const row = (y: number) =>
      data.subarray(y * info.width * info.channels, (y + 1) * info.width * info.channels)
    const top = Array.from({ length: 720 }, (_, y) => y).findIndex((y) => row(y).includes(0))
    // The first dark row is a finder pattern: seven modules wide from its left edge.
    const first = row(top)
    const left = first.indexOf(0)
    const module = (first.indexOf(255, left) - left) / info.channels / 7
    expect(top / module).toBeGreaterThanOrEqual(4)
    expect(left / info.channels / module).toBeGreaterThanOrEqual(4)
  })
})
