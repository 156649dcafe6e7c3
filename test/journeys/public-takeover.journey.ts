/// <reference lib="dom" />
import { type BrowserContextOptions, expect, type Page, test as base } from '@playwright/test'
import { BOOT_ELEMENT } from '#web/client/app/boot.ts'
import { makePageData, uuid } from '#web/contract/testing/make-page-data.ts'
import { type PageServer, startPageServer } from '../pages/page-server.ts'
import { findChromium } from '../support/chromium.ts'
import { alive, held } from '../support/visit.ts'

const SECOND = `/artwork/study-1-of-the-monsoon-${uuid(1)}`

type Fixtures = {
  complaints: string[]
  /** A page that notes every error, warning and refusal of the policy. */
  open: (path: string, options?: BrowserContextOptions) => Promise<Page>
}

/** The real pages with the real program over made-up data, nine artworks at first. */
const test = base.extend<Fixtures, { server: PageServer }>({
  server: [
    // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads the fixtures that are needed from this pattern
    async ({}, use) => {
      const server = await startPageServer(makePageData(9))
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],
  // oxlint-disable-next-line eslint/no-empty-pattern -- as above
  complaints: async ({}, use) => use([]),
  open: async ({ browser, complaints, server }, use) => {
    server.show(makePageData(9))
    server.failing.clear()
    const pages: Page[] = []
    await use(async (path, options = {}) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
      const page = await context.newPage()
      pages.push(page)
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(error.message))
      await page.goto(new URL(path, server.url).href, { waitUntil: 'load' })
      return page
    })
    await Promise.all(pages.map((page) => page.context().close()))
  },
})

test.skip(findChromium() === null, 'no Chromium here (set CHROMIUM_PATH to name one)')

const reloaded = async (page: Page): Promise<Page> => {
  await page.reload()
  return page
}
const artworks = (page: Page) => page.locator('[data-list="gallery"] > li')
/** Resolves when the open work listens to the keyboard, a moment after it is shown. */
const hearsKeys = (page: Page) => page.locator('[data-overlay][aria-modal=true]').waitFor()

for (const path of [
  '/',
  '/?category=Still+Life',
  '/?category=unknown&utm=1',
  '/?contact=sent',
  SECOND,
  '/admin',
])
  test(`takes ${path} over without a complaint, and makes nothing anew`, async ({ complaints, open }) => {
    const page = await open(path)
    const sent = await page.evaluateHandle(() => document.querySelector('#app > *'))
    await alive(page)
    await page.waitForLoadState('networkidle')
    // Who is not signed in sees the login instead of the page.
    expect(await sent.evaluate((element) => element?.isConnected)).toBe(path !== '/admin')
    expect(complaints).toEqual([])
  })

for (const path of ['/?category=all', '/?category='])
  test(`shows the whole gallery at ${path} once it is taken over`, async ({ complaints, open }) => {
    const page = await alive(await open(path))
    expect(await artworks(page).count()).toBe(9)
    expect(complaints).toEqual([])
  })

test('answers a press that no sign of use came before, as assistive technology makes it', async ({
  complaints,
  open,
}) => {
  const page = await open('/')
  let documents = 0
  page.on('request', (request) => {
    if (request.resourceType() === 'document') documents += 1
  })
  await page.getByRole('button', { name: 'Still Life' }).dispatchEvent('click')
  await expect.poll(() => artworks(page).count()).toBe(4)
  expect(documents).toBe(0)
  expect(complaints).toEqual([])
})

test('stays a document while a part of its program cannot be fetched, and is taken over at the next press', async ({
  complaints,
  open,
  server,
}) => {
  const page = await open('about:blank')
  await page.route('**/assets/artwork-page-*.js', (route) => route.abort())
  await page.goto(server.url + SECOND)
  await page.mouse.move(200, 200)
  await page.mouse.move(220, 220)
  await page.locator('html[data-missed]').waitFor()
  await page.unroute('**/assets/artwork-page-*.js')
  await page.keyboard.press('Shift')
  await page.locator('html[data-ready]').waitFor()
  await hearsKeys(page)
  await page.keyboard.press('ArrowRight')
  await page.getByText('3 of 9', { exact: true }).waitFor()
  expect(complaints.filter((text) => !/artwork-page|ERR_FAILED|Failed to fetch/.test(text))).toEqual([])
})

