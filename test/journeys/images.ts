import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Owner } from './owner.ts'

const samples = join(import.meta.dirname, '..', '..', 'samples')

/** The path of one of the sample paintings, as a photograph that she would upload. */
export const painting = (name: string): string => join(samples, `${name}.jpg`)

async function upload(owner: Owner, bytes: Uint8Array): Promise<string> {
  const form = new FormData()
  form.set('image', new File([new Uint8Array(bytes)], 'work.jpg', { type: 'image/jpeg' }))
  return (await owner<{ imageUrl: string }>('POST', '/api/upload/image', form)).imageUrl
}

/** Uploads a small image of one colour. Gives its address for `imageUrl`. */
export async function oneImage(owner: Owner, background = '#d98e1f'): Promise<string> {
  const create = { width: 400, height: 300, channels: 3, background } as const
  return upload(owner, await sharp({ create }).jpeg().toBuffer())
}

/** Uploads an image of two colours; `width` and `height` in pixels. Gives its address. */
export async function stripedImage(
  owner: Owner,
  width: number,
  height: number,
  colour: string,
): Promise<string> {
  const stripe = await sharp({
    create: { width, height: Math.round(height / 3), channels: 3, background: '#2b4a8b' },
  })
    .png()
    .toBuffer()
  const image = await sharp({ create: { width, height, channels: 3, background: colour } })
    .composite([{ input: stripe, gravity: 'south' }])
    .jpeg()
    .toBuffer()
  return upload(owner, image)
}

/** Uploads one of the sample paintings. Gives its address. */
export const uploadPainting = async (owner: Owner, name: string): Promise<string> =>
  upload(owner, await readFile(painting(name)))
