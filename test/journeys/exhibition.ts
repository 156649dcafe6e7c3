import type { PageData } from '#web/contract/pages.ts'
import {
  fileHash,
  makeArtwork,
  makeBlogPost,
  makePageData,
  makeSiteContent,
} from '#web/contract/testing/make-page-data.ts'
import { type PageServer, startPageServer } from '../pages/page-server.ts'
import { test as base } from './journey.ts'

const upi = {
  id: 'leela@examplebank',
  payeeName: 'Leela Marathe',
  amount: 96_000,
  uri: 'upi://pay?pa=leela@examplebank&pn=Leela%20Marathe&am=96000.00&cu=INR',
  kind: 'personal' as const,
}

const QUOTE = 'A painting should cost less than the wall it changes.'

/** Three posts with images whose sizes are known, so that the page offers their variants. */
function illustrated(): Pick<PageData, 'blogPosts' | 'images'> {
  const addresses = [0, 1, 2].map((number) => `/images/${fileHash(80 + number)}/original-view.jpg`)
  return {
    blogPosts: addresses.map((imageUrl, number) => makeBlogPost(number, { imageUrl })),
    images: Object.fromEntries(addresses.map((address) => [address, { width: 1200, height: 800 }])),
  }
}

/** Twelve works: the first can be paid by UPI, the second costs more than UPI takes. */
function exhibition(): PageData {
  const data = makePageData(12, {
    ...illustrated(),
    siteContent: makeSiteContent({ artistQuote: QUOTE, quoteBulletPoint1: 'Saturday classes, always free' }),
  })
  const payable = { saleStatus: 'for_sale' as const, qrCodeUrl: '/images/ab/qr.png', upi }
  const changes = [
    { title: 'Monsoon', price: 96_000, ...payable },
    { title: 'Lotus Tank', price: 1_40_000, ...payable, upi: { ...upi, amount: 1_40_000 } },
  ]
  return {
    ...data,
    artworks: data.artworks.map((artwork, index) => makeArtwork(index, { ...artwork, ...changes[index] })),
  }
}

/** The page of the artwork at a place in the list, from 0. */
export function addressOf(data: PageData, index: number): string {
  const artwork = data.artworks[index]
  if (!artwork) throw new Error(`There is no work ${index}`)
  return `/artwork/${artwork.slug}-${artwork.id}`
}

type WorkerFixtures = { pages: PageServer; data: PageData }

/** A journey over the real pages with made-up works; it fails when the console complains or the policy refuses. */
export const test = base.extend<object, WorkerFixtures>({
  // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads the fixtures that are needed from this pattern
  data: [async ({}, use) => use(exhibition()), { scope: 'worker' }],
  pages: [
    async ({ data }, use) => {
      const pages = await startPageServer(data)
      await use(pages)
      await pages.close()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ pages }, use) => use(pages.url),
})

export { expect } from '@playwright/test'
