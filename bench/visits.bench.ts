import { Pool } from 'undici'
import { type Site, signIn, startSite } from '../test/support/site.ts'
import { untilImagesReady } from './gallery.ts'
import { quantile } from './measure.ts'
import { type Bench, type Row, row } from './row.ts'

/** Visitors who are there at once, each beginning anew when done. */
const visitors = 40
const seconds = 6
const artworksLookedAt = 3
/** In the rush of a day with a million visitors: ten times the day's mean. */
const rush = Math.round((10 * 1_000_000) / 86_400)

type Asked = { readonly path: string; readonly isPage: boolean; readonly etag?: string }
type Artwork = { id: string; slug: string }

/** What one visit asks for: the homepage with its program and images, then some works with their large image. */
const visitOf = async (site: Site): Promise<readonly Asked[]> => {
  // The public list of the site under test, which the contract describes.
  const artworks = (await (await fetch(`${site.url}/api/artworks`)).json()) as Artwork[]
  const paths = ['/', ...artworks.slice(0, artworksLookedAt).map(({ id, slug }) => `/artwork/${slug}-${id}`)]
  const asked: Asked[] = []
  for (const path of paths) {
    const answer = await fetch(site.url + path, { headers: { 'accept-encoding': 'br' } })
    const html = await answer.text()
    asked.push({ path, isPage: true, etag: answer.headers.get('etag') ?? '' })
    const files = [
      ...new Set([
        ...[...html.matchAll(/"(\/assets\/[\w.-]+\.js)"/g)].map(([, file = '']) => file),
        ...[...html.matchAll(/(\/assets\/[\w.-]+\.woff2)/g)].map(([, file = '']) => file).slice(0, 6),
        ...[...html.matchAll(/(\/images\/[0-9a-f]+\/640\.avif)/g)].map(([, file = '']) => file),
      ]),
    ]
    asked.push(...files.map((file) => ({ path: file, isPage: false })))
  }
  // A browser asks for a file once in a visit.
  return [...new Map(asked.map((each) => [each.path, each])).values()]
}

/** Visits one after another from many visitors at once, while the artist changes a price every second. */
const measure = async (
  site: Site,
  visit: readonly Asked[],
  revalidate: boolean,
): Promise<{ rate: number; bytes: number; pageMs: number }> => {
  const pool = new Pool(site.url, { connections: visitors })
  const pageTimes: number[] = []
  let visits = 0
  let bytes = 0
  const end = performance.now() + seconds * 1000
  const begun = performance.now()
  const visitor = async (): Promise<void> => {
    while (performance.now() < end) {
      for (const { path, isPage, etag } of visit) {
        const at = performance.now()
        const answer = await pool.request({
          method: 'GET',
          path,
          headers: { 'accept-encoding': 'br', ...(revalidate && etag ? { 'if-none-match': etag } : {}) },
        })
        if (answer.statusCode !== 200 && answer.statusCode !== 304)
          throw new Error(`GET ${path}: ${answer.statusCode}`)
        bytes += (await answer.body.arrayBuffer()).byteLength
        if (isPage) pageTimes.push(performance.now() - at)
      }
      visits += 1
    }
  }
  const cookie = await signIn(site)
  const [first] = (await (await fetch(`${site.url}/api/artworks`)).json()) as Artwork[]
  const artist = async (): Promise<void> => {
    for (let price = 10_000; performance.now() < end; price += 1) {
      const answer = await fetch(`${site.url}/api/artworks/${first?.id}`, {
        method: 'PUT',
        headers: { cookie, 'content-type': 'application/json' },
        body: JSON.stringify({ price }),
      })
      if (!answer.ok) throw new Error(`A price was answered ${answer.status}: ${await answer.text()}`)
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  }
  try {
    await Promise.all([artist(), ...Array.from({ length: visitors }, visitor)])
    const took = (performance.now() - begun) / 1000
    return { rate: visits / took, bytes: bytes / visits, pageMs: quantile(pageTimes, 0.99) }
  } finally {
    await pool.close()
  }
}

const bench: Bench = {
  name: `Whole visits, ${visitors} at once, while the artist changes a price every second`,
  run: async () => {
    const site = await startSite({ env: { SAMPLES: 'auto' } })
    try {
      await untilImagesReady(site, 600_000)
      const visit = await visitOf(site)
      const pages = visit.filter(({ isPage }) => isPage)
      const rows: Row[] = [row('requests of a visit', visit.length, '')]
      const whole = await measure(site, visit, false)
      rows.push(
        row('visits, everything from this machine', whole.rate, '/s', { aim: { atLeast: rush } }),
        row('bytes of a visit', whole.bytes / 1e6, 'MB'),
        row('a page among them, p99', whole.pageMs, 'ms'),
      )
      const edge = await measure(site, pages, true)
      rows.push(
        row('visits, files and pages kept by a shared cache that asks again', edge.rate, '/s', {
          aim: { atLeast: rush },
        }),
        row('bytes of such a visit', edge.bytes / 1e6, 'MB'),
      )
      return rows
    } finally {
      await site.stop()
    }
  },
}
export default bench
