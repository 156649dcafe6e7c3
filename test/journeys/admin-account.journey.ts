/// <reference lib="dom" />
import type { Artwork } from '#web/contract/artworks.ts'
import { visit } from '../support/visit.ts'
import { endSessions, expect, expectToast, openDashboard, password, test } from './dashboard.ts'
import { startSite } from '../support/site.ts'
import { onePicture } from './pictures.ts'

test('changes the password and ends the other browsers', async ({ page, browser, ownWorkshop: { site } }) => {
  const phone = await browser.newContext({
    userAgent: 'Mozilla/5.0 (Linux; Android 14) Chrome/130.0 Mobile Safari',
  })
  await phone.request.post(`${site.url}/api/login`, { data: { username: 'admin', password } })
  await openDashboard(page, site, 'Blog')
  await page.getByRole('button', { name: 'Account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Account' })
  await expect(dialog.getByText('Signed in as admin')).toBeVisible()

  await dialog.getByRole('button', { name: 'Change Password' }).click()
  await expect(dialog).toContainText('Current password is required')
  await dialog.getByLabel('Current password').fill('not this one')
  await dialog.getByLabel('New password').fill('indigo over geru 17')
  await dialog.getByRole('button', { name: 'Change Password' }).click()
  await expectToast(page, 'Error', 'Failed to change the password.')
  await expect(dialog.getByLabel('Current password')).toHaveAttribute('aria-invalid', 'true')

  await dialog.getByLabel('Current password').fill(password)
  await dialog.getByRole('button', { name: 'Change Password' }).click()
  await expectToast(page, 'Success', 'Password changed. Other browsers are signed out.')
  await expect(dialog.getByRole('button', { name: /^Sign out/ })).toHaveCount(0)
  expect((await phone.request.get(`${site.url}/api/auth/user`)).status()).toBe(401)
  expect((await page.request.get(`${site.url}/api/auth/user`)).status()).toBe(200)
  await phone.close()
})

test('signs another browser out', async ({ page, browser, workshop: { site } }) => {
  const phone = await browser.newContext({
    userAgent: 'Mozilla/5.0 (Linux; Android 14) Chrome/130.0 Mobile Safari',
  })
  await phone.request.post(`${site.url}/api/login`, { data: { username: 'admin', password } })
  await openDashboard(page, site, 'Blog')
  await page.getByRole('button', { name: 'Account' }).click()
  const other = page
    .getByRole('listitem')
    .filter({ hasText: 'Android' })
    .filter({ hasNotText: 'This browser' })
  await other.getByRole('button', { name: /^Sign out/ }).click()
  await expectToast(page, 'Success', 'Signed out there.')
  await expect.poll(async () => (await phone.request.get(`${site.url}/api/auth/user`)).status()).toBe(401)
  await phone.close()
})

test('who changed a price and when is found in three taps, and taken back with one more', async ({
  page,
  workshop: { site, owner },
}) => {
  const imageUrl = await onePicture(owner)
  const work = await owner<Artwork>('POST', '/api/artworks', {
    title: 'Letters to Indore',
    price: 36_000,
    imageUrl,
  })
  await owner('POST', '/api/artworks', { title: 'Haldi', price: 1_000, imageUrl })
  await owner('PUT', `/api/artworks/${work.id}`, { price: 30_000 })
  await openDashboard(page, site, 'Messages')

  await page.getByRole('button', { name: 'Activity' }).click()
  const dialog = page.getByRole('dialog', { name: 'Activity' })
  await dialog.getByPlaceholder('Only of one work').fill('indore')
  await dialog.getByRole('button', { name: 'Letters to Indore' }).click()
  const entry = dialog.getByRole('listitem').filter({ hasText: '₹30,000' })
  await expect(entry).toContainText(/You · today, \d\d:\d\d/)
  await expect(dialog.getByText('Haldi')).toHaveCount(0)

  await entry.getByRole('button', { name: 'Back to ₹36,000' }).click()
  await expectToast(page, 'Success', 'Undone.')
  expect((await owner<Artwork>('GET', `/api/artworks/${work.id}`)).price).toBe(36_000)
})

test('what was changed again since cannot be undone, and it says so', async ({
  page,
  workshop: { site, owner },
}) => {
  const imageUrl = await onePicture(owner)
  const work = await owner<Artwork>('POST', '/api/artworks', { title: 'Kajal', price: 100, imageUrl })
  await owner('PUT', `/api/artworks/${work.id}`, { price: 200 })
  await page.route('**/api/changes*', (route) => route.abort())
  await openDashboard(page, site, 'Messages')
  await page.getByRole('button', { name: 'Activity' }).click()
  const dialog = page.getByRole('dialog', { name: 'Activity' })
  const undo = dialog.getByRole('button', { name: 'Back to ₹100' })
  await undo.waitFor()
  await owner('PUT', `/api/artworks/${work.id}`, { price: 300 })
  await undo.click()
  await expectToast(page, 'Error', 'This could not be undone.')
  await expect(dialog.getByRole('alert')).not.toBeEmpty()
  expect((await owner<Artwork>('GET', `/api/artworks/${work.id}`)).price).toBe(300)
})

