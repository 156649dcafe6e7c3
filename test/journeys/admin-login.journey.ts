/// <reference lib="dom" />
import type { Page } from '@playwright/test'
import { held, listening, visit } from '../support/visit.ts'
import {
  chooseTab,
  endSessions,
  expect,
  expectToast,
  openDashboard,
  password,
  signInBrowser,
  test,
} from './dashboard.ts'

async function fill(page: Page, username: string, secret: string): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(secret)
}
const loginButton = (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name: /^Log(in|ging in\.\.\.)$/ })
/** How often the page has asked at an address from now on. */
function countRequests(page: Page): (path: string) => number {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  return (path) => asked.filter((each) => each === path).length
}
const dashboard = (page: Page) => page.getByRole('heading', { name: 'Admin Dashboard' })

test('asks for both fields, refuses a wrong password and stays open, then opens the dashboard', async ({
  page,
  workshop,
}) => {
  await visit(page, `${workshop.site.url}/`)
  await page.getByRole('button', { name: 'Admin' }).click()
  const dialog = page.getByRole('dialog', { name: 'Admin Login' })
  await expect(page.getByLabel('Username')).toBeFocused()
  await loginButton(page).click()
  await expect(dialog).toContainText('Username is required')
  await expect(dialog).toContainText('Password is required')

  await fill(page, 'admin', 'not the password')
  await loginButton(page).click()
  await expectToast(page, 'Login Failed', 'Invalid username or password')
  await expect(dialog).toBeVisible()
  await expect(dialog.getByRole('alert')).toHaveText('Invalid username or password.')
  await expect(page.getByLabel('Password')).toHaveValue('not the password')

  await page.getByLabel('Password').fill(password)
  await page.getByLabel('Password').press('Enter')
  await expectToast(page, 'Login Successful', 'Welcome to the admin panel.')
  await expect(dialog).toBeHidden()
  await expect(dashboard(page)).toBeVisible()
  await expect(page).toHaveURL(`${workshop.site.url}/`)
})

test('says that the browser keeps no cookies, without which the login would only ask again', async ({
  page,
  workshop,
}) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'cookieEnabled', { value: false }))
  await page.goto(`${workshop.site.url}/admin`)
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('keeps no cookies')
})

for (const path of ['/', '/admin'])
  test(`a login at ${path} asks once who is signed in, and opens one stream anew`, async ({
    page,
    workshop: { site },
  }) => {
    await visit(page, site.url + path)
    if (path === '/') await page.getByRole('button', { name: 'Admin' }).click()
    await fill(page, 'admin', password)
    await listening(page)
    const count = countRequests(page)
    await page.getByLabel('Password').press('Enter')
    await expect(page.getByLabel('Artist Name')).toBeVisible()
    await page.getByRole('button', { name: 'Account' }).click()
    await expect(page.getByRole('dialog', { name: 'Account' })).toContainText('admin')
    const listens = () => page.evaluate(async () => (await navigator.locks.query()).held?.length)
    await expect.poll(listens).toBe(1)
    await expect.poll(() => count('/api/auth/user')).toBe(1)
    expect(count('/api/changes')).toBe(1)
  })

test('a dashboard that is loaded asks once who is signed in, and once for each list', async ({
  page,
  context,
  workshop: { site },
}) => {
  await signInBrowser(context, site)
  const count = countRequests(page)
  await visit(page, `${site.url}/admin`)
  await expect(page.getByLabel('Artist Name')).toBeVisible()
  await chooseTab(page, 'Messages')
  const asked = [
    '/api/auth/user',
    '/api/changes',
    '/api/artworks',
    '/api/site-content',
    '/api/contact-messages',
  ]
  expect(asked.map(count)).toEqual(asked.map(() => 1))
})

test('a password can be shown while it is typed, and is hidden again when it is sent', async ({
  page,
  workshop,
}) => {
  await visit(page, `${workshop.site.url}/admin`)
  await fill(page, 'admin', 'not the password')
  const secret = page.getByLabel('Password')
  await expect(secret).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show Password' }).click()
  await expect(secret).toHaveAttribute('type', 'text')
  await expect(secret).toHaveValue('not the password')
  await loginButton(page).click()
  await expect(secret).toHaveAttribute('type', 'password')
  // Nothing was typed anywhere: nothing is said of it.
  await expect(page.getByText('What you typed is kept.')).toHaveCount(0)
})

test('after a session that died the login says that what was typed is kept', async ({
  page,
  workshop: { site, owner },
}) => {
  await openDashboard(page, site, 'Content')
  await page.getByLabel('Studio Address').fill('Byculla')
  await endSessions(owner)
  await page.getByRole('button', { name: 'Save Changes' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Admin Login' })
  await expect(dialog).toContainText('What you typed is kept. Log in, and it is offered to you again.')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the dashboard says that it needs it, and leads home', async ({ page, workshop }) => {
    await page.goto(`${workshop.site.url}/admin`)
    // Words inside of a noscript are not found by their text.
    const said = page.locator('main noscript p')
    await expect(said).toBeVisible()
    await expect(said).toHaveText('The dashboard needs JavaScript.')
    await expect(page.getByText('Loading...')).toBeHidden()
    await page.locator('main noscript a').click()
    await expect(page).toHaveURL(`${workshop.site.url}/`)
  })
})

