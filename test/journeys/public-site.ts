/// <reference lib="dom" />
import { expect } from '@playwright/test'
import type { Artwork } from '#web/contract/artworks.ts'
import { type Site, startSite } from '../support/site.ts'
import { test as base } from './journey.ts'
import { type Owner, ownerOf } from './owner.ts'
import { stripedImage } from './images.ts'

/** The whole product in a process of its own, with twelve works that stand for every state a visitor can meet. */
export type Gallery = {
  readonly site: Site
  readonly owner: Owner
  /** in the order of the wall */
  readonly artworks: readonly Artwork[]
  /** path of an artwork's own page */
  readonly pathOf: (title: string) => string
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
  const wide = await stripedImage(owner, 1600, 1062, '#d98e1f')
  const tall = await stripedImage(owner, 480, 640, '#7a8f5a')
  const ordinary = { category: 'Landscape', medium: 'Oil on canvas', yearCreated: 2024 }
  // Newest first: the last one of the wall is hung first.
  for (const [index, artwork] of [...WALL.entries()].toReversed()) {
    await owner('POST', '/api/artworks', { ...ordinary, imageUrl: index % 3 === 1 ? tall : wide, ...artwork })
  }
  await owner('POST', '/api/artworks', { ...ordinary, title: 'Not shown', imageUrl: tall, isVisible: false })
  await owner('POST', '/api/artworks', {
    ...ordinary,
    title: 'Put aside',
    imageUrl: tall,
    isAvailable: false,
  })
  await expect
    .poll(async () => (await publicArtworks(site)).every((artwork) => artwork.image?.ready), {
      timeout: 240_000,
    })
    .toBe(true)
  return publicArtworks(site)
}

/** The works as anybody gets them. */
export async function publicArtworks(site: Pick<Site, 'url'>): Promise<Artwork[]> {
  const answer = await fetch(`${site.url}/api/artworks`)
  // The call's answer by the interface.
  return (await answer.json()) as Artwork[]
}

type WorkerFixtures = { gallery: Gallery; bareSite: Site }

/** A journey through the real product. One server for all journeys of a worker, and one without content. */
export const test = base.extend<object, WorkerFixtures>({
  gallery: [
    // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads the fixtures that are needed from this pattern
    async ({}, use) => {
      const site = await startSite()
      try {
        const owner = await ownerOf(site)
        const artworks = await hang(owner, site)
        const pathOf = (title: string): string => {
          const artwork = artworks.find((each) => each.title === title)
          if (!artwork) throw new Error(`No work is called ${title}`)
          return `/artwork/${artwork.slug}-${artwork.id}`
        }
        await use({ site, owner, artworks, pathOf })
      } finally {
        await site.stop()
      }
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  bareSite: [
    // oxlint-disable-next-line eslint/no-empty-pattern -- as above
    async ({}, use) => {
      const site = await startSite()
      await use(site)
      await site.stop()
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: async ({ gallery }, use) => use(gallery.site.url),
})

export { expect } from '@playwright/test'
