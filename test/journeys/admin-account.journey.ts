/// <reference lib="dom" />
import type { Artwork } from '#web/contract/artworks.ts'
import type { Route } from '@playwright/test'
import { held, visit } from '../support/visit.ts'
import {
  endSessions,
  expect,
  expectToast,
  openDashboard,
  password,
  signInBrowser,
  test,
} from './dashboard.ts'
import { ownerOf } from './owner.ts'
import { oneImage, painting } from './images.ts'

test("a change of the password whose answer is lost, or is a gateway's own, is not called failed", async ({
  page,
  ownWorkshop: { site },
}) => {
  await openDashboard(page, site, 'Content')
  await page.getByRole('button', { name: 'Account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Account' })
  const answers = [
    (route: Route) => route.fulfill({ status: 502, body: 'Bad gateway' }),
    async (route: Route) => {
      await route.fetch()
      await route.abort()
    },
  ]
  await page.route('**/api/account/password', (route) => answers.shift()?.(route))
  await dialog.getByLabel('Current password').fill(password)
  await dialog.getByLabel('New password').fill('indigo over geru 17')
  const lost = dialog.getByRole('alert').filter({ hasText: 'did not answer' })
  while (answers.length > 0) {
    await dialog.getByRole('button', { name: 'Change Password' }).click()
    await expectToast(page, 'Error', 'Nobody knows yet whether the password was changed.')
    await expect(lost).toContainText('If the current password is called wrong then, it is the new one.')
  }
})

test('an account that is closed while its password is changed asks nothing, and tells what came of it', async ({
  page,
  ownWorkshop: { site },
}) => {
  await openDashboard(page, site, 'Content')
  await page.getByRole('button', { name: 'Account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Account' })
  await dialog.getByLabel('Current password').fill(password)
  await dialog.getByLabel('New password').fill('indigo over geru 17')
  const change = await held(page, '**/api/account/password')
  await dialog.getByRole('button', { name: 'Change Password' }).click()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await change.letGo()
  await expectToast(page, 'Success', 'Password changed. Other browsers are signed out.')
})

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