test('says Logging in... while it waits', async ({ page, workshop }) => {
  await visit(page, `${workshop.site.url}/admin`)
  await fill(page, 'admin', password)
  const login = await held(page, '**/api/login')
  await loginButton(page).click()
  await expect(loginButton(page)).toHaveText('Logging in...')
  await login.letGo()
  await expect(dashboard(page)).toBeVisible()
})

test('opens the dashboard 300 ms after the answer, as 100 and 200', async ({ page, workshop }) => {
  await visit(page, `${workshop.site.url}/`)
  await page.getByRole('button', { name: 'Admin' }).click()
  await fill(page, 'admin', password)
  await page.clock.install()
  // From here on time passes only where it is said, however slow the machine. An hour ahead: a machine that stands
  // still for a minute just now must not find that moment past.
  await page.clock.pauseAt(new Date(Date.now() + 3_600_000))
  const answered = page.waitForResponse('**/api/login')
  await loginButton(page).click()
  await answered
  await expect(page.getByRole('dialog', { name: 'Admin Login' })).toBeHidden()
  const asked = page.waitForRequest('**/api/auth/user')
  await page.clock.runFor(100)
  await asked
  await expect(page.getByRole('tab', { name: 'Content' })).toBeHidden()
  await page.clock.runFor(200)
  await expect(page.getByRole('tab', { name: 'Content' })).toBeVisible()
})

test('tells the true reason when there is no connection', async ({ page, workshop }) => {
  const listening = page.waitForRequest('**/api/changes*')
  await visit(page, `${workshop.site.url}/admin`)
  await fill(page, 'admin', password)
  await listening
  await page.context().setOffline(true)
  await loginButton(page).click()
  await expectToast(page, 'Login Failed', 'Invalid username or password')
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('The site cannot be reached')
  await page.context().setOffline(false)
})

test('tells of too many attempts, and after three failures how a password is reset', async ({
  page,
  ownWorkshop: { site },
}) => {
  await visit(page, `${site.url}/admin`)
  const hint = page.getByText('atelier admin set-password')
  for (let failures = 1; failures <= 3; failures += 1) {
    await expect(hint).toBeHidden()
    await fill(page, `nobody ${failures}`, 'wrong')
    await loginButton(page).click()
    await expect(loginButton(page)).toHaveText('Login')
  }
  await expect(hint).toBeVisible()
  await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      page.request.post(`${site.url}/api/login`, { data: { username: `somebody ${index}`, password: 'x' } }),
    ),
  )
  await fill(page, 'admin', password)
  await loginButton(page).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText(/wait|later|Too many/i)
})

test('closing the login on /admin leads to the homepage', async ({ page, workshop }) => {
  await visit(page, `${workshop.site.url}/admin`)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(`${workshop.site.url}/`)
})

test('closing the dashboard on /admin leads to the homepage', async ({ page, workshop }) => {
  await openDashboard(page, workshop.site, 'Blog')
  await page.getByRole('button', { name: 'View site' }).click()
  await expect(page).toHaveURL(`${workshop.site.url}/`)
  await expect(page.getByRole('contentinfo').first()).toBeVisible()
})

test('a double click that closes the overlay closes it alone, and Log out logs out', async ({
  page,
  workshop,
}) => {
  for (const name of ['View site', 'Log out']) {
    await signInBrowser(page.context(), workshop.site)
    await visit(page, `${workshop.site.url}/`)
    await page.getByRole('button', { name: 'Admin' }).click()
    await page.getByRole('dialog').getByRole('button', { name }).dblclick()
    await expect(dashboard(page)).toBeHidden()
    await expect(page).toHaveURL(`${workshop.site.url}/`)
  }
  const isSignedIn = async () => (await page.request.get(`${workshop.site.url}/api/auth/user`)).ok()
  await expect.poll(isSignedIn).toBe(false)
  // Nothing of it leaves the page, however late.
  await page.getByRole('button', { name: 'Admin' }).click()
  await expect(page.getByRole('dialog', { name: 'Admin Login' })).toBeVisible()
})

test('the second click of a double one presses nothing of the page that has come to the place', async ({
  page,
  workshop,
}) => {
  await signInBrowser(page.context(), workshop.site)
  await visit(page, `${workshop.site.url}/`)
  await page.getByRole('button', { name: 'Admin' }).click()
  await expect(dashboard(page)).toBeVisible()
  // However busy the machine is.
  await page.evaluate(() => {
    const [at] = document.querySelectorAll('[data-dashboard]')
    const click = (target: Element | null | undefined, detail: number) =>
      target?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail }))
    new MutationObserver(() => {
      if (!at?.isConnected) click(document.querySelector('header a[href$="#contact"]'), 2)
    }).observe(document.body, { childList: true })
    click(
      [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'View site'),
      1,
    )
  })
  await expect(dashboard(page)).toBeHidden()
  await expect(page).toHaveURL(`${workshop.site.url}/`)
})

