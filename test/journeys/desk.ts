/// <reference lib="dom" />
import { expect, type Locator, type Page } from '@playwright/test'
import type { Artwork, NewArtworkInput } from '#web/contract/artworks.ts'
import { axeFaults } from '../support/axe.ts'
import type { Site } from '../support/site.ts'
import { test as base, openDashboard, type TabName } from './dashboard.ts'
import type { Owner } from './owner.ts'
import { uploadPainting } from './images.ts'

/** The owner at work: a browser that is signed in, and the same account from outside of it. */
export type Desk = {
  readonly site: Site
  /** calls the site as another browser of hers */
  readonly call: Owner
  /** adds an artwork without the browser */
  readonly addArtwork: (artwork: Partial<NewArtworkInput> & { title: string }) => Promise<Artwork>
  /** opens the dashboard at a tab */
  readonly open: (tab: TabName) => Promise<void>
}

type Fixtures = { desk: Desk }
type WorkerFixtures = { hungImage: string }

/** A journey that begins with an empty gallery. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  // As in the dashboard; and the recorder of the trace asks for previews (blob:), which the page itself never does.
  expectedComplaints: /^(?:Failed to load resource|Fetching ahead failed|Connecting to 'blob:)/,
  hungImage: [
    async ({ workshop }, use) => use(await uploadPainting(workshop.owner, 'yamuna')),
    { scope: 'worker' },
  ],
  desk: async ({ workshop: { site, owner }, hungImage, page }, use) => {
    for (const { id } of await owner<Artwork[]>('GET', '/api/artworks'))
      await owner('DELETE', `/api/artworks/${id}`)
    await use({
      site,
      call: owner,
      addArtwork: (artwork) =>
        owner('POST', '/api/artworks', { imageUrl: hungImage, price: 1_000, ...artwork }),
      open: async (tab) => {
        await openDashboard(page, site, tab)
        await expect(page.getByRole('heading', { level: 2 })).toBeVisible()
      },
    })
  },
})

/** The card of an artwork. */
export function card(page: Page, title: string): Locator {
  return page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
}

/** Holds what is on screen to the accessibility rules. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await axeFaults(page)).toEqual([])
}

export { expect, expectToast, signInBrowser } from './dashboard.ts'
export { painting } from './images.ts'
