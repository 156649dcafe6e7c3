import sharp from 'sharp'
import type { Owner } from './public-site.ts'

/** Uploads a small picture of one colour. Gives its address for `imageUrl`. */
export async function onePicture(owner: Owner, background = '#d98e1f'): Promise<string> {
  const bytes = await sharp({ create: { width: 400, height: 300, channels: 3, background } })
    .jpeg()
    .toBuffer()
  const form = new FormData()
  form.set('image', new File([new Uint8Array(bytes)], 'work.jpg', { type: 'image/jpeg' }))
  return (await owner<{ imageUrl: string }>('POST', '/api/upload/image', form)).imageUrl
}
