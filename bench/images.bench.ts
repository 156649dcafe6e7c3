import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { openImages } from '#infrastructure/images/images.ts'
import { variantWidths } from '#domain/images/variant-widths.ts'
import { withFolder } from './floors.ts'
import { median, timesOf } from './measure.ts'
import { type Bench, type Row, row } from './row.ts'

const size = { width: 6000, height: 4000 }
const painting = join(import.meta.dirname, '../samples/lotus.jpg')

/** A photograph of 24 megapixels as a phone takes it upright: lying, Display P3, with a place. Noise as of a sensor. */
const phoneImage = async (): Promise<Buffer> => {
  const { data } = await sharp(painting)
    .resize({ ...size, fit: 'fill', kernel: 'cubic' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  let seed = 1
  for (let i = 0; i < data.length; i += 1) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    data[i] = Math.min(255, Math.max(0, (data[i] ?? 0) + ((seed >>> 24) - 128) / 16))
  }
  return sharp(data, { raw: { ...size, channels: 3 } })
    .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '18/1 55/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .withIccProfile('p3')
    .jpeg({ quality: 90 })
    .toBuffer()
}

/** The same files by sharp alone, from one decode, in this process. */
const bareVariants = async (path: string, into: string): Promise<void> => {
  const upright = { width: size.height, height: size.width }
  const widths = variantWidths(upright)
  const { data, info } = await sharp(path)
    .autoOrient()
    .resize(widths.at(-1))
    .raw()
    .toBuffer({ resolveWithObject: true })
  for (const width of widths) {
    const sized = await sharp(data, { raw: info }).resize(width).raw().toBuffer({ resolveWithObject: true })
    const open = (): Sharp => sharp(sized.data, { raw: sized.info })
    await open()
      .avif({ quality: 55, effort: 2, chromaSubsampling: '4:4:4' })
      .toFile(join(into, `${width}.avif`))
    await open()
      .jpeg({ quality: 82, chromaSubsampling: '4:4:4' })
      .toFile(join(into, `${width}.jpg`))
    await open()
      .webp({ quality: 80 })
      .toFile(join(into, `${width}.webp`))
  }
}

/** The most memory that a process ever held, in MB; null where /proc does not tell. */
const peakOf = async (pid: number): Promise<number | null> => {
  if (process.platform !== 'linux') return null
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1000
}

/** Our helper process beside sharp alone. */
const bench: Bench = {
  name: 'A photograph of 24 megapixels',
  run: () =>
    withFolder(async (folder) => {
      sharp.cache(false)
      sharp.concurrency(2)
      const path = join(folder, 'phone.jpg')
      await writeFile(path, await phoneImage())
      const { orientation, hasProfile, exif } = await sharp(path).metadata()
      if (orientation !== 6 || !hasProfile || !exif)
        throw new Error('The picture is not what the bench is about')
      const fresh = async (name: string): Promise<string> => {
        await rm(join(folder, name), { recursive: true, force: true })
        await mkdir(join(folder, name))
        return join(folder, name)
      }

      let pid = 0
      const start = async (): Promise<ReturnType<typeof openImages>> => {
        const images = openImages({ onStart: (started) => (pid = started ?? 0) })
        await images.qr('warm')
        return images
      }
      // The very first start also compiles and keeps the helper's code.
      await (await start()).close()

      const [cold = 0] = await timesOf(1, async () => (await start()).close())
      const images = await start()
      await images.first(path)
      const first = median(await timesOf(7, () => images.first(path)))
      const bareFirst = median(
        await timesOf(7, () => sharp(path).autoOrient().resize(800, 1200).jpeg({ quality: 80 }).toBuffer()),
      )
      await images.close()

      const variants: number[] = []
      const bare: number[] = []
      let peak: number | null = null
      for (let round = 0; round < 3; round += 1) {
        const own = await start()
        const into = await fresh('own')
        variants.push(...(await timesOf(1, () => own.variants(path, { into }))))
        peak = await peakOf(pid)
        await own.close()
        const bareInto = await fresh('bare')
        bare.push(...(await timesOf(1, () => bareVariants(path, bareInto))))
      }

      const rows: Row[] = [
        row('start of the helper process', cold, 'ms'),
        row('first displayable picture, placeholder, colour', first, 'ms', { aim: { atMost: 150 } }),
        row('of it beside one bare resize', first, 'ms', { floor: { what: 'bare sharp', value: bareFirst } }),
        row('all 18 variants', median(variants), 'ms', {
          floor: { what: 'bare sharp', value: median(bare) },
          aim: { atMost: 1.15 },
        }),
      ]
      if (peak === null) console.log('Left out: peak memory is read from /proc, which only Linux has.')
      else rows.push(row('peak memory of the helper process', peak, 'MB', { aim: { atMost: 400 } }))
      return rows
    }),
}
export default bench