test('loads a page again at a press that could not be taken over', async ({ complaints, open, server }) => {
  const page = await open('about:blank')
  await page.route(`${server.url}/`, async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(`id="${BOOT_ELEMENT}"`, '')
    await route.fulfill({ response, body })
  })
  await page.goto(server.url)
  await page.getByLabel('Message').fill('Is it framed?')
  await expect.poll(() => complaints.some((text) => text.includes(BOOT_ELEMENT))).toBe(true)
  await page.unroute(`${server.url}/`)
  const again = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Still Life' }).click()
  await again
  expect(await page.getByLabel('Message').inputValue()).toBe('Is it framed?')
  await alive(page)
})

test('takes the not-found page over too', async ({ complaints, open }) => {
  await alive(await open('/nope'))
  expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
})

test('shows page, prices and links without any script', async ({ complaints, open, server }) => {
  const page = await open('/', { javaScriptEnabled: false })
  await expect.poll(() => artworks(page).count()).toBe(9)
  await artworks(page).nth(1).locator('a').click()
  await page.waitForURL(`**${SECOND}`)
  await page.getByRole('dialog').getByText('₹10,500').first().waitFor()
  await page.getByRole('link', { name: 'Back to all works' }).click()
  await page.waitForURL(`${server.url}/`)
  expect(complaints).toEqual([])
})

test('keeps the filter in the address, also over reload and Back', async ({ open }) => {
  const page = await alive(await open('/'))
  await page.getByRole('button', { name: 'Still Life' }).click()
  await page.waitForURL('**/?category=Still+Life')
  await expect.poll(() => artworks(page).count()).toBe(4)
  await alive(await reloaded(page))
  await expect.poll(() => artworks(page).count()).toBe(4)
  await page.goBack()
  await expect.poll(() => artworks(page).count()).toBe(9)
})

test('shows what the address names when somebody went Back before the program was there', async ({
  complaints,
  open,
}) => {
  const page = await alive(await open('/'))
  await page.getByRole('button', { name: 'Still Life' }).click()
  await page.waitForURL('**/?category=Still+Life')
  const program = await held(page, '**/*.js')
  await reloaded(page)
  await page.getByLabel('Message').fill('Typed meanwhile')
  await page.goBack()
  await expect.poll(() => artworks(page).count()).toBe(9)
  await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('Typed meanwhile')
  await program.letGo()
  await alive(page)
  expect(await page.getByLabel('Message').inputValue()).toBe('Typed meanwhile')
  await page.getByRole('button', { name: 'Still Life' }).click()
  await expect.poll(() => artworks(page).count()).toBe(4)
  expect(complaints).toEqual([])
})

for (const [when, tasks] of [
  ['before the router listens', 0],
  ['before React has begun', 1],
  ['while React works', 4],
] as const)
  test(`hears a step Back that comes while the page is taken over, ${when}`, async ({
    complaints,
    open,
    server,
  }) => {
    const page = await open('about:blank')
    await page.addInitScript((wait) => {
      const stepBack = (): void => {
        History.prototype.replaceState.call(history, { __TSR_key: 'earlier', __TSR_index: 0 }, '', '/')
        dispatchEvent(new PopStateEvent('popstate'))
      }
      // Whoever listens for such steps is about to make the router.
      const listen = window.addEventListener.bind(window)
      window.addEventListener = (...heard: Parameters<typeof listen>) => {
        listen(...heard)
        if (heard[0] !== 'popstate') return
        window.addEventListener = listen
        const { port1, port2 } = new MessageChannel()
        let left = wait
        port2.onmessage = () => {
          left -= 1
          if (left > 0) port1.postMessage(null)
          else stepBack()
        }
        if (left > 0) port1.postMessage(null)
        else queueMicrotask(stepBack)
      }
    }, tasks)
    await page.goto(`${server.url}/?category=Still+Life`)
    await expect.poll(() => artworks(page).count()).toBe(9)
    expect(page.url()).toBe(`${server.url}/`)
    expect(complaints).toEqual([])
  })

test('opens a work under its own address, leafs in place, and closes by Back', async ({
  complaints,
  open,
}) => {
  const page = await alive(await open('/?category=Still+Life'))
  await artworks(page).nth(0).locator('a').click()
  await page.waitForURL(`**${SECOND}`)
  await expect.poll(() => page.title()).toBe('Study 1 of the monsoon, Leela Marathe')
  await page.getByText('1 of 4', { exact: true }).waitFor()
  await hearsKeys(page)
  await page.keyboard.press('ArrowRight')
  await page.waitForURL(`**/artwork/study-3-*`)
  await page.goBack()
  await page.waitForURL('**/?category=Still+Life')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await expect.poll(() => page.title()).toBe('Leela Marathe: paintings')
  expect(complaints).toEqual([])
})

