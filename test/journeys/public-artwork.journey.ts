/// <reference lib="dom" />
import type { Locator, Page } from '@playwright/test'
import { alive, placeAtRest, visit } from '../support/visit.ts'
import { expect, LONG_TITLE, test } from './public-site.ts'

test.describe.configure({ mode: 'default' })

const artwork = (page: Page): Locator => page.locator('[data-overlay]')
const title = (page: Page): Locator => artwork(page).getByRole('heading', { level: 1 })
const tile = (page: Page, name: string): Locator =>
  page.locator('#gallery').getByRole('link', { name: new RegExp(name) })

/** Opens an artwork's own page, as from a shared link, and waits until it is a dialog that can be used. */
async function share(page: Page, path: string): Promise<void> {
  await visit(page, path)
  await expect(artwork(page)).toHaveAttribute('aria-modal', 'true')
}

test('4 opening is a step in the history, leafing is none, and Back closes', async ({ page, gallery }) => {
  await visit(page, '/?category=Landscape')
  await tile(page, 'Monsoon over the Ghats').click()
  await expect(artwork(page)).toContainText('1 of 9')
  await expect(page).toHaveURL(gallery.pathOf('Monsoon over the Ghats'))
  await artwork(page).getByRole('button', { name: 'Next work' }).click()
  await expect(title(page)).toHaveText('Lotus Tank')
  await expect(page).toHaveURL(gallery.pathOf('Lotus Tank'))
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(artwork(page)).toContainText('9 of 9')
  await page.goBack()
  await expect(artwork(page)).toHaveCount(0)
  await expect(page).toHaveURL('/?category=Landscape')
  await page.goForward()
  await expect(artwork(page)).toBeVisible()
  await page.reload()
  await alive(page)
  await expect(artwork(page)).toContainText('9 of 9')
})

test('4 work 7 is opened and read, then 8, and closing lands on its tile, by keyboard alone', async ({
  page,
}) => {
  await visit(page, '/')
  const seventh = tile(page, 'Kajal')
  // From the skip link on: two keys to the gallery, then Tab from tile to tile.
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the works' })).toBeFocused()
  await page.keyboard.press('Enter')
  const reaches = () => seventh.evaluate((link) => link === document.activeElement)
  for (let presses = 0; presses < 20 && !(await reaches()); presses++) await page.keyboard.press('Tab')
  await expect(seventh).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(title(page)).toBeFocused()
  await expect(artwork(page)).toContainText('7 of 12')
  await expect(artwork(page)).toContainText('56 × 76 cm')
  await page.keyboard.press('ArrowRight')
  await expect(title(page)).toHaveText('Gulmohar')
  await expect(artwork(page)).toContainText('The tree outside the municipal school.')
  await page.keyboard.press('Escape')
  await expect(artwork(page)).toHaveCount(0)
  await expect(tile(page, 'Gulmohar')).toBeFocused()
  await expect(tile(page, 'Gulmohar')).toBeInViewport()
})

test('4 the wall stays where it was below an open work, whatever the address says', async ({ page }) => {
  await visit(page, '/#gallery')
  await tile(page, 'Gulmohar').evaluate((link) =>
    link.scrollIntoView({ block: 'center', behavior: 'instant' }),
  )
  const before = await placeAtRest(page)
  await tile(page, 'Gulmohar').click()
  await expect(title(page)).toBeFocused()
  await page.goBack()
  await expect(tile(page, 'Gulmohar')).toBeFocused()
  await page.waitForFunction(() => history.scrollRestoration === 'auto')
  await expect(tile(page, 'Gulmohar')).toBeFocused()
  expect(await placeAtRest(page)).toBe(before)
  // An artwork far away from the one that was opened comes into view when it was the last.
  await tile(page, 'Gulmohar').click()
  for (const name of [
    'Portrait of a Wall',
    LONG_TITLE,
    'वर्षा, the Second Day',
    'Salt Pans',
    'Monsoon over the Ghats',
  ]) {
    await page.keyboard.press('ArrowRight')
    await expect(title(page)).toHaveText(name)
  }
  await page.keyboard.press('Escape')
  await expect(tile(page, 'Monsoon over the Ghats')).toBeFocused()
  await page.waitForFunction(() => history.scrollRestoration === 'auto')
  await expect(tile(page, 'Monsoon over the Ghats')).toBeInViewport({ ratio: 0.9 })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true })

  for (const name of ['Monsoon over the Ghats', 'Haldi']) {
    test(`a shared link to ${name} shows price, size and how to pay in one screen`, async ({
      page,
      gallery,
    }) => {
      await gallery.owner(
        'PUT',
        `/api/artworks/${gallery.artworks.find((each) => each.title === name)?.id}`,
        {
          dimensions: '122 × 81 cm',
        },
      )
      await share(page, gallery.pathOf(name))
      for (const part of [
        title(page),
        artwork(page)
          .getByText(/^₹(96|78),000$/)
          .first(),
        artwork(page).getByText('122 × 81 cm (48 × 31.9 in)'),
        artwork(page).getByRole('button', { name: /^Pay with UPI/ }),
        artwork(page).getByRole('link', { name: 'leela@example.org' }),
        artwork(page).getByRole('img', { name }),
      ]) {
        await expect(part).toBeInViewport({ ratio: 0.95 })
      }
      // Its own image comes before those that it covers.
      expect(await page.locator('img[fetchpriority=high]').count()).toBe(1)
      await artwork(page)
        .getByRole('button', { name: /^Pay with UPI/ })
        .tap()
      for (const button of ['Copy UPI ID', 'Copy amount']) {
        await expect(artwork(page).getByRole('button', { name: button })).toBeInViewport({ ratio: 1 })
      }
      // Payer apps refuse what a page starts for a personal id.
      await expect(artwork(page).getByText(/so paste the ID and the amount/)).toBeInViewport()
    })
  }
})

