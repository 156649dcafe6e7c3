/// <reference lib="dom" />
import { AxeBuilder } from '@axe-core/playwright'
import { test as base, type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
import { join } from 'node:path'
import type { Artwork, NewArtworkInput } from '#web/contract/artworks.ts'
import { findChromium } from '../support/chromium.ts'
import { signIn, type Site, startSite } from '../support/site.ts'
import { visit } from '../support/visit.ts'
import { watchToasts } from './toasts.ts'

const samples = join(import.meta.dirname, '..', '..', 'samples')

/** The path of one of the sample paintings, as a photograph that she would upload. */
export const painting = (name: string): string => join(samples, `${name}.jpg`)

/** The owner at work: a browser that is signed in, and the same account from outside of it. */
export type Workshop = {
  readonly site: Site
  /** calls the site as another browser of hers; throws when it is refused */
  readonly call: <Answer>(method: string, path: string, body?: unknown) => Promise<Answer>
  /** adds a work without the browser */
  readonly addWork: (work: Partial<NewArtworkInput> & { title: string }) => Promise<Artwork>
  /** opens the dashboard at a tab */
  readonly open: (tab: 'content' | 'gallery') => Promise<void>
}

type Fixtures = { workshop: Workshop }
type WorkerFixtures = { shared: { site: Site; cookie: string; imageUrl: string } }

export const test = base.extend<Fixtures, WorkerFixtures>({
  shared: [
    // Playwright reads the fixtures it needs from this pattern.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const site = await startSite()
      const cookie = await signIn(site)
      const imageUrl = await upload(site, cookie)
      await use({ site, cookie, imageUrl })
      await site.stop()
    },
    { scope: 'worker' },
  ],
  workshop: async ({ shared, page, context }, use) => {
    const { site, cookie, imageUrl } = shared
    const call: Workshop['call'] = async (method, path, body) => {
      const answer = await fetch(site.url + path, {
        method,
        headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
      // The caller names what the interface promises for this call.
      return (text === '' ? undefined : JSON.parse(text)) as never
    }
    // Every test begins with an empty gallery and its own session.
    for (const { id } of await call<Artwork[]>('GET', '/api/artworks'))
      await call('DELETE', `/api/artworks/${id}`)
    await enter(context, site)
    await watchToasts(context)
    await use({
      site,
      call,
      addWork: (work) => call('POST', '/api/artworks', { imageUrl, price: 1_000, ...work }),
      open: async (tab) => {
        await page.addInitScript((name) => sessionStorage.setItem('atelier.tab', name), tab)
        await visit(page, `${site.url}/admin`)
        await expect(page.getByRole('tabpanel')).toBeVisible()
        await expect(page.getByRole('heading', { level: 2 })).toBeVisible()
      },
    })
  },
})

test.skip(findChromium() === null, 'no Chromium found')

export { expect } from '@playwright/test'
export { expectToast } from './toasts.ts'

/** Gives the browser a session of its own. */
export async function enter(context: BrowserContext, site: Site): Promise<void> {
  const cookies = (await signIn(site)).split('; ').map((pair) => {
    const at = pair.indexOf('=')
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url: site.url }
  })
  await context.addCookies(cookies)
}

async function upload(site: Site, cookie: string): Promise<string> {
  const { readFile } = await import('node:fs/promises')
  const form = new FormData()
  const bytes = await readFile(painting('yamuna'))
  form.set('image', new File([new Uint8Array(bytes)], 'yamuna.jpg', { type: 'image/jpeg' }))
  const answer = await fetch(`${site.url}/api/upload/image`, {
    method: 'POST',
    headers: { cookie },
    body: form,
  })
  const { imageUrl } = (await answer.json()) as { imageUrl: string }
  return imageUrl
}

/** The toast with these words, as they stand in the catalogue. */
export function toast(page: Page, title: string, description: string): Locator {
  return page
    .locator('[data-toasts] li')
    .filter({ has: page.getByText(title, { exact: true }) })
    .filter({ has: page.getByText(description, { exact: true }) })
}

/** Holds back the requests to an address until they are let go; then they pass. */
export async function held(
  page: Page,
  address: string,
  method?: string,
): Promise<{ letGo: () => Promise<void> }> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    if (method === undefined || route.request().method() === method) await promise
    // Cancelled meanwhile: there is nothing left to pass on.
    await route.continue().catch(() => undefined)
  })
  return {
    letGo: async () => {
      resolve()
      await page.unroute(address)
    },
  }
}

/** The card of a work. */
export function card(page: Page, title: string): Locator {
  return page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
}

/** Holds what is on screen to the accessibility rules. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`),
  ).toEqual([])
}