test('leads Back from a work that was taken down while it was open', async ({ open, server }) => {
  const page = await alive(await open('/'))
  await artworks(page).nth(1).locator('a').click()
  await page.waitForURL(`**${SECOND}`)
  server.show(makePageData(1))
  await alive(await reloaded(page))
  await page.getByText('404 Page Not Found').waitFor()
  await page.goBack()
  await expect.poll(() => artworks(page).count()).toBe(1)
  expect(page.url()).toBe(`${server.url}/`)
})

test('leads home from a work that was taken down, also when Back came before the program', async ({
  open,
  server,
}) => {
  const page = await alive(await open('/'))
  await artworks(page).nth(1).locator('a').click()
  await page.waitForURL(`**${SECOND}`)
  server.show(makePageData(1))
  const program = await held(page, '**/*.js')
  await reloaded(page)
  await page.goBack()
  await program.letGo()
  await expect.poll(() => artworks(page).count()).toBe(1)
})

test('shows a work as a document when its part of the program cannot be fetched, and Back leads to the wall', async ({
  open,
  server,
}) => {
  const page = await alive(await open('/'))
  await page.route('**/assets/artwork-page-*.js', (route) => route.abort())
  await artworks(page).nth(1).locator('a').click()
  await page.getByRole('dialog').getByText('₹10,500').first().waitFor()
  await page.goBack()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  expect(page.url()).toBe(`${server.url}/`)
})

test('leads from a directly opened work to the homepage', async ({ open, server }) => {
  const page = await alive(await open(SECOND))
  await page.getByText('2 of 9', { exact: true }).waitFor()
  await hearsKeys(page)
  await page.keyboard.press('Escape')
  await page.waitForURL(`${server.url}/`)
  await expect.poll(() => artworks(page).count()).toBe(9)
})

test('needs no data fetching of its own for what the page brought', async ({ open, server }) => {
  const before = server.asked.length
  const page = await alive(await open('/'))
  await artworks(page).nth(0).locator('a').click()
  await page.getByRole('dialog').waitFor()
  expect(
    server.asked.slice(before).filter((path) => path.startsWith('/api/') && path !== '/api/changes'),
  ).toEqual([])
})

test('fetches the description that a big gallery left out', async ({ open, server }) => {
  server.show(makePageData(60))
  const page = await alive(await open('/'))
  await artworks(page).nth(59).locator('a').click()
  await page.getByText('when the river stood 59 hands').waitFor()
  expect(server.asked).toContain(`/api/artworks/${uuid(59)}`)
})

test('loads everything when entered from the dashboard, and offers Retry where that fails', async ({
  complaints,
  open,
  server,
}) => {
  server.failing.add('/api/artworks')
  const page = await alive(await open('/admin'))
  await page.evaluate(() => history.pushState(null, '', '/'))
  await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')))
  await page.getByRole('alert').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Leela Marathe' }).waitFor()
  server.failing.clear()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect.poll(() => artworks(page).count()).toBe(9)
  // Styled without a <style> element, or the policy would have complained.
  const ratio = await artworks(page)
    .nth(0)
    .evaluate((element) => getComputedStyle(element).getPropertyValue('--ratio'))
  expect(ratio).toBe('1.5')
  expect(complaints.filter((text) => /policy|hydrat/i.test(text))).toEqual([])
})

test('keeps tracking keys in the address as they were', async ({ open }) => {
  const page = await alive(await open('/?utm_source=card&utm_term=a%20b'))
  expect(new URL(page.url()).searchParams.get('utm_source')).toBe('card')
  expect(new URL(page.url()).searchParams.get('utm_term')).toBe('a b')
})

test('locks the page behind a modal dialog without a style the policy would refuse', async ({
  complaints,
  open,
}) => {
  const page = await alive(await open('/'))
  const overflow = () => page.evaluate(() => getComputedStyle(document.body).overflowY)
  await page.getByRole('banner').getByRole('button', { name: 'Admin' }).click()
  await page.getByRole('dialog').getByLabel('Username').waitFor()
  await expect.poll(overflow).toBe('hidden')
  await page.keyboard.press('Escape')
  await expect.poll(overflow).toBe('visible')
  expect(complaints).toEqual([])
})
