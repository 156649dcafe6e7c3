/// <reference lib="dom" />
import type { Page } from '@playwright/test'
import type { SiteContent } from '#web/contract/site-content.ts'
import { held, listening } from '../support/visit.ts'
import { endSessions, openDashboard, test as dashboard } from './dashboard.ts'
import { expect, expectToast, test } from './desk.ts'

/** What stays where it is while she types: the focus, the caret, and the field itself. */

const about = (page: Page) => page.getByRole('textbox', { name: 'About the Artist' })
const saveButton = (page: Page) => page.locator('form').getByRole('button', { name: 'Save Changes' }).first()

dashboard(
  'the first steps that are put away leave the focus where she types by then',
  async ({ page, ownWorkshop: { site } }) => {
    await openDashboard(page, site, 'Content')
    const away = await held(page, '**/api/account/first-steps', 'PUT')
    await page.getByRole('button', { name: 'Put away' }).click()
    await about(page).click()
    await page.keyboard.type('Since ')
    await away.letGo()
    await expectToast(page, 'Success', 'First steps put away. “Account” brings them back.')
    await expect(page.getByRole('region', { name: 'First steps' })).toBeHidden()
    await page.keyboard.type('2009')
    await expect(about(page)).toHaveValue('Since 2009')
  },
)

test('a save that is refused leaves the focus where she types by then, and takes it where she does not', async ({
  page,
  desk,
}) => {
  await desk.call('PUT', '/api/site-content', { contactEmail: '', artistBio: '' })
  await desk.open('Content')
  const mail = page.getByLabel('Email')
  await mail.fill('nobody')
  const refused = await held(page, '**/api/site-content', 'PUT')
  await mail.press('Enter')
  await about(page).click()
  await page.keyboard.type('Since ')
  await refused.letGo()
  await expect(mail).toHaveAttribute('aria-invalid', 'true')
  await page.keyboard.type('2009')
  await expect(about(page)).toHaveValue('Since 2009')
  await expect(mail).toHaveValue('nobody')
  await saveButton(page).click()
  await expect(mail).toBeFocused()
})

test('a save that is refused leaves the focus where she types on since Enter', async ({ page, desk }) => {
  await desk.call('PUT', '/api/site-content', { contactEmail: '', artistName: '' })
  await desk.open('Content')
  const [name, mail] = [page.getByLabel('Artist Name'), page.getByLabel('Email')]
  await mail.fill('nobody')
  await name.fill('Leela')
  const refused = await held(page, '**/api/site-content', 'PUT')
  await name.press('Enter')
  await page.keyboard.type(' Mar')
  await refused.letGo()
  await expect(mail).toHaveAttribute('aria-invalid', 'true')
  await page.keyboard.type('athe')
  await expect(name).toHaveValue('Leela Marathe')
  await name.press('Enter')
  await expect(mail).toBeFocused()
})

test('an artwork that is refused leaves the focus where she types by then', async ({ page, desk }) => {
  await desk.addArtwork({ title: 'Monsoon' })
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Edit Monsoon' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Artwork' })
  const [year, text] = [form.getByLabel('Year'), form.getByLabel('Description')]
  const price = form.getByLabel('Price')
  await price.fill('2000')
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/artworks/*', async (route) => {
    if (route.request().method() !== 'PUT') return route.continue()
    await promise
    return route.fulfill({ status: 422, json: { message: 'No.', fields: { yearCreated: 'Not this year' } } })
  })
  await price.press('Enter')
  await text.click()
  await page.keyboard.type('Of ')
  resolve()
  await expect(year).toHaveAttribute('aria-invalid', 'true')
  await page.keyboard.type('rain')
  await expect(text).toHaveValue('Of rain')
})

test('the caret stays at its place in a text that a save brings as the server writes it', async ({
  page,
  desk,
}) => {
  const artistDescription = '<p>One <a href="https://example.org/">two</a> three</p>'
  await desk.call('PUT', '/api/site-content', { artistDescription })
  await desk.open('Content')
  const text = page.locator('.ProseMirror')
  await page.getByRole('textbox', { name: 'Hero Description' }).focus()
  await text.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' four')
  const save = await held(page, '**/api/site-content', 'PUT')
  await saveButton(page).click()
  await text.click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowRight')
  await save.letGo()
  await expectToast(page, 'Success', 'Site content updated successfully.')
  await page.keyboard.type('-')
  await expect(text).toHaveText('O-ne two three four')
})