test('the overlay is one step in the history: Back closes it, and the page stays where it was', async ({
  page,
  workshop,
}) => {
  await signInBrowser(page.context(), workshop.site)
  await visit(page, `${workshop.site.url}/?category=Anything`)
  await page.getByRole('button', { name: 'Admin' }).click()
  await expect(dashboard(page)).toBeVisible()
  await page.goBack()
  await expect(dashboard(page)).toBeHidden()
  await expect(page).toHaveURL(`${workshop.site.url}/?category=Anything`)
})

test('closing the overlay asks for what has changed of the page meanwhile, and for nothing else', async ({
  page,
  workshop: { site, owner },
}) => {
  await signInBrowser(page.context(), site)
  await visit(page, site.url)
  await page.getByRole('button', { name: 'Admin' }).click()
  await chooseTab(page, 'Categories')
  await listening(page)
  const name = 'Seen by the page when the dashboard closes'
  await owner('POST', '/api/categories', { name })
  await expect(page.getByRole('tabpanel')).toContainText(name)
  const asked = countRequests(page)
  await page.goBack()
  await expect(dashboard(page)).toBeHidden()
  await expect.poll(() => asked('/api/categories')).toBe(1)
  for (const other of ['artworks', 'site-content', 'blog-posts']) expect(asked(`/api/${other}`)).toBe(0)
})

test('a session found dead tells so after a second and closes', async ({
  page,
  workshop: { site, owner },
}) => {
  await signInBrowser(page.context(), site)
  // The page knows by then that she is signed in.
  const known = page.waitForResponse('**/api/auth/user')
  await visit(page, `${site.url}/`)
  await known
  await endSessions(owner)
  // It stands for a second only, so that the page itself has to look.
  const waiting = page.waitForFunction(() => document.body.innerText.includes('Loading admin panel...'))
  await page.getByRole('button', { name: 'Admin' }).click()
  await waiting
  await expectToast(page, 'Authentication Required', 'Please log in to access the admin panel.')
  await expect(page.getByText('Loading admin panel...')).toBeHidden()
})

test('logs out in the header, and nothing of the dashboard is left', async ({ page, workshop }) => {
  await openDashboard(page, workshop.site, 'Messages')
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(`${workshop.site.url}/`)
  await page.getByRole('button', { name: 'Admin' }).click()
  await expect(page.getByRole('dialog', { name: 'Admin Login' })).toBeVisible()
  const asked = await page.request.get(`${workshop.site.url}/api/auth/user`)
  expect(asked.status()).toBe(401)
})

test('asks for the login where "Admin" is pressed while a log-out is on its way', async ({
  page,
  workshop,
}) => {
  await openDashboard(page, workshop.site, 'Messages')
  const arrived = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  await page.route('**/api/logout', async (route) => {
    arrived.resolve()
    await release.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Log out' }).click()
  await arrived.promise
  await expect(page).toHaveURL(`${workshop.site.url}/`)
  await page.getByRole('button', { name: 'Admin' }).click()
  const login = page.getByRole('dialog', { name: 'Admin Login' })
  await expect(login).toBeVisible()
  const answered = page.waitForResponse('**/api/logout')
  release.resolve()
  await answered
  await expect(login).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } })

  test('opens the dashboard from the menu, and Back leads to the page', async ({ page, workshop }) => {
    await signInBrowser(page.context(), workshop.site)
    await visit(page, `${workshop.site.url}/#contact`)
    await page.getByRole('button', { name: 'Open menu' }).click()
    const menu = page.getByRole('dialog', { name: 'Main' })
    await menu.getByRole('button', { name: 'Admin' }).click()
    const dashboard = page.getByRole('dialog', { name: 'Admin Dashboard' })
    await expect(dashboard).toBeVisible()
    await page.goBack()
    await expect(dashboard).toBeHidden()
    await expect(menu).toBeHidden()
    await expect(page).toHaveURL(`${workshop.site.url}/#contact`)
    await page.goBack()
    await expect(page).toHaveURL('about:blank')
  })

  test('logs out in the menu', async ({ page, workshop }) => {
    await signInBrowser(page.context(), workshop.site)
    await visit(page, `${workshop.site.url}/`)
    await page.getByRole('button', { name: 'Open menu' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click()
    await expect
      .poll(async () => (await page.request.get(`${workshop.site.url}/api/auth/user`)).status())
      .toBe(401)
  })
})

test('a visitor never downloads the dashboard', async ({ page, workshop }) => {
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url())
  })
  await visit(page, `${workshop.site.url}/`)
  await page.mouse.move(300, 300)
  await page.waitForLoadState('networkidle')
  expect(scripts.filter((url) => /admin|login|editor/.test(url))).toEqual([])
})
