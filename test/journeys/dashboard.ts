/// <reference lib="dom" />
import { expect, type Page } from '@playwright/test'
import { type Site, startSite } from '../support/site.ts'
import { visit } from '../support/visit.ts'
import { test as base } from './journey.ts'
import { type Owner, ownerOf, signInBrowser } from './owner.ts'
import { watchToasts } from './toasts.ts'

type Workshop = { readonly site: Site; readonly owner: Owner }

type Fixtures = {
  toasts: undefined
  /** Starts a server for this journey alone. Its pages are closed before it ends: none is left to complain of that. */
  ownSite: typeof startSite
  /** a server of its own for journeys that stop it, or leave it as no other could go on */
  ownWorkshop: Workshop
}
type WorkerFixtures = { workshop: Workshop }

const SETTINGS = { env: { FETCH_ALLOW_PRIVATE: '1' } }

/** A journey through the dashboard of the real product, one server for all journeys of a worker. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  // What is told of failed answers, and of a file that could not be had ahead of time: servers are ended on purpose.
  expectedComplaints: /^(?:Failed to load resource|Fetching ahead failed)/,
  workshop: [
    // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads the fixtures that are needed from this pattern
    async ({}, use) => {
      const site = await startSite(SETTINGS)
      try {
        await use({ site, owner: await ownerOf(site) })
      } finally {
        await site.stop()
      }
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  ownSite: async ({ context }, use) => {
    const sites: Site[] = []
    try {
      await use(async (options) => {
        const site = await startSite(options)
        sites.push(site)
        return site
      })
      for (const page of context.pages()) await page.close()
    } finally {
      for (const site of sites) await site.stop()
    }
  },
  ownWorkshop: async ({ ownSite }, use) => {
    const site = await ownSite(SETTINGS)
    await use({ site, owner: await ownerOf(site) })
  },
  toasts: [
    async ({ context }, use) => {
      await watchToasts(context)
      await use(undefined)
    },
    { auto: true },
  ],
})

const TABS = {
  Content: 'content',
  Gallery: 'gallery',
  Categories: 'categories',
  Blog: 'blog',
  Messages: 'messages',
} as const
export type TabName = keyof typeof TABS

/** Opens `/admin` signed in, at a tab, as if it had been the last one. */
export async function openDashboard(page: Page, site: Pick<Site, 'url'>, tab: TabName): Promise<void> {
  await signInBrowser(page.context(), site)
  // A tab chosen later stays the last one when the page is loaded anew.
  await page.addInitScript(
    (id) => sessionStorage.setItem('atelier.tab', sessionStorage.getItem('atelier.tab') ?? id),
    TABS[tab],
  )
  await visit(page, `${site.url}/admin`)
  await expectTab(page, tab)
}

export async function chooseTab(page: Page, tab: TabName): Promise<void> {
  await page.getByRole('tab', { name: tab }).click()
  await expectTab(page, tab)
}

const expectTab = (page: Page, tab: TabName): Promise<void> =>
  expect(page.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true')

export { expect } from '@playwright/test'
export { password } from '../support/site.ts'
export { endSessions, signInBrowser } from './owner.ts'
export { expectToast } from './toasts.ts'
