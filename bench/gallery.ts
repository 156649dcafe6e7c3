import sharp from 'sharp'
import { perSecond } from './measure.ts'
import { type Site, signIn, startSite } from '../test/support/site.ts'

export type Gallery = { readonly site: Site; readonly cookie: string; readonly ids: readonly string[] }

const answered = async (answer: Response): Promise<unknown> => {
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

type Size = { readonly width: number; readonly height: number }

/** Uploads one painted image, as the dashboard does. @returns its address */
const upload = async (site: Site, cookie: string, size: Size): Promise<string> => {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const image = sharp({ create: { ...size, channels: 3, background: '#864', noise } })
  const form = new FormData()
  form.set('image', new Blob([new Uint8Array(await image.jpeg().toBuffer())]), 'picture.jpg')
  const answer = await fetch(`${site.url}/api/upload/image`, {
    method: 'POST',
    headers: { cookie },
    body: form,
  })
  // The contract promises the address; a wrong answer shows at the first work that uses it.
  const { imageUrl } = (await answered(answer)) as { imageUrl?: string }
  // On servers a command that takes longer than decided is accepted without its result.
  if (imageUrl === undefined)
    throw new Error(`The machine is too busy: the upload was answered ${answer.status}`)
  return imageUrl
}

const SMALL: Size = { width: 640, height: 480 }

/**
 * Starts a server with that many works in its public gallery, all showing one image.
 * @param env settings over the usual ones
 * @param size of the image, in pixels
 * Resolves when the image's sizes are made, so that no job runs beside what is measured.
 */
export const startGallery = async (
  artworks: number,
  env: Record<string, string> = {},
  size: Size = SMALL,
): Promise<Gallery> => {
  const site = await startSite({ env, within: 60_000 })
  try {
    const cookie = await signIn(site)
    const imageUrl = await upload(site, cookie, size)
    const ids: string[] = []
    await perSecond(artworks, 8, async (run) => {
      const artwork = {
        title: `Monsoon over the fields, no. ${run + 1}`,
        description: 'Painted out of doors in one sitting, between two showers.',
        imageUrl,
        price: 12_000 + run,
        category: 'Landscape',
        medium: 'Oil on canvas',
        dimensions: '60 × 45 cm',
        yearCreated: 2020,
        isAvailable: true,
        isFeatured: run < 3,
      }
      const headers = { cookie, 'content-type': 'application/json' }
      const answer = await fetch(`${site.url}/api/artworks`, {
        method: 'POST',
        headers,
        body: JSON.stringify(artwork),
      })
      // A created work carries its id.
      ids.push(((await answered(answer)) as { id: string }).id)
    })
    await untilImagesReady(site)
    return { site, cookie, ids }
  } catch (error) {
    await site.stop()
    throw error
  }
}

/** Resolves when every public work's image has all its sizes. @throws when that takes over `within` milliseconds */
export const untilImagesReady = async (site: Site, within = 180_000): Promise<void> => {
  const end = performance.now() + within
  for (;;) {
    // The public list as the contract has it; `image` is null until something is known of the image.
    const artworks = (await answered(await fetch(`${site.url}/api/artworks`))) as {
      image: { ready: boolean } | null
    }[]
    if (artworks.every(({ image }) => image?.ready)) return
    if (performance.now() > end)
      throw new Error(`The pictures' sizes were not ready in time: ${site.output()}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
