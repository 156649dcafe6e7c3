/// <reference lib="dom" />
import { test as base } from '@playwright/test'
import sharp from 'sharp'
import type { Artwork } from '#web/contract/artworks.ts'
import { findChromium } from '../support/chromium.ts'
import { signIn, type Site, startSite } from '../support/site.ts'

/** Calls the site as its owner. Gives the JSON of the answer; throws when it is no success. */
export type Owner = <Answer>(method: string, path: string, body?: object | FormData) => Promise<Answer>

/** The whole product in a process of its own, with twelve works that stand for every state a visitor can meet. */
export type Gallery = {
  readonly site: Site
  readonly owner: Owner
  /** in the order of the wall */
  readonly works: readonly Artwork[]
  /** path of a work's own page */
  readonly pathOf: (title: string) => string
}

/** Signs in at `site` and gives the way to act there. */
export async function ownerOf(site: Pick<Site, 'url'>): Promise<Owner> {
  const cookie = await signIn(site)
  return async (method, path, body) => {
    const isForm = body instanceof FormData
    const answer = await fetch(site.url + path, {
      method,
      headers: { cookie, ...(body && !isForm ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    // The caller names what the interface promises for this call.
    return (answer.status === 204 ? undefined : await answer.json()) as never
  }
}

/** Uploads a picture of two colours; `width` and `height` in pixels. Gives the address to hang it by. */
export async function upload(owner: Owner, width: number, height: number, colour: string): Promise<string> {
  const stripe = await sharp({
    create: { width, height: Math.round(height / 3), channels: 3, background: '#2b4a8b' },
  })
    .png()
    .toBuffer()
  const picture = await sharp({ create: { width, height, channels: 3, background: colour } })
    .composite([{ input: stripe, gravity: 'south' }])
    .jpeg()
    .toBuffer()
  const form = new FormData()
  form.set('image', new File([new Uint8Array(picture)], 'work.jpg', { type: 'image/jpeg' }))
  return (await owner<{ imageUrl: string }>('POST', '/api/upload/image', form)).imageUrl
}

export const LONG_TITLE =
  'An Inventory of All the Windows That Faced the Railway Line between Byculla and Currey Road in the Winter ' +
  'before the Viaduct Came Down, Seen from a Slow Train and Set Down on Handmade Paper'

/** Title, price and what else differs from an ordinary work, in the order of the wall. */
const WALL: readonly (Partial<Artwork> & Pick<Artwork, 'title' | 'price'>)[] = [
  { title: 'Monsoon over the Ghats', price: 96_000, isFeatured: true, dimensions: '122 × 81 cm' },
  { title: 'Haldi', price: 78_000, isFeatured: true, category: 'Abstract' },
  { title: 'Neel, after the Rains', price: 0, isFeatured: true, category: 'Abstract' },
  { title: 'Lotus Tank', price: 1_40_000, isFeatured: true },
  { title: 'Letters to Indore', price: 36_000, saleStatus: 'reserved' },
  { title: 'Low Water, Yamuna', price: 24_000, saleStatus: 'sold' },
  { title: 'Kajal', price: 18_500, dimensions: '56 × 76 cm' },
  { title: 'Gulmohar', price: 85_000, description: 'The tree outside the municipal school.' },
  { title: 'Portrait of a Wall', price: 50_000, saleStatus: 'not_for_sale' },
  { title: LONG_TITLE, price: 42_000 },
  { title: 'वर्षा, the Second Day', price: 12_34_567 },
  { title: 'Salt Pans', price: 28_000, category: 'Works on Paper' },
]

async function hang(owner: Owner, site: Site): Promise<readonly Artwork[]> {
  await owner('PUT', '/api/site-content', {
    artistName: 'Leela Marathe',
    contactEmail: 'leela@example.org',
    contactWhatsapp: '+91 98200 12345',
    upiId: 'leela@okexample',
    upiPayeeName: 'Leela Marathe',
    upiKind: 'personal',
    artistBio: 'Leela Marathe paints in a former printing press.',
    artistQuote: 'A painting should cost less than the wall it changes.',
    quoteBulletPoint1: 'Works that a teacher can buy',
    bioParagraph3: 'Some four hundred pieces hang in flats, clinics and schools.',
    achievement1Number: '400',
  })
  for (const [sortOrder, name] of ['Landscape', 'Abstract', 'Works on Paper', 'Sculpture'].entries()) {
    await owner('POST', '/api/categories', { name, sortOrder })
  }
  await owner('POST', '/api/categories', { name: 'Put Away', isActive: false })
  const wide = await upload(owner, 1600, 1062, '#d98e1f')
  const tall = await upload(owner, 480, 640, '#7a8f5a')
  const ordinary = { category: 'Landscape', medium: 'Oil on canvas', yearCreated: 2024 }
  // Newest first (decisions 5): the last one of the wall is hung first.
  for (const [index, work] of [...WALL.entries()].toReversed()) {
    await owner('POST', '/api/artworks', { ...ordinary, imageUrl: index % 3 === 1 ? tall : wide, ...work })
  }
  await owner('POST', '/api/artworks', { ...ordinary, title: 'Not shown', imageUrl: tall, isVisible: false })
  await owner('POST', '/api/artworks', {
    ...ordinary,
    title: 'Put aside',
    imageUrl: tall,
    isAvailable: false,
  })
  await base.expect
    .poll(async () => (await publicWorks(site)).every((work) => work.image?.ready), { timeout: 40_000 })
    .toBe(true)
  return publicWorks(site)
}

/** The works as anybody gets them. */
export async function publicWorks(site: Pick<Site, 'url'>): Promise<Artwork[]> {
  const answer = await fetch(`${site.url}/api/artworks`)
  // The call's answer by the interface.
  return (await answer.json()) as Artwork[]
}

type Fixtures = {
  /** errors and warnings of the console, and refusals of the policy; the journey fails when any is left at its end */
  complaints: string[]
}
type WorkerFixtures = { gallery: Gallery; bareSite: Site }

/** A journey through the real product. One server for all journeys of a worker, and one without content. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  gallery: [
    // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads the fixtures that are needed from this pattern
    async ({}, use) => {
      const site = await startSite()
      try {
        const owner = await ownerOf(site)
        const works = await hang(owner, site)
        const pathOf = (title: string): string => {
          const work = works.find((each) => each.title === title)
          if (!work) throw new Error(`No work is called ${title}`)
          return `/artwork/${work.slug}-${work.id}`
        }
        await use({ site, owner, works, pathOf })
      } finally {
        await site.stop()
      }
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  bareSite: [
    // oxlint-disable-next-line eslint/no-empty-pattern -- as above
    async ({}, use) => {
      const site = await startSite()
      await use(site)
      await site.stop()
    },
    { scope: 'worker', timeout: 40_000 },
  ],
  baseURL: async ({ gallery }, use) => use(gallery.site.url),
  complaints: [
    async ({ context }, use) => {
      const complaints: string[] = []
      context.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
      })
      context.on('weberror', (error) => complaints.push(error.error().message))
      await use(complaints)
      base.expect(complaints).toEqual([])
    },
    { auto: true },
  ],
})

test.skip(findChromium() === null, 'no Chromium here (set CHROMIUM_PATH to name one)')

export { expect } from '@playwright/test'
