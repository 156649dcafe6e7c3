import type { Page } from '@playwright/test'
import { held } from '../support/visit.ts'
import { chooseTab, expect, openDashboard, test } from './dashboard.ts'

const said = (page: Page) =>
  page.getByRole('alert').filter({ hasText: 'This part of the page could not be shown.' })

const heading = (page: Page) => page.getByRole('tabpanel').getByRole('heading').first()

/** The addresses of the stylesheets that the page is drawn with. */
const sheets = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.styleSheets].flatMap(({ href, cssRules }) => (href && cssRules.length > 0 ? [href] : [])),
  )

const styleOf = (name: string): RegExp => new RegExp(`/assets/${name}-[^/]+\\.css$`)

test('the other tabs come when the first screen has all it asked for; one that is pointed at comes sooner', async ({
  page,
  workshop: { site },
}) => {
  const asked = new Set<string>()
  page.on('request', (request) => {
    const [, tab] = /\/assets\/(\w+)-tab-[^/]+\.js$/.exec(request.url()) ?? []
    if (tab !== undefined) asked.add(tab)
  })
  const status = await held(page, '**/api/status')
  await openDashboard(page, site, 'Content')
  await expect(page.getByLabel('Artist Name')).toBeAttached()
  const isIdle = () => page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  await isIdle()
  await isIdle()
  expect([...asked]).toEqual(['content'])
  await page.getByRole('tab', { name: 'Blog' }).hover()
  await expect.poll(() => [...asked]).toEqual(['content', 'blog'])
  await status.letGo()
  await expect.poll(() => asked.size).toBe(5)
})

test.describe('a tab whose files do not come', () => {
  test.use({
    expectedComplaints: /^Failed to load resource|Unable to preload CSS|could not be fetched|Failed to fetch/,
  })

  for (const kind of ['js', 'css']) {
    test(`says so, and is shown whole after "Retry" (${kind})`, async ({ page, workshop: { site } }) => {
      const files = new RegExp(`/assets/messages-tab-[^/]+\\.${kind}$`)
      await page.route(files, (route) => route.abort())
      await openDashboard(page, site, 'Messages')
      await expect(said(page)).toBeVisible()
      await page.unroute(files)
      await said(page).getByRole('button', { name: 'Retry' }).click()
      await expect(heading(page)).toBeVisible()
      await expect(said(page)).toBeHidden()
      expect(await sheets(page)).toContainEqual(expect.stringMatching(styleOf('messages-tab')))
    })
  }

  test('says that the site was renewed where they are gone, and another page has them', async ({
    page,
    workshop: { site },
  }) => {
    const files = /\/assets\/messages-tab-[^/]+\.js$/
    await page.route(files, (route) => route.fulfill({ status: 404 }))
    await openDashboard(page, site, 'Messages')
    const renewed = page.getByRole('alert').filter({ hasText: 'The site was renewed.' })
    await expect(renewed).toBeVisible()
    await page.unroute(files)
    await renewed.getByRole('button', { name: 'Load again' }).click()
    await expect(heading(page)).toBeVisible()
    await expect(renewed).toBeHidden()
  })

  test('is shown whole at once when its styles come at the second try', async ({
    page,
    workshop: { site },
  }) => {
    await page.route(styleOf('messages-tab'), (route) => route.abort(), { times: 1 })
    await openDashboard(page, site, 'Messages')
    await expect(heading(page)).toBeVisible()
    expect(await sheets(page)).toContainEqual(expect.stringMatching(styleOf('messages-tab')))
  })

  test('is shown whole when it is opened after its styles could not be fetched ahead', async ({
    page,
    workshop: { site },
  }) => {
    const failed = page.waitForEvent('requestfailed')
    await page.route(styleOf('messages-tab'), (route) => route.abort(), { times: 1 })
    await openDashboard(page, site, 'Categories')
    await failed
    await chooseTab(page, 'Messages')
    await expect(heading(page)).toBeVisible()
    expect(await sheets(page)).toContainEqual(expect.stringMatching(styleOf('messages-tab')))
  })
})

test('what lies above the tabs opens by a double click as well, and a press beside it closes it', async ({
  page,
  workshop: { site },
}) => {
  await openDashboard(page, site, 'Gallery')
  for (const name of ['Activity', 'Account', 'Recently deleted']) {
    const dialog = page.getByRole('dialog', { name })
    await page.getByRole('button', { name }).click()
    await expect(dialog).toBeVisible()
    await page.mouse.down({ clickCount: 2 })
    await page.mouse.up({ clickCount: 2 })
    // Had it closed, its heading could not be pressed.
    await dialog.getByRole('heading', { name, exact: true }).click()
    await expect(dialog).toBeVisible()
    await page.mouse.click(5, 5)
    await expect(dialog).toBeHidden()
  }
})

test('what lies above the tabs opens by a double tap in Safari, which counts each tap as the first', async ({
  page,
  workshop: { site },
}) => {
  await page.addInitScript(() => {
    // Safari's clicks do not say what they come from, and here all come at once.
    Object.defineProperty(PointerEvent.prototype, 'pointerType', { value: undefined })
    Object.defineProperty(Event.prototype, 'timeStamp', { value: 0 })
  })
  await openDashboard(page, site, 'Gallery')
  for (const name of ['Activity', 'Account']) {
    const dialog = page.getByRole('dialog', { name })
    await page.getByRole('button', { name }).click()
    await expect(dialog).toBeVisible()
    await page.mouse.down()
    await page.mouse.up()
    await dialog.getByRole('heading', { name, exact: true }).click()
    await expect(dialog).toBeVisible()
    await page.mouse.click(5, 5)
    await expect(dialog).toBeHidden()
  }
})