test.describe('without the network', () => {
  test.use({ expectedComplaints: /^Failed to load resource/ })

  test('4 a code that does not come says so, and is asked for again', async ({ page, gallery }) => {
    await page.route('**/qr/**', (route) => route.abort())
    await share(page, gallery.pathOf('Haldi'))
    await expect(artwork(page).getByText('The QR code could not be loaded.')).toBeVisible()
    await expect(artwork(page).getByText('Scan QR code to pay securely with UPI')).toBeHidden()
    await page.unroute('**/qr/**')
    await artwork(page).getByRole('button', { name: 'Try again' }).click()
    const code = artwork(page).getByRole('img', { name: /^UPI QR code/ })
    await expect(code).toBeVisible()
    await expect
      .poll(() => code.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth))
      .toBe(720)
  })
})

test('4 the code is in view on 1366 × 768 and holds the exact amount', async ({ page, gallery }) => {
  await page.setViewportSize({ width: 1366, height: 768 })
  for (const name of ['Monsoon over the Ghats', 'Haldi', 'Lotus Tank']) {
    await share(page, gallery.pathOf(name))
    const code = artwork(page).getByRole('img', { name: /^UPI QR code/ })
    await expect(code).toBeInViewport({ ratio: 1 })
    // One of hers may be no square.
    await expect(code).toHaveCSS('object-fit', 'contain')
    await expect(artwork(page).getByText('Scan QR code to pay securely with UPI')).toBeInViewport({
      ratio: 1,
    })
    await expect(artwork(page).getByRole('button', { name: /^Pay with UPI · ₹/ })).toBeInViewport({
      ratio: 1,
    })
    expect((await code.boundingBox())?.width).toBeGreaterThanOrEqual(240)
    await expect
      .poll(() => code.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth))
      .toBe(720)
  }
  await expect(artwork(page)).toContainText('UPI may refuse a payment above ₹1,00,000')
  const { upi } = gallery.artworks.find((each) => each.title === 'Lotus Tank') ?? {}
  expect(upi).toMatchObject({ id: 'leela@okexample', amount: 140_000 })
  expect(new URL(upi?.uri ?? '').searchParams.get('am')).toBe('140000.00')
})

for (const [name, words, price] of [
  ['Low Water, Yamuna', 'Sold. To ask about similar works, e-mail leela@example.org.', null],
  ['Letters to Indore', 'Held for a buyer', '₹36,000'],
  ['Neel, after the Rains', 'Price on request', 'Price on request'],
  ['Portrait of a Wall', 'This work stays with the artist', null],
] as const) {
  test(`4 ${name} cannot be paid, and says why; questions stay open`, async ({ page, gallery }) => {
    await share(page, gallery.pathOf(name))
    await expect(artwork(page)).toContainText('Purchase Options')
    await expect(artwork(page)).toContainText(words)
    await expect(artwork(page).getByRole('img', { name: /QR/ })).toHaveCount(0)
    await expect(artwork(page).getByRole('button', { name: /Pay/ })).toHaveCount(0)
    await expect(artwork(page).getByRole('link', { name: 'leela@example.org' })).toBeVisible()
    if (price === null) await expect(artwork(page)).not.toContainText('₹')
    else await expect(artwork(page)).toContainText(price)
  })
}

