import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deltaE2000, labOf, type Rgb } from '#infrastructure/images/testing/test-images.ts'
import { atelier } from './support/atelier.ts'
import { type PhoneImage, photographed } from './support/phone-image.ts'
import { type Site, signIn, startSite } from './support/site.ts'
import { upload } from './support/upload.ts'

let dataDir: string
let site: Site
let cookie: string
let photo: PhoneImage
let hash: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'atelier-phone-'))
  photo = await photographed(900)
  site = await startSite({ dataDir })
  cookie = await signIn(site)
})
afterAll(async () => {
  await site.stop()
  await rm(dataDir, { recursive: true })
})

/** The public list of works as text, with the tag that changes whenever any of it does. */
const list = async (): Promise<{ readonly tag: string | null; readonly text: string }> => {
  const answer = await fetch(`${site.url}/api/artworks`)
  return { tag: answer.headers.get('etag'), text: await answer.text() }
}
const fileOf = (name: string): string => join(dataDir, 'files', 'images', hash, name)

/** So small that grain and compression are gone and the colours stay. */
const small = { width: 48, height: 64, fit: 'fill' } as const
const coloursOf = async (image: Sharp): Promise<readonly Rgb[]> => {
  // Decoded whole first: a decoder that shrinks while it reads has small errors of its own.
  const whole = await image.removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const { data, info } = await sharp(whole.data, { raw: whole.info })
    .resize(small)
    .raw()
    .toBuffer({ resolveWithObject: true })
  return Array.from({ length: info.width * info.height }, (_, i) => [
    data[3 * i] ?? 0,
    data[3 * i + 1] ?? 0,
    data[3 * i + 2] ?? 0,
  ])
}
const difference = (one: readonly Rgb[], other: readonly Rgb[]): number =>
  one.reduce(
    (sum, each, i) => sum + deltaE2000(labOf('srgb', each), labOf('srgb', other[i] ?? [0, 0, 0])),
    0,
  ) / one.length

