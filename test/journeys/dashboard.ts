/// <reference lib="dom" />
import { test as base, type BrowserContext, type Page } from '@playwright/test'
import { findChromium } from '../support/chromium.ts'
import { password, type Site, startSite } from '../support/site.ts'
import { visit } from '../support/visit.ts'
import { type Owner, ownerOf } from './public-site.ts'
import { watchToasts } from './toasts.ts'

export type Workshop = { readonly site: Site; readonly owner: Owner }

type Fixtures = {
  /**
   * errors and warnings of the console, and refusals of the policy; the journey fails when any is left at its
   * end. What a browser writes about a failed answer (`Failed to load resource`) is not among them: those
   * failures are made on purpose here.
   */
  complaints: string[]
  /** a server of its own for journeys that stop it or end sessions */
  ownWorkshop: Workshop
}
type WorkerFixtures = { workshop: Workshop }

async function open(env: Record<string, string> = {}): Promise<Workshop> {
  const site = await startSite({ env })
  try {
    return { site, owner: await ownerOf(site) }
  } catch (error) {
    await site.stop()
    throw error
  }
}

/** A journey through the dashboard of the real product, one server for all journeys of a worker. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  workshop: [
    // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads the fixtures that are needed from this pattern
    async ({}, use) => {
      const workshop = await open()
      await use(workshop)
      await workshop.site.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  // oxlint-disable-next-line eslint/no-empty-pattern -- as above
  ownWorkshop: async ({}, use) => {
    const workshop = await open({ FETCH_ALLOW_PRIVATE: '1' })
    await use(workshop)
    await workshop.site.stop()
  },
  complaints: [
    async ({ context }, use) => {
      await watchToasts(context)
      const complaints: string[] = []
      context.on('console', (message) => {
        const text = message.text()
        if (!['error', 'warning'].includes(message.type()) || text.startsWith('Failed to load resource'))
          return
        complaints.push(text)
      })
      context.on('weberror', (error) => complaints.push(error.error().message))
      await use(complaints)
      base.expect(complaints).toEqual([])
    },
    { auto: true },
  ],
})

test.skip(findChromium() === null, 'no Chromium here (set CHROMIUM_PATH to name one)')

/** Gives the browser a session of its own, as the login dialog would. */
export async function signInBrowser(context: BrowserContext, site: Pick<Site, 'url'>): Promise<void> {
  const answer = await context.request.post(`${site.url}/api/login`, {
    data: { username: 'admin', password },
  })
  if (!answer.ok()) throw new Error(`Sign-in failed: ${answer.status()} ${await answer.text()}`)
}

export type TabName = 'Content' | 'Gallery' | 'Categories' | 'Blog' | 'Messages'

/** Opens `/admin` signed in, at a tab. */
export async function openDashboard(page: Page, site: Pick<Site, 'url'>, tab: TabName): Promise<void> {
  await signInBrowser(page.context(), site)
  await visit(page, `${site.url}/admin`)
  await chooseTab(page, tab)
}

export async function chooseTab(page: Page, tab: TabName): Promise<void> {
  await page.getByRole('tab', { name: tab }).click()
  await base.expect(page.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true')
}

/** Every session ends on the server; the browser keeps its cookie and does not know. */
export async function endSessions(owner: Owner): Promise<void> {
  const sessions = await owner<{ id: string; current: boolean }[]>('GET', '/api/account/sessions')
  for (const { id, current } of sessions) if (!current) await owner('DELETE', `/api/account/sessions/${id}`)
}

export { expect } from '@playwright/test'
export { password } from '../support/site.ts'
export { expectToast } from './toasts.ts'