test('4 e-mail, WhatsApp and form each ask about the work in two taps, with its name', async ({
  page,
  gallery,
}) => {
  await visit(page, '/')
  await tile(page, 'Low Water, Yamuna').click()
  const address = gallery.site.url + gallery.pathOf('Low Water, Yamuna')
  const mail = new URL(
    (await artwork(page).getByRole('link', { name: 'E-mail', exact: true }).getAttribute('href')) ?? '',
  )
  expect([mail.protocol, mail.pathname]).toEqual(['mailto:', 'leela@example.org'])
  expect(mail.searchParams.get('subject')).toBe('Low Water, Yamuna')
  expect(mail.searchParams.get('body')).toContain(address)
  const chat = new URL(
    (await artwork(page).getByRole('link', { name: 'WhatsApp', exact: true }).getAttribute('href')) ?? '',
  )
  expect(chat.origin + chat.pathname).toBe('https://wa.me/919820012345')
  expect(chat.searchParams.get('text')).toContain('“Low Water, Yamuna”')
  expect(chat.searchParams.get('text')).toContain(address)
  await artwork(page).getByRole('link', { name: 'Enquire' }).click()
  await expect(artwork(page)).toHaveCount(0)
  await expect(page.getByLabel('Name')).toBeFocused()
  await expect(page.getByLabel('Name')).toBeInViewport()
  await expect(page.getByLabel('Subject')).toHaveValue('purchase')
  await expect(page.getByLabel('Message')).toHaveValue(/“Low Water, Yamuna”/)
  // Back leads from the message to the wall.
  await page.goBack()
  await expect(page).toHaveURL(/\/$/)
  await expect(page.locator('[data-overlay]')).toHaveCount(0)
})

test('4 “Enquire” leads to the form once, however often it is pressed', async ({ page }) => {
  await visit(page, '/')
  await tile(page, 'Low Water, Yamuna').click()
  // In one task, as two touches of a slow phone.
  await artwork(page)
    .getByRole('link', { name: 'Enquire' })
    .evaluate((link: HTMLElement) => {
      link.click()
      link.click()
    })
  await expect(page.getByLabel('Name')).toBeFocused()
  await expect(page).toHaveURL(/\/#contact$/)
})

test('4 the picture zooms to its own pixels, leaves by Escape, and the link is shared by copying', async ({
  page,
  context,
  gallery,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await share(page, gallery.pathOf('Lotus Tank'))
  await artwork(page).getByRole('button', { name: 'Zoom' }).click()
  await expect.poll(async () => (await page.locator('[data-frame]').boundingBox())?.width).toBe(1600)
  await page.keyboard.press('Escape')
  await expect(artwork(page).getByRole('button', { name: 'Zoom' })).toBeFocused()
  // Without the system's own sharing, the link goes to the clipboard.
  await page.evaluate(() => Object.defineProperty(navigator, 'share', { value: undefined }))
  await artwork(page).getByRole('button', { name: 'Share' }).click()
  await expect(artwork(page).getByText('Link copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    gallery.site.url + gallery.pathOf('Lotus Tank'),
  )
  await page.mouse.click(20, 60)
  await expect(artwork(page)).toHaveCount(0)
  await expect(tile(page, 'Lotus Tank')).toBeFocused()
})

test('4 a title of two lines and more leaves everything in its place', async ({ page, gallery }) => {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await share(page, gallery.pathOf(LONG_TITLE))
    await expect(title(page)).toBeVisible()
    const fits = await title(page).evaluate((heading) => heading.scrollWidth <= heading.clientWidth)
    expect(fits, `${width}`).toBe(true)
    await artwork(page)
      .getByRole('button', { name: /^Pay with UPI/ })
      .scrollIntoViewIfNeeded()
    await expect(artwork(page).getByRole('button', { name: /^Pay with UPI/ })).toBeInViewport({ ratio: 1 })
  }
})

test('4 a work that she takes down answers 404, and is back with her word', async ({
  page,
  gallery,
  complaints,
}) => {
  const haldi = gallery.artworks.find((each) => each.title === 'Haldi')
  await gallery.owner('PUT', `/api/artworks/${haldi?.id}`, { isVisible: false })
  expect((await visit(page, gallery.pathOf('Haldi')))?.status()).toBe(404)
  await gallery.owner('PUT', `/api/artworks/${haldi?.id}`, { isVisible: true })
  expect((await visit(page, gallery.pathOf('Haldi')))?.status()).toBe(200)
  complaints.length = 0
})

test.describe('on an iPhone', () => {
  test.use({
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15',
  })

  test('4 the apps to pay with follow a price and an ID that change while they are shown', async ({
    page,
    gallery,
  }) => {
    const { owner } = gallery
    const kajal = gallery.artworks.find((each) => each.title === 'Kajal')
    const app = artwork(page).getByRole('link', { name: 'Google Pay' })
    await owner('PUT', '/api/site-content', { upiKind: 'merchant' })
    try {
      await share(page, gallery.pathOf('Kajal'))
      await artwork(page)
        .getByRole('button', { name: /^Pay with UPI/ })
        .tap()
      await expect(app).toHaveAttribute('href', /[?&]am=18500(\.00)?(&|$)/)
      await owner('PUT', `/api/artworks/${kajal?.id}`, { price: 21_000 })
      await expect(app).toHaveAttribute('href', /[?&]am=21000(\.00)?(&|$)/)
      await owner('PUT', '/api/site-content', { upiKind: 'personal' })
      await expect(app).toHaveCount(0)
      await expect(artwork(page)).toContainText('personal ID, so paste the ID and the amount')
    } finally {
      await owner('PUT', `/api/artworks/${kajal?.id}`, { price: 18_500 })
      await owner('PUT', '/api/site-content', { upiKind: 'personal' })
    }
  })
})
