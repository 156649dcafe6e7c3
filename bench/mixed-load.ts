import { Pool } from 'undici'
import sharp from 'sharp'
import { type Site, signIn } from '../test/support/site.ts'
import { upload } from '../test/support/upload.ts'

const connections = 20
/** So many requests of visitors come between two changes of the artist. */
const requestsPerChange = 500

const json = { 'content-type': 'application/json' }
const encodings = ['br', 'gzip', 'identity'] as const

/** Of an artwork, what the benches use; the calls' contract has more. */
interface Artwork {
  readonly id: string
  readonly slug: string
  readonly imageUrl: string
}

const artworksOf = async (site: Site): Promise<readonly Artwork[]> =>
  // The public list of the site under test, which the contract describes.
  (await (await fetch(`${site.url}/api/artworks`)).json()) as Artwork[]

/** Everything that visitors ask for: pages, lists, images in each size, the client's files, and what is not there. */
const addressesOf = async (site: Site): Promise<readonly string[]> => {
  const artworks = await artworksOf(site)
  const html = await (await fetch(site.url)).text()
  const files = [...html.matchAll(/(\/assets\/[\w.-]+\.(?:js|css|woff2))/g)].map(([, file = '']) => file)
  const images = [...html.matchAll(/(\/images\/[0-9a-f]+\/\d+\.(?:avif|webp|jpg))/g)].map(
    ([, file = '']) => file,
  )
  const pages = artworks.map(({ id, slug }) => `/artwork/${slug}-${id}`)
  return [
    ...Array.from({ length: 20 }, () => '/'),
    ...pages,
    ...new Set([...files, ...images]),
    '/api/artworks',
    '/api/categories',
    '/api/site-content',
    '/api/blog-posts',
    '/sitemap.xml',
    '/healthz',
    '/?category=Landscape',
    '/nothing-here',
    `/api/artworks/${artworks[0]?.id}`,
  ]
}

/**
 * Sends so many requests of visitors, of every kind and encoding, with a change of a price now and then.
 * @param told hears how many were sent, so many times in the run
 */
export const mixedRequests = async (
  site: Site,
  requests: number,
  every: number,
  told: (sent: number) => Promise<void>,
): Promise<void> => {
  const addresses = await addressesOf(site)
  const cookie = await signIn(site)
  const [first] = await artworksOf(site)
  const pool = new Pool(site.url, { connections })
  let sent = 0
  const visitor = async (until: number): Promise<void> => {
    while (sent < until) {
      sent += 1
      const run = sent
      const path = addresses[(run * 7) % addresses.length] ?? '/'
      const headers = { 'accept-encoding': encodings[run % encodings.length] ?? 'br' }
      const answer = await pool.request({ method: 'GET', path, headers })
      await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER })
      if (answer.statusCode >= 500) throw new Error(`GET ${path}: ${answer.statusCode}`)
      if (run % requestsPerChange !== 0) continue
      const body = JSON.stringify({ price: 10_000 + run })
      const change = {
        method: 'PUT',
        path: `/api/artworks/${first?.id}`,
        headers: { ...json, cookie },
        body,
      } as const
      const changed = await pool.request(change)
      await changed.body.dump()
      if (changed.statusCode >= 400) throw new Error(`PUT ${change.path}: ${changed.statusCode}`)
    }
  }
  try {
    while (sent < requests) {
      const until = Math.min(requests, sent + every)
      await Promise.all(Array.from({ length: connections }, () => visitor(until)))
      await told(sent)
    }
  } finally {
    await pool.close()
  }
}

/** A call of the artist. @throws unless it is answered well */
const callOf =
  (site: Site, cookie: string) =>
  async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(site.url + path, {
      method,
      headers: body === undefined ? { cookie } : { cookie, ...json },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }

/** Adds an artwork with an image of its own, of two megapixels. */
const addArtwork = async (site: Site, cookie: string, run: number): Promise<void> => {
  const noise = { type: 'gaussian', mean: 90 + run, sigma: 30 } as const
  const image = sharp({ create: { width: 1600, height: 1250, channels: 3, background: '#865', noise } })
  const { imageUrl } = await upload(site, cookie, new Blob([new Uint8Array(await image.jpeg().toBuffer())]))
  await callOf(site, cookie)('POST', '/api/artworks', {
    title: `Study ${run}`,
    description: 'Painted out of doors in one sitting, between two showers.',
    imageUrl,
    price: 9_000 + run,
    category: 'Landscape',
    medium: 'Oil on canvas',
    dimensions: '60 × 45 cm',
    yearCreated: 2020,
    isAvailable: true,
  })
}

/** Hangs twelve artworks where there are none: on servers there are no samples. */
export const hangSome = async (site: Site): Promise<void> => {
  if ((await artworksOf(site)).length > 0) return
  const cookie = await signIn(site)
  for (let run = 0; run < 12; run += 1) await addArtwork(site, cookie, run)
}

/**
 * An hour of one artist's work, one act after the other without a pause: each minute five fields of artworks, a text of
 * the page, a look at the dashboard's lists, and every third minute a new artwork.
 */
export const hourOfWork = async (site: Site, told: (minute: number) => Promise<void>): Promise<void> => {
  const cookie = await signIn(site)
  const call = callOf(site, cookie)
  for (let minute = 1; minute <= 60; minute += 1) {
    const artworks = await artworksOf(site)
    for (let act = 0; act < 5; act += 1) {
      const { id } = artworks[(minute * 5 + act) % artworks.length] ?? { id: '' }
      const field =
        act % 2 === 0 ? { price: 20_000 + minute } : { description: `Minute ${minute}, act ${act}.` }
      await call('PUT', `/api/artworks/${id}`, field)
    }
    await call('PUT', '/api/site-content', { heroSubtitle: `Minute ${minute} of an hour of work` })
    for (const list of ['activity', 'contact-messages', 'jobs', 'artworks?deleted=true', 'status'])
      await call('GET', `/api/${list}`)
    if (minute % 3 === 0) await addArtwork(site, cookie, minute + 20)
    await told(minute)
  }
}