test('what was typed is undone after a save as before it, also beside links, which the server writes in its own way', async ({
  page,
  desk,
}) => {
  const artistDescription = '<p>One <a href="https://example.org/">two</a> three</p><p>Four</p>'
  await desk.call('PUT', '/api/site-content', { artistDescription })
  await desk.open('Content')
  const text = page.locator('.ProseMirror')
  await page.getByRole('textbox', { name: 'Hero Description' }).focus()
  await text.click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('Not ')
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' five ')
  await page.getByRole('button', { name: 'Link', exact: true }).click()
  await page.getByLabel('Link address').fill('six.example')
  await page.getByLabel('Link address').press('Enter')
  await expect(text.locator('p')).toHaveText(['Not One two three', 'Four five six.example'])
  await saveButton(page).click()
  await expectToast(page, 'Success', 'Site content updated successfully.')
  await expect(text.locator('a[rel]')).toHaveCount(2)
  for (let index = 0; index < 3; index += 1) await text.press('Control+z')
  await expect(text.locator('p')).toHaveText(['One two three', 'Four'])
  for (let index = 0; index < 3; index += 1) await text.press('Control+y')
  await expect(text.locator('p')).toHaveText(['Not One two three', 'Four five six.example'])
})

test('the caret goes to the nearest letters where another text has none at its place', async ({
  page,
  desk,
}) => {
  await desk.call('PUT', '/api/site-content', { artistDescription: '<p>Hello world</p>' })
  await desk.open('Content')
  const text = page.locator('.ProseMirror')
  await page.getByRole('textbox', { name: 'Hero Description' }).focus()
  await text.click()
  await page.keyboard.press('Control+Home')
  for (let index = 0; index < 4; index += 1) await page.keyboard.press('ArrowRight')
  await desk.call('PUT', '/api/site-content', { artistDescription: '<p>One</p><p>two</p>' })
  await expect(text).toHaveText('Onetwo')
  await page.keyboard.type('and ')
  await expect(text.locator('p')).toHaveText(['One', 'and two'])
})

test('a list that could not be had hides nothing that she types when it is asked for again', async ({
  page,
  desk,
}) => {
  // A full storage keeps no height.
  await page.addInitScript(() => {
    Storage.prototype.setItem = function keepSmall(key, value) {
      if (key.startsWith('atelier.height.')) throw new DOMException('Full', 'QuotaExceededError')
      this[key] = value
    }
  })
  let asked = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/samples', async (route) => {
    asked += 1
    if (asked === 1) return route.fulfill({ status: 503 })
    await promise
    return route.continue()
  })
  await desk.call('PUT', '/api/site-content', { artistBio: '' })
  await openDashboard(page, desk.site, 'Content')
  await about(page).click()
  await page.keyboard.type('Since ')
  await listening(page)
  await desk.addArtwork({ title: 'Monsoon' })
  await expect.poll(() => asked).toBe(2)
  // Two frames: what is hidden then has lost the focus.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  await page.keyboard.type('2009')
  await expect(about(page)).toHaveValue('Since 2009')
  resolve()
})

test('a search stays above a list that has become short, so that nothing is left out unseen', async ({
  page,
  desk,
}) => {
  const message = (index: number) => ({
    id: `00000000-0000-4000-8000-00000000000${index}`,
    name: `Visitor ${index}`,
    email: `visitor${index}@example.org`,
    subject: 'general',
    message: 'A line.',
    isRead: true,
    artworkId: '',
    artworkTitle: '',
    mail: 'off',
    version: 1,
    createdAt: new Date(2026, 0, 1).toISOString(),
  })
  let messages = Array.from({ length: 9 }, (_, index) => message(index))
  await page.route('**/api/contact-messages**', async (route) => {
    if (route.request().method() !== 'DELETE') return route.fulfill({ json: messages })
    messages = messages.filter(({ id }) => !route.request().url().endsWith(id))
    return route.fulfill({ status: 204 })
  })
  await desk.open('Messages')
  const search = page.getByPlaceholder('Search messages')
  await search.fill('visitor4@')
  await page.getByRole('button', { name: 'Delete the message of Visitor 4' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No message fits.')).toBeVisible()
  await search.fill('')
  await expect(page.getByRole('article').filter({ hasText: 'Visitor 3' })).toBeVisible()
  await expect(search).toBeVisible()
})

test('a page that comes back from the login as it was left asks before what is unsaved goes, and for the login again', async ({
  page,
  desk,
}) => {
  await desk.call('PUT', '/api/site-content', { artistBio: '' })
  // Where that leads to nothing, the page stays, as it does when Back leads to it.
  let logins = 0
  await desk.open('Content')
  await about(page).fill('Since 2009')
  // Of what is not asked for by a press no answer comes: a refusal would have the login open above the page.
  await page.route('**/api/**', (route) =>
    route.request().method() === 'GET' ? undefined : route.fallback(),
  )
  await page.route('**/api/login?**', (route) => {
    logins += 1
    return route.fulfill({ status: 204 })
  })
  await endSessions(desk.call)
  await saveButton(page).click()
  await expect.poll(() => logins).toBe(1)
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await page.getByRole('tab', { name: 'Gallery' }).click()
  const question = page.getByRole('alertdialog', { name: 'Unsaved changes' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await saveButton(page).click()
  await expect.poll(() => logins).toBe(2)
  expect(await desk.call<SiteContent>('GET', '/api/site-content')).toMatchObject({ artistBio: '' })
})
