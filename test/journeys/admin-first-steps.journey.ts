/// <reference lib="dom" />
import type { Page } from '@playwright/test'
import { password } from '../support/site.ts'
import { held, visit } from '../support/visit.ts'
import { expect, expectToast, openDashboard, signInBrowser, test } from './dashboard.ts'
import { expectAccessible } from './desk.ts'
import { ownerOf } from './owner.ts'
import { oneImage } from './images.ts'

const panel = (page: Page) => page.getByRole('region', { name: 'First steps' })
const step = (page: Page, name: string) => panel(page).getByRole('button', { name })
const isDone = (page: Page, name: string) =>
  expect(panel(page).getByRole('button', { name: new RegExp(`^${name}.*\\(done\\)$`) })).toBeVisible()
const saveButton = (page: Page) => page.locator('form').getByRole('button', { name: 'Save Changes' }).first()

async function save(page: Page): Promise<void> {
  await saveButton(page).click()
  await expectToast(page, 'Success', 'Site content updated successfully.')
}

for (const size of [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
]) {
  test(`the first steps lead to their fields, tick themselves off and stay away at ${size.width} px`, async ({
    page,
    browser,
    ownSite,
  }) => {
    test.slow()
    await page.setViewportSize(size)
    const site = await ownSite({ env: { ADMIN_PASSWORD: '' } })
    const first = /"password":"(\S+?)"/.exec(site.output())?.[1] ?? ''
    await visit(page, `${site.url}/admin`)
    await page.getByLabel('Username').fill('admin')
    await page.getByLabel('Password').fill(first)
    await page.keyboard.press('Enter')
    await expect(panel(page)).toContainText('0 of 6 done')
    // What it asks for is said nowhere else.
    await expect(page.getByText('The password is still the first one')).toBeHidden()
    const placeholders = page.getByRole('region', { name: 'Still a placeholder' })
    await expect(placeholders.getByRole('button')).toHaveText(['Hero Subtitle', 'Artistic Achievements'])

    // Folded, they name nothing: then the list of placeholders names all.
    const fold = panel(page).getByRole('button', { name: 'First steps' })
    await fold.click()
    await expect(placeholders.getByRole('button', { name: 'Email' })).toBeVisible()
    await expect(placeholders.getByRole('button', { name: 'UPI ID' })).toBeVisible()
    await expect(placeholders.getByRole('button')).toHaveCount(5)
    await fold.click()
    await expect(placeholders.getByRole('button')).toHaveCount(2)
    // What she unfolds stays so on every tab until the page is loaded anew. Until the steps are known nothing else asks.
    const name = page.getByLabel('Artist Name')
    const place = await name.boundingBox()
    const samples = await held(page, '**/api/samples')
    await page.reload()
    await expect(name).toBeVisible()
    // What stood above the form last time has its place kept.
    expect(await name.boundingBox()).toEqual(place)
    await expect(page.getByText('free', { exact: false }).last()).toBeVisible()
    await expect(page.getByText('The password is still the first one')).toBeHidden()
    await expect(placeholders).toBeHidden()
    await samples.letGo()
    await expect(placeholders.getByRole('button')).toHaveCount(2)
    expect(await name.boundingBox()).toEqual(place)

    await step(page, 'Choose a password').click()
    const account = page.getByRole('dialog', { name: 'Account' })
    await expect(account.getByLabel('Current password')).toBeFocused()
    await page.keyboard.type(first)
    await account.getByLabel('New password').fill(password)
    await account.getByRole('button', { name: 'Change Password' }).click()
    await expectToast(page, 'Success', 'Password changed. Other browsers are signed out.')
    await page.keyboard.press('Escape')
    await expect(step(page, 'Choose a password')).toBeFocused()
    await isDone(page, 'Choose a password')
    const owner = await ownerOf(site)

    await step(page, 'Your name and portrait').click()
    await expect(page.getByLabel('Artist Name')).toBeFocused()
    await page.keyboard.type('Asha Rao')
    await save(page)
    await step(page, 'Your name and portrait').click()
    await expect(page.getByRole('textbox', { name: 'Image URL' })).toBeFocused()
    await page.keyboard.type(await oneImage(owner))
    await save(page)
    await isDone(page, 'Your name and portrait')

    await step(page, 'Your e-mail or WhatsApp').click()
    await expect(page.getByLabel('Email', { exact: true })).toBeFocused()
    await page.keyboard.type('asha@example.in')
    await save(page)
    await isDone(page, 'Your e-mail or WhatsApp')

    await step(page, 'Your UPI ID').click()
    await expect(page.getByLabel('UPI ID', { exact: true })).toBeFocused()
    await expect(page.getByRole('img', { name: /^Payment code/ })).toHaveCount(0)
    await page.keyboard.type('asha@bank')
    await save(page)
    await isDone(page, 'Your UPI ID')
    const code = page.getByRole('img', { name: 'Payment code for one rupee to asha@bank' })
    await expect(code).toHaveCount(1)
    await expect(panel(page)).toContainText('scan this with your own phone')
    const isDrawn = () =>
      code.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 0)
    await expect.poll(isDrawn).toBe(true)
    await expectAccessible(page)

    await step(page, 'Your first work').click()
    const add = page.getByRole('dialog', { name: 'Add New Artwork' })
    await expect(add).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(add).toBeHidden()
    await expect(page.getByRole('tab', { name: /Gallery/ })).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByRole('tabpanel').locator(':focus')).toHaveCount(1)
    // On the other tabs its first line is enough, and opens.
    await expect(step(page, 'Your first work')).toBeHidden()
    await panel(page).getByRole('button', { name: 'First steps' }).click()
    await owner('POST', '/api/artworks', {
      title: 'Haldi',
      price: 1_000,
      imageUrl: await oneImage(owner),
    })
    await isDone(page, 'Your first work')
    await expect(panel(page)).toContainText('5 of 6 done')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width)

    await panel(page).getByRole('button', { name: 'Put away' }).click()
    await expectToast(page, 'Success', 'First steps put away. “Account” brings them back.')
    await expect(panel(page)).toBeHidden()
    await expect(page.getByRole('tabpanel')).toBeFocused()
    await page.reload()
    await expect(page.getByRole('heading', { name: /^Gallery Management/ })).toBeVisible()
    await expect(panel(page)).toBeHidden()
    const elsewhere = await browser.newContext({ viewport: size })
    await signInBrowser(elsewhere, site)
    const other = await visit(await elsewhere.newPage(), `${site.url}/admin`).then(
      () => elsewhere.pages()[0]!,
    )
    // The code to try is with its field now.
    await expect(other.getByRole('img', { name: /^Payment code/ })).toBeVisible()
    await expect(panel(other)).toBeHidden()

    await other.getByRole('button', { name: 'Account' }).click()
    await other.getByRole('switch', { name: 'Show the first steps' }).click()
    await expect(other.getByRole('switch', { name: 'Show the first steps' })).toBeChecked()
    await other.keyboard.press('Escape')
    await step(other, 'The address of your journal').click()
    await expect(other.getByLabel('Blog Address')).toBeFocused()
    await other.keyboard.type('https://asha.example.org')
    const kept = other.waitForResponse('**/api/account/first-steps')
    await saveButton(other).click()
    const said = other.getByText('All first steps are done.')
    await expect(said).toBeVisible()
    // The list with the code is gone already.
    await expect(other.getByRole('img', { name: /^Payment code/ })).toBeVisible()
    await kept
    // That it was put away is heard of by this very page, which goes on saying it.
    await expect(said).toBeVisible()
    await other.reload()
    await expect(other.getByRole('img', { name: /^Payment code/ })).toBeVisible()
    await expect(said).toBeHidden()
    await expect(panel(other)).toBeHidden()
    await other.getByRole('button', { name: 'Account' }).click()
    await expect(other.getByRole('switch', { name: 'Show the first steps' })).toBeDisabled()
    await expect(other.getByText('All of them are done.')).toBeVisible()
    await elsewhere.close()
  })

  test(`the sections of the form are jumped to, below every bar, at ${size.width} px`, async ({
    page,
    workshop: { site },
  }) => {
    await page.setViewportSize(size)
    await openDashboard(page, site, 'Content')
    const links = page.getByRole('navigation', { name: 'Sections of the form' }).getByRole('link')
    await expect(links).toHaveText([
      'Artist',
      'Hero Section',
      'Artist Quote',
      'Biography',
      'Artistic Achievements',
      'Contact Information',
      'Payments',
      'Journal',
    ])
    // What is unsaved stays: a jump leaves nothing.
    await page.getByLabel('Main Quote').fill('A quote')
    for (const link of await links.all()) {
      const name = await link.innerText()
      await link.focus()
      await page.keyboard.press('Enter')
      const heading = page.getByRole('heading', { level: 3, name, exact: true })
      await expect(heading).toBeFocused()
      const isOnTop = () =>
        heading.evaluate((element) => {
          const { left, top, height } = element.getBoundingClientRect()
          return element.contains(document.elementFromPoint(left + 4, top + height / 2))
        })
      expect(await isOnTop(), name).toBe(true)
      // Only the dashboard scrolls: behind it nothing does, which would take the bar away.
      const bar = page.getByRole('button', { name: 'View site' })
      expect(await bar.evaluate((element) => element.getBoundingClientRect().top), name).toBeGreaterThan(0)
      expect(await page.evaluate(() => document.documentElement.scrollTop), name).toBe(0)
    }
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await expect(page.getByText('1 unsaved change')).toBeVisible()
    await expect(page).toHaveURL(`${site.url}/admin`)
  })
}