test('a sale is on an open page in another browser within a second', async ({
  browser,
  workshop: { site, owner },
}) => {
  const imageUrl = await onePicture(owner)
  const { id } = await owner<Artwork>('POST', '/api/artworks', {
    title: 'Night Bus',
    price: 88_000,
    imageUrl,
  })
  const visitor = await browser.newContext()
  const wall = await visitor.newPage()
  const heard = wall.waitForResponse('**/api/changes*')
  await visit(wall, `${site.url}/`)
  await heard
  const tile = wall.getByRole('link').filter({ hasText: 'Night Bus' })
  await expect(tile).toContainText('₹88,000')
  // The page itself notes when it shows the words: looking from outside is slower than what is looked at.
  const shown = (words: string) =>
    tile.evaluate(
      (link, text) =>
        new Promise<number>((resolve) => {
          const look = (): void => {
            if (link.textContent?.includes(text)) resolve(Date.now())
            else requestAnimationFrame(look)
          }
          look()
        }),
      words,
    )
  // A machine that does something else just then only adds; a page that waits for something takes long each time.
  const took: number[] = []
  for (const [saleStatus, words] of [
    ['sold', 'Sold'],
    ['reserved', 'Reserved'],
    ['sold', 'Sold'],
  ] as const) {
    const at = Date.now()
    const seen = shown(words)
    await owner('PUT', `/api/artworks/${id}`, { saleStatus })
    took.push((await seen) - at)
  }
  expect(Math.min(...took)).toBeLessThan(1_000)
  await visitor.close()
})

test('sample content goes with one tap', async ({ page }) => {
  test.slow()
  const site = await startSite({ env: { SAMPLES: 'auto' }, within: 90_000 })
  try {
    await openDashboard(page, site, 'Categories')
    await page.getByRole('button', { name: 'Remove sample content' }).click()
    await expectToast(page, 'Success', 'Sample content removed.')
    await expect(page.getByText(/shows sample content/)).toHaveCount(0)
    await expect(page.getByText('No categories found. Add your first category!')).toBeVisible()
  } finally {
    await site.stop()
  }
})

test('what a dead session keeps from being read says so, and leads to the login', async ({
  page,
  workshop: { site, owner },
}) => {
  await openDashboard(page, site, 'Categories')
  await page.getByRole('button', { name: 'Add Category' }).waitFor()
  await endSessions(owner)
  await page.getByRole('button', { name: 'Activity' }).click()
  const dialog = page.getByRole('dialog', { name: 'Activity' })
  await expect(dialog.getByRole('alert')).toContainText('You are logged out.')
  await dialog.getByRole('button', { name: 'Log in again' }).click()
  await expectToast(page, 'Unauthorized', 'You are logged out. Logging in again...')
  await expect(page.getByRole('dialog', { name: 'Admin Login' })).toBeVisible()
})

test('the footer names the version', async ({ page, workshop: { site, owner } }) => {
  const { version } = await owner<{ version: string }>('GET', '/api/status')
  await openDashboard(page, site, 'Blog')
  await expect(page.getByText(`Atelier ${version}`)).toBeVisible()
})

test('a tab that was hidden learns what it missed when it is shown again, without asking for more', async ({
  page,
  workshop: { site, owner },
}) => {
  await page.addInitScript(() => {
    let state: DocumentVisibilityState = 'visible'
    Object.defineProperty(document, 'visibilityState', { get: () => state })
    document.addEventListener('test-visibility', (event) => {
      if (!(event instanceof CustomEvent)) return
      state = event.detail === 'hidden' ? 'hidden' : 'visible'
      document.dispatchEvent(new Event('visibilitychange'))
    })
  })
  const become = (state: 'hidden' | 'visible') =>
    page.evaluate((detail) => document.dispatchEvent(new CustomEvent('test-visibility', { detail })), state)
  await openDashboard(page, site, 'Categories')
  await expect(async () => {
    await owner('POST', '/api/mediums', { name: `Heard ${Date.now()}` })
    await expect(page.getByText(/^Heard /).first()).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await become('hidden')
  await owner('POST', '/api/categories', { name: 'Missed meanwhile' })
  await expect(page.getByText('Missed meanwhile')).toHaveCount(0)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await become('visible')
  await expect(page.getByText('Missed meanwhile')).toBeVisible()
  expect(asked).not.toContain('/api/contact-messages')
})