test('a pasted password over the limit is refused at its field, and none of it is cut', async ({
  page,
  ownWorkshop: { site },
}) => {
  await openDashboard(page, site, 'Blog')
  await page.getByRole('button', { name: 'Account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Account' })
  const fresh = dialog.getByLabel('New password')
  const pasted = 'indigo over geru '.repeat(9)
  await dialog.getByLabel('Current password').fill(password)
  await fresh.focus()
  // As a paste does, it heeds what a field takes at most.
  await page.keyboard.insertText(pasted)
  await expect(fresh).toHaveValue(pasted)
  await dialog.getByRole('button', { name: 'Change Password' }).click()
  await expectToast(page, 'Error', 'Failed to change the password.')
  await expect(fresh).toHaveAccessibleDescription(/New password must have 8 to 128 characters/)
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

test('a browser that signs in later is listed when the account is opened again', async ({
  page,
  browser,
  ownWorkshop: { site },
}) => {
  await openDashboard(page, site, 'Blog')
  const dialog = page.getByRole('dialog', { name: 'Account' })
  const account = page.getByRole('button', { name: 'Account' })
  await account.click()
  await expect(dialog.getByText('This browser')).toBeVisible()
  await page.keyboard.press('Escape')
  const phone = await browser.newContext({
    userAgent: 'Mozilla/5.0 (Linux; Android 14) Chrome/130.0 Mobile Safari',
  })
  await phone.request.post(`${site.url}/api/login`, { data: { username: 'admin', password } })
  await account.click()
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Android' })).toBeVisible()
  await phone.close()
})

test('one press signs all other browsers out', async ({ page, browser, ownWorkshop: { site } }) => {
  const others = await Promise.all(
    ['Android 14', 'iPhone'].map((device) =>
      browser.newContext({ userAgent: `Mozilla/5.0 (${device}) Safari` }),
    ),
  )
  for (const { request } of others)
    await request.post(`${site.url}/api/login`, { data: { username: 'admin', password } })
  await openDashboard(page, site, 'Blog')
  await page.getByRole('button', { name: 'Account' }).click()
  const all = page.getByRole('button', { name: 'Sign out all other browsers' })
  await all.click()
  await expectToast(page, 'Success', 'All other browsers are signed out.')
  await expect(all).toBeHidden()
  for (const { request } of others)
    expect((await request.get(`${site.url}/api/auth/user`)).status()).toBe(401)
  expect((await page.request.get(`${site.url}/api/auth/user`)).status()).toBe(200)
  await Promise.all(others.map((other) => other.close()))
})

test('who changed a price and when is found in three taps, and taken back with one more', async ({
  page,
  workshop: { site, owner },
}) => {
  const imageUrl = await oneImage(owner)
  const artwork = await owner<Artwork>('POST', '/api/artworks', {
    title: 'Letters to Indore',
    price: 36_000,
    imageUrl,
  })
  await owner('POST', '/api/artworks', { title: 'Haldi', price: 1_000, imageUrl })
  await owner('PUT', `/api/artworks/${artwork.id}`, { price: 30_000 })
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
  expect((await owner<Artwork>('GET', `/api/artworks/${artwork.id}`)).price).toBe(36_000)
})

test('acts are taken back one after the other, also while one is under way, and what is refused stays said', async ({
  page,
  workshop: { site, owner },
}) => {
  const imageUrl = await oneImage(owner)
  const add = (title: string) => owner<Artwork>('POST', '/api/artworks', { title, price: 500, imageUrl })
  const artworks = [await add('Stepwell'), await add('Banyan'), await add('Ferry')]
  const setPrice = (at: number, price: number) => owner('PUT', `/api/artworks/${artworks[at]?.id}`, { price })
  for (const at of artworks.keys()) await setPrice(at, 700 + at)
  let goOn = (): void => undefined
  const pressed = new Promise<void>((resolve) => (goOn = resolve))
  await page.route('**/undo', async (route) => {
    await pressed
    await route.continue()
  })
  await openDashboard(page, site, 'Messages')
  await page.getByRole('button', { name: 'Activity' }).click()
  const dialog = page.getByRole('dialog', { name: 'Activity' })
  const entry = (price: string) => dialog.getByRole('listitem').filter({ hasText: price })
  for (const price of ['₹702', '₹701', '₹700'])
    await entry(price).getByRole('button', { name: 'Back to ₹500' }).click()
  await setPrice(2, 900)
  goOn()
  const prices = () => Promise.all(artworks.map(({ id }) => owner<Artwork>('GET', `/api/artworks/${id}`)))
  await expect.poll(async () => (await prices()).map(({ price }) => price)).toEqual([500, 500, 900])
  await expect(dialog.getByRole('alert')).not.toBeEmpty()
  await expectToast(page, 'Success', 'Undone.')
  await expect(dialog.getByRole('alert')).not.toBeEmpty()
})

test('what was changed again since cannot be undone, and it says so', async ({
  page,
  workshop: { site, owner },
}) => {
  const imageUrl = await oneImage(owner)
  const artwork = await owner<Artwork>('POST', '/api/artworks', { title: 'Kajal', price: 100, imageUrl })
  await owner('PUT', `/api/artworks/${artwork.id}`, { price: 200 })
  await page.route('**/api/changes*', (route) => route.abort())
  await openDashboard(page, site, 'Messages')
  await page.getByRole('button', { name: 'Activity' }).click()
  const dialog = page.getByRole('dialog', { name: 'Activity' })
  const undo = dialog.getByRole('button', { name: 'Back to ₹100' })
  await undo.waitFor()
  await owner('PUT', `/api/artworks/${artwork.id}`, { price: 300 })
  await undo.click()
  await expectToast(page, 'Error', 'This could not be undone.')
  await expect(dialog.getByRole('alert')).not.toBeEmpty()
  expect((await owner<Artwork>('GET', `/api/artworks/${artwork.id}`)).price).toBe(300)
})

test('a sale is on an open page in another browser within a second', async ({
  browser,
  workshop: { site, owner },
}) => {
  const imageUrl = await oneImage(owner)
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

test('sample content goes once it was said what goes and what stays, and comes back', async ({
  page,
  ownSite,
}) => {
  test.slow()
  const site = await ownSite({ env: { SAMPLES: 'auto' } })
  await openDashboard(page, site, 'Categories')
  const owner = await ownerOf(site)
  const artworks = await owner<Artwork[]>('GET', '/api/artworks')
  const kept = artworks.find(({ category }) => category === 'Abstract')
  await owner('PUT', `/api/artworks/${kept?.id}`, { title: 'My own' })
  const open = page.getByRole('button', { name: 'Remove sample content' })
  await open.click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText(/These go: 11 works, 3 journal posts, \d+ texts, 4 categories/)
  await expect(dialog).toContainText(/or they are in use: 1 work, 1 category and 1 medium\./)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(open).toBeFocused()
  await open.click()
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await expectToast(page, 'Success', 'Sample content removed.')
  await expect(page.getByText(/shows sample content/)).toHaveCount(0)
  await expect(page.getByText('Abstract', { exact: true })).toBeVisible()
  await expect(page.getByText('Landscape', { exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Activity' }).click()
  await page.getByRole('button', { name: 'Bring the sample content back' }).click()
  await expect.poll(async () => (await owner<Artwork[]>('GET', '/api/artworks')).length).toBe(12)
})

test('what a dead session keeps from being read says so, and asks for the login where she is', async ({
  page,
  ownWorkshop: { site, owner },
}) => {
  await openDashboard(page, site, 'Categories')
  await page.getByRole('button', { name: 'Add Category' }).waitFor()
  await endSessions(owner)
  await page.getByRole('button', { name: 'Activity' }).click()
  const login = page.getByRole('dialog', { name: 'Admin Login' })
  await expect(login).toContainText('Your session has ended.')
  await login.getByLabel('Username').fill('admin')
  await login.getByLabel('Password').fill(password)
  await login.getByLabel('Password').press('Enter')
  const activity = page.getByRole('dialog', { name: 'Activity' })
  await expect(activity.getByText('Nothing has happened yet.')).toBeVisible()
  await expect(activity.getByRole('alert')).toHaveCount(0)
})

test('a session that is ended elsewhere keeps what the dashboard shows, and asks for the login', async ({
  page,
  ownWorkshop: { site, owner },
}) => {
  const imageUrl = await oneImage(owner)
  await owner('POST', '/api/artworks', { title: 'Seen', imageUrl })
  const artwork = await owner<Artwork>('POST', '/api/artworks', {
    title: 'Unseen',
    imageUrl,
    isVisible: false,
  })
  await openDashboard(page, site, 'Gallery')
  const title = page.getByRole('heading', { name: /^Gallery Management/, includeHidden: true })
  await expect(title).toHaveText('Gallery Management (2 artworks)')
  await page.getByRole('button', { name: 'Add New Artwork' }).click()
  await page.getByRole('dialog').getByLabel('Title', { exact: true }).fill('Half typed')
  // The stream is opened again as a visitor's, and hears of a list that visitors may see.
  await endSessions(owner)
  await owner('POST', '/api/artworks/batch', { rows: [{ id: artwork.id, fields: { isFeatured: true } }] })
  const login = page.getByRole('dialog', { name: 'Admin Login' })
  await expect(login).toContainText('Your session has ended. What you see and what you typed stays.')
  await expect(title).toHaveText('Gallery Management (2 artworks)')
  await login.getByLabel('Username').fill('admin')
  await login.getByLabel('Password').fill(password)
  await login.getByLabel('Password').press('Enter')
  await expect(login).toHaveCount(0)
  await expect(page.getByRole('dialog').getByLabel('Title', { exact: true })).toHaveValue('Half typed')
  await expect(title).toHaveText('Gallery Management (2 artworks)')
})

test('Back from the login of an ended session leads to the homepage, where nobody is signed in', async ({
  page,
  ownWorkshop: { site, owner },
}) => {
  await signInBrowser(page.context(), site)
  await visit(page, site.url)
  await page.getByRole('button', { name: 'Admin' }).click()
  await page.getByRole('tab', { name: /Content/ }).click()
  await page.getByLabel('Main Quote').fill('Half typed')
  await endSessions(owner)
  await page.getByRole('button', { name: 'Activity' }).click()
  const login = page.getByRole('dialog', { name: 'Admin Login' })
  await expect(login).toContainText('Your session has ended.')
  await page.evaluate(() => window.history.back())
  await expect(login).toBeHidden()
  await expect(page.locator('[data-dashboard]')).toBeHidden()
  await page.getByRole('button', { name: 'Admin' }).click()
  await expect(login).toContainText('What you typed is kept.')
})

test('a session that ends while several pictures are added asks for the login there, and none is lost', async ({
  page,
  ownWorkshop: { site, owner },
}) => {
  await openDashboard(page, site, 'Gallery')
  await page.getByRole('button', { name: 'Add several' }).click()
  const end = async (route: Route): Promise<void> => {
    await endSessions(owner)
    await route.continue()
  }
  await page.route('**/api/upload/image', end, { times: 1 })
  await page
    .getByLabel('Choose pictures')
    .setInputFiles([painting('monsoon'), painting('nightbus'), painting('lotus')])
  const login = page.getByRole('dialog', { name: 'Admin Login' })
  await expect(login).toContainText('Your session has ended.')
  await login.getByLabel('Username').fill('admin')
  await login.getByLabel('Password').fill(password)
  await login.getByLabel('Password').press('Enter')
  await expect(login).toHaveCount(0)
  const list = page.getByRole('dialog', { name: 'Add several artworks' })
  await expect(list.getByText('You are logged out.').first()).toBeVisible()
  const retry = list.getByRole('button', { name: /^Retry/ })
  while ((await retry.count()) > 0) await retry.first().click()
  await expect(list.getByText('Added as a draft')).toHaveCount(3)
  expect(await owner<Artwork[]>('GET', '/api/artworks')).toHaveLength(3)
})

test('a login in another tab is one here too', async ({ page, ownWorkshop: { site, owner } }) => {
  await openDashboard(page, site, 'Categories')
  const second = await page.context().newPage()
  await openDashboard(second, site, 'Categories')
  await endSessions(owner)
  const logins = [page, second].map((tab) => tab.getByRole('dialog', { name: 'Admin Login' }))
  for (const login of logins) await expect(login).toContainText('Your session has ended.')
  const [, login] = logins
  await login?.getByLabel('Username').fill('admin')
  await login?.getByLabel('Password').fill(password)
  await login?.getByLabel('Password').press('Enter')
  for (const asking of logins) await expect(asking).toHaveCount(0)
})

test('a list that is refused while another tab logs in asks for no login and is fetched again', async ({
  page,
  ownWorkshop: { site, owner },
}) => {
  await openDashboard(page, site, 'Categories')
  await page.getByRole('button', { name: 'Add Category' }).waitFor()
  const lists = '**/api/categories'
  // As a request that was on its way with the cookie of the session that the login has replaced.
  await page.route(lists, (route) => route.fulfill({ status: 401, json: { message: 'Unauthorized' } }), {
    times: 1,
  })
  const asked = page.waitForResponse('**/api/auth/user')
  await owner('POST', '/api/categories', { name: 'Tapestry' })
  await asked
  await expect(page.getByText('Tapestry', { exact: true })).toBeVisible()
  await expect(page.getByRole('dialog', { name: 'Admin Login' })).toHaveCount(0)
})

test('who does not log in again after a session that was ended elsewhere is led to the homepage', async ({
  page,
  ownWorkshop: { site, owner },
}) => {
  await openDashboard(page, site, 'Content')
  await page.getByLabel('Studio Address').fill('Byculla')
  await endSessions(owner)
  const login = page.getByRole('dialog', { name: 'Admin Login' })
  await login.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(`${site.url}/`)
  await openDashboard(page, site, 'Content')
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByLabel('Studio Address')).toHaveValue('Byculla')
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
    Object.defineProperty(document, 'hidden', { get: () => state === 'hidden' })
    document.addEventListener('test-visibility', (event) => {
      if (!(event instanceof CustomEvent)) return
      state = event.detail === 'hidden' ? 'hidden' : 'visible'
      // Bubbles to the window, as the browser's own does.
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
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