// 160 and 180: as wide as a phone is for text that its reader has made twice as large.
for (const width of [160, 180, 320, 360, 740, 1280]) {
  test(`the ways out of the dashboard are words at ${width} px`, async ({ page, workshop: { site } }) => {
    await page.setViewportSize({ width, height: 740 })
    await openDashboard(page, site, 'Messages')
    for (const name of ['View site', 'Log out']) {
      const button = page.getByRole('button', { name, exact: true })
      expect(await button.innerText()).toBe(name)
      const words = await button.evaluate((element) => {
        const range = document.createRange()
        range.selectNodeContents(element.lastChild!)
        const { left, right, top, bottom } = range.getBoundingClientRect()
        const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
        return { inside: left >= 0 && right <= innerWidth && top >= 0, seen: element.contains(seen) }
      })
      expect(words, name).toEqual({ inside: true, seen: true })
    }
    const over = await page.evaluate(() => {
      const header = document.querySelector('[data-dashboard] header')
      return header === null || header.scrollWidth > header.clientWidth
    })
    expect(over).toBe(false)
  })
}

test('View site leads to the homepage, and asks about what is unsaved', async ({
  page,
  workshop: { site },
}) => {
  await openDashboard(page, site, 'Content')
  await page.getByLabel('Main Quote').fill('A quote')
  await page.getByRole('button', { name: 'View site' }).click()
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await expect(page).toHaveURL(`${site.url}/`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('what is known sooner does not stand where the first steps will, nor does the form the first time', async ({
  page,
  ownSite,
}) => {
  const site = await ownSite({ env: { SAMPLES: 'auto' } })
  await signInBrowser(page.context(), site)
  const status = await held(page, '**/api/status')
  const known = page.waitForResponse('**/api/samples')
  await visit(page, `${site.url}/admin`)
  await (await known).finished()
  const name = page.getByLabel('Artist Name')
  await expect(name).toBeAttached()
  await expect(name).toBeHidden()
  const samples = page.getByText('This site shows sample content')
  await expect(samples).toBeHidden()
  await status.letGo()
  await expect(name).toBeVisible()
  const place = await name.boundingBox()
  await expect(samples).toBeVisible()
  await expect(panel(page)).toBeVisible()
  expect(await name.boundingBox()).toEqual(place)
})