describe('a photograph taken upright on a phone', () => {
  it('goes in and comes out right in every variant', async () => {
    const { width, height } = photo
    const answer = await upload(site, cookie, new Blob([new Uint8Array(photo.jpeg)]), 'IMG_0001.JPG')
    expect(answer).toMatchObject({ width, height })
    hash = /[0-9a-f]{64}/.exec(answer.imageUrl)?.[0] ?? ''

    const reference = await coloursOf(sharp(photo.upright, { raw: { width, height, channels: 3 } }))
    // The measure sees what it is to see: the stored pixels taken as they lie, and as sRGB, are both far off.
    const untreated = sharp(await sharp(photo.jpeg, { ignoreIcc: true }).rotate(90).toBuffer())
    expect(difference(reference, await coloursOf(untreated))).toBeGreaterThan(1.5)
    expect(difference(reference, await coloursOf(sharp(photo.jpeg)))).toBeGreaterThan(5)

    const isRight = async (path: string, size: readonly [number, number]): Promise<void> => {
      const bytes = Buffer.from(await (await fetch(site.url + path)).arrayBuffer())
      const { exif, xmp, iptc, icc, orientation, ...made } = await sharp(bytes).metadata()
      expect([path, made.width, made.height]).toEqual([path, ...size])
      expect({ exif, xmp, iptc, icc, orientation }).toEqual({})
      expect([path, bytes.includes('GPS'), bytes.includes('Phone')]).toEqual([path, false, false])
      const off = difference(reference, await coloursOf(sharp(bytes)))
      expect([path, off < 1 ? 'right' : off]).toEqual([path, 'right'])
    }
    // At once, before the worker has made anything.
    await isRight(answer.imageUrl, [900, 1200])

    const artwork = { title: 'Gulmohar', price: 90_000, imageUrl: answer.imageUrl }
    const added = await fetch(`${site.url}/api/artworks`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify(artwork),
    })
    expect(added.status).toBe(201)
    await expect.poll(async () => (await list()).text, { timeout: 120_000 }).toContain('"ready":true')
    for (const each of [320, 640, 900])
      for (const format of ['avif', 'webp', 'jpg'])
        await isRight(`/images/${hash}/${each}.${format}`, [each, Math.round((each * height) / width)])
    await isRight(answer.imageUrl, [width, height])
    const page = await (await fetch(site.url)).text()
    expect(page).toContain(`/images/${hash}/320.avif 320w`)
    expect(page).toContain(`width="${width}" height="${height}"`)

    const original = await readFile(join(dataDir, 'files', 'originals', hash))
    expect(original.equals(photo.jpeg)).toBe(true)
  })

  it('is made anew by the operator beside the running site, and nobody sees a change', async () => {
    const before = await list()
    const good = await readFile(fileOf('640.webp'))
    await writeFile(fileOf('640.webp'), 'a disk that forgets')
    const again = await atelier(dataDir, ['images', 'reprocess', hash])
    expect(again.code).toBe(0)
    expect(again.output).toContain('The variants of 1 of 1 pictures were made anew')
    expect((await readFile(fileOf('640.webp'))).equals(good)).toBe(true)
    expect(await list()).toEqual(before)
  })

  it('whose original is missing is parked with the reason, and made once it is there again', async () => {
    const original = join(dataDir, 'files', 'originals', hash)
    await rename(original, `${original}.away`)
    const failed = await atelier(dataDir, ['images', 'reprocess', hash])
    expect(failed).toMatchObject({
      code: 1,
      errors: expect.stringContaining('The original of this picture is gone'),
    })
    const parked = await atelier(dataDir, ['jobs'])
    const [, id = ''] =
      /^parked +process-image +(\S+) +The original of this picture is gone/m.exec(parked.output) ?? []
    expect([parked.code, id]).toEqual([0, expect.stringMatching(/^process-image-/)])
    // What exists already stays on show.
    expect((await list()).text).toContain('"ready":true')

    await rename(`${original}.away`, original)
    await rm(fileOf('640.webp'))
    expect((await atelier(dataDir, ['jobs', 'retry', id])).code).toBe(0)
    await expect.poll(() => existsSync(fileOf('640.webp'))).toBe(true)
    const open = async () => (await atelier(dataDir, ['jobs'])).output
    await expect.poll(open).toBe('No jobs.\n')
  })

  it('is not made again by a rebuild of the projections', async () => {
    const jobs = async () => (await atelier(dataDir, ['--json', 'jobs', 'list', '--all'])).output
    const before = await jobs()
    expect((await atelier(dataDir, ['projections', 'rebuild', 'images'])).code).toBe(0)
    expect(await jobs()).toBe(before)
  })

  it('says in words what it is not given', async () => {
    const unknown = await atelier(dataDir, ['images', 'reprocess', 'f'.repeat(64)])
    expect(unknown).toMatchObject({ code: 1, errors: expect.stringContaining('There is no picture') })
    for (const args of [[], [hash, '--all']])
      expect((await atelier(dataDir, ['images', 'reprocess', ...args])).code).toBe(2)
  })

  it('is made anew with no site running, and what nothing refers to is swept away', async () => {
    await site.stop()
    await rm(fileOf('640.avif'))
    await mkdir(fileOf('../../cards'), { recursive: true })
    await writeFile(fileOf('../../cards/0123456789abcdef.jpg'), 'of a price long ago')
    const all = await atelier(dataDir, ['--json', 'images', 'reprocess', '--all'])
    expect(all).toMatchObject({ code: 0, errors: '' })
    expect(JSON.parse(all.output)).toMatchObject({ ok: true, data: { pictures: 1, failures: [], files: 1 } })
    expect((await sharp(await readFile(fileOf('640.avif'))).metadata()).width).toBe(640)
  })
})
