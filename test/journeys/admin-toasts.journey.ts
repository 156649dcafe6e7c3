/// <reference lib="dom" />
import type { Page } from '@playwright/test'
import type { Artwork } from '#web/contract/artworks.ts'
import type { Category } from '#web/contract/taxonomy.ts'
import { visit } from '../support/visit.ts'
import { password } from './dashboard.ts'
import { card, expect, expectAccessible, expectToast, test } from './desk.ts'

const SIZES = [
  { width: 360, height: 740 },
  { width: 740, height: 360 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
]

const toast = (page: Page) => page.locator('[data-toasts] li')
const undo = (page: Page) => toast(page).getByRole('button', { name: 'Undo' })

/** The buttons that finish what was begun, what has the focus and the field after it: those whose middle a toast covers. */
function covered(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const focused = document.activeElement
    const fields = [...document.querySelectorAll('input, textarea, select, [contenteditable="true"]')]
    const next = fields.find(
      (field) =>
        focused !== null &&
        focused.compareDocumentPosition(field) === Node.DOCUMENT_POSITION_FOLLOWING &&
        field.getClientRects().length > 0,
    )
    const buttons = document.querySelectorAll(
      '[role="dialog"]:not([data-scrolls]) :is(header, footer) button, [role="alertdialog"] footer button, form button[type="submit"]',
    )
    const discard = [...document.querySelectorAll('button')].filter(
      ({ textContent }) => textContent === 'Discard',
    )
    return [...buttons, ...discard, focused, next].flatMap((element) => {
      // What lies below a dialog is out of reach, and is not needed before that is closed.
      if (!element || element === document.body || element.closest('[aria-hidden="true"]')) return []
      const { left, top, width, height } = element.getBoundingClientRect()
      const met = document.elementFromPoint(left + width / 2, top + height / 2)
      return met?.closest('[data-toasts]') ? [`${element.tagName} ${element.textContent}`] : []
    })
  })
}

/** The message stays while the window is another one: what it must not cover is looked at one after the other. */
async function hold(page: Page): Promise<void> {
  await expect(toast(page)).toBeVisible()
  await page.evaluate(() => window.dispatchEvent(new Event('blur')))
}

/** Holds still until the toast has made way: it is measured in the frame after what made it move. */
const expectNothingCovered = async (page: Page): Promise<void> => {
  await expect(toast(page)).toBeVisible()
  await expect.poll(() => covered(page)).toEqual([])
}

for (const size of SIZES) {
  test(`a toast never covers what one needs at ${size.width} × ${size.height}`, async ({
    page,
    context,
    desk,
  }) => {
    test.slow()
    await page.setViewportSize(size)
    await desk.addArtwork({ title: 'Haldi' })
    await visit(page, `${desk.site.url}/admin`)
    await page.getByLabel('Username').fill('admin')
    await page.getByLabel('Password').fill('wrong')
    await page.keyboard.press('Enter')
    await expectToast(page, 'Login Failed', 'Invalid username or password')
    await hold(page)
    await expectNothingCovered(page)
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await expectToast(page, 'Login Successful', 'Welcome to the admin panel.')
    await hold(page)

    // The save bar comes under the toast of the login.
    await page.getByRole('tab', { name: 'Content' }).click()
    const name = page.getByLabel('Artist Name')
    await name.fill('Leela')
    await expect(page.getByRole('button', { name: 'Discard', exact: true })).toBeVisible()
    await expectNothingCovered(page)
    for (let field = 0; field < 12; field += 1) {
      await page.keyboard.press('Tab')
      await expectNothingCovered(page)
    }
    await page.evaluate(() => document.querySelector('[data-scrolls]')?.scrollTo(0, 1e6))
    await expectNothingCovered(page)
    await name.fill('')
    await page.getByRole('tab', { name: 'Gallery' }).click()

    // A failure over an open dialog, with the focus in its fields.
    await card(page, 'Haldi').getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Artwork' })
    await expect(dialog).toBeVisible()
    await dialog.getByLabel('Title').fill('Haldi, evening')
    await context.setOffline(true)
    await dialog.getByRole('button', { name: 'Update Artwork' }).click()
    await expectToast(page, 'Error', 'Failed to update artwork.')
    await hold(page)
    await expectNothingCovered(page)
    await dialog.getByLabel('Title').focus()
    for (let field = 0; field < 8; field += 1) {
      await expectNothingCovered(page)
      await page.keyboard.press('Tab')
    }
    await context.setOffline(false)
    const box = (await toast(page).boundingBox())!
    expect(box.width).toBeLessThanOrEqual(size.width >= 768 ? 420 : size.width - 32)
    // Escape belongs to the dialog: it asks about what is unsaved, and the toast stays.
    await dialog.getByLabel('Title').focus()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await expectNothingCovered(page)
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await expect(dialog).toBeHidden()
    await expect(toast(page)).toBeVisible()
  })
}

test('Undo in the toast takes back sale, visibility, deletion and order', async ({ page, desk }) => {
  const artworks = await Promise.all(['Haldi', 'Neel'].map((title) => desk.addArtwork({ title })))
  const listed = async () => (await desk.call<Artwork[]>('GET', '/api/artworks')).map(({ title }) => title)
  const now = async (title: string) =>
    (await desk.call<Artwork[]>('GET', '/api/artworks')).find((artwork) => artwork.title === title)
  await desk.open('Gallery')
  const haldi = card(page, 'Haldi')

  await haldi.getByRole('button', { name: 'Hide' }).click()
  await expectToast(page, 'Success', 'Artwork visibility updated.')
  await undo(page).click()
  await expectToast(page, 'Success', 'Undone.')
  await expect(haldi.getByRole('button', { name: 'Hide' })).toBeVisible()
  expect(await now('Haldi')).toMatchObject({ isAvailable: true })

  await haldi.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitemradio', { name: 'Sold' }).click()
  await expectToast(page, 'Success', 'Artwork updated successfully.')
  await undo(page).click()
  await expectToast(page, 'Success', 'Undone.')
  expect(await now('Haldi')).toMatchObject({ saleStatus: 'for_sale' })

  await haldi.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('it waits under “Recently deleted”')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Success', 'Artwork deleted successfully.')
  await expect(haldi).toBeHidden()
  await undo(page).click()
  await expectToast(page, 'Success', 'Undone.')
  await expect(haldi).toBeVisible()

  const before = await listed()
  await page.getByRole('button', { name: 'Arrange' }).click()
  await card(page, before[0]!).getByRole('button', { name: 'Move to last' }).click()
  await expectToast(page, 'Success', 'Artwork updated successfully.')
  expect(await listed()).toEqual(before.toReversed())
  await undo(page).click()
  await expectToast(page, 'Success', 'Undone.')
  expect(await listed()).toEqual(before)
  expect(artworks).toHaveLength(2)
})

test('Undo takes back a price, a site text, a category that was renamed and one that was deleted', async ({
  page,
  desk,
}) => {
  await desk.addArtwork({ title: 'Haldi', price: 1_000 })
  await desk.open('Gallery')
  await card(page, 'Haldi').getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByLabel('Price').fill('2500')
  await page.getByRole('dialog').getByRole('button', { name: 'Update Artwork' }).click()
  await expectToast(page, 'Success', 'Artwork updated successfully.')
  await undo(page).click()
  await expectToast(page, 'Success', 'Undone.')
  await expect(card(page, 'Haldi')).toContainText('₹1,000')

  await page.getByRole('tab', { name: 'Content' }).click()
  const quote = page.getByLabel('Main Quote')
  const saved = await quote.inputValue()
  await quote.fill('Less than a wall')
  await page.getByRole('button', { name: 'Save Changes' }).first().click()
  await expectToast(page, 'Success', 'Site content updated successfully.')
  await undo(page).click()
  await expectToast(page, 'Success', 'Undone.')
  await expect(quote).toHaveValue(saved)

  const { id } = await desk.call<Category>('POST', '/api/categories', { name: `Walls ${Date.now()}` })
  const { name } = (await desk.call<Category[]>('GET', '/api/categories')).find((each) => each.id === id)!
  await page.getByRole('tab', { name: 'Categories' }).click()
  await page.getByRole('button', { name: `Delete ${name}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Success', 'Category deleted successfully.')
  await undo(page).click()
  await expectToast(page, 'Success', 'Undone.')
  await expect(page.getByRole('button', { name: `Delete ${name}` })).toBeVisible()
  await desk.call('DELETE', `/api/categories/${id}`)
})

test('an undo that is not possible any more says so in words, and shows what is saved', async ({
  page,
  desk,
}) => {
  const { id } = await desk.addArtwork({ title: 'Haldi' })
  await desk.open('Gallery')
  await card(page, 'Haldi').getByRole('button', { name: 'Hide' }).click()
  await expectToast(page, 'Success', 'Artwork visibility updated.')
  await toast(page).hover()
  await desk.call('PUT', `/api/artworks/${id}`, { isAvailable: true })
  await expectAccessible(page)
  await undo(page).click()
  const failed = toast(page).getByRole('alert')
  await expect(failed).toContainText('Error')
  await expect(failed).toContainText(/changed|since|again/i)
})

test('Undo in a message that takes the place of another waits until it can have been read', async ({
  page,
  desk,
}) => {
  for (const title of ['Haldi', 'Neel']) await desk.addArtwork({ title })
  await desk.open('Gallery')
  await page.clock.install()
  // An hour ahead: from here on time passes only where it is said.
  await page.clock.pauseAt(new Date(Date.now() + 3_600_000))
  await page.getByRole('button', { name: 'Hide Haldi' }).click()
  await expect(undo(page)).toBeEnabled()
  await page.getByRole('button', { name: 'Hide Neel' }).click()
  await expect(undo(page)).toBeDisabled()
  // As a press that was on its way to the other one.
  await undo(page).click({ force: true })
  await page.clock.runFor(500)
  await undo(page).click()
  await page.clock.resume()
  await expect(card(page, 'Neel')).toContainText('Available')
  await expect(card(page, 'Haldi')).toContainText('Hidden')
})

test('the five seconds stand still under the pointer and the focus; F8 leads to the message, and back', async ({
  page,
  desk,
}) => {
  await desk.addArtwork({ title: 'Haldi' })
  await desk.open('Gallery')
  const hide = card(page, 'Haldi').getByRole('button', { name: /Hide|Show/ })
  await page.clock.install()
  // An hour ahead: from here on time passes only where it is said.
  await page.clock.pauseAt(new Date(Date.now() + 3_600_000))
  await hide.click()
  await expect(toast(page)).toBeVisible()
  await page.clock.runFor(200)
  const { x, y } = (await toast(page).boundingBox())!
  await page.mouse.move(x + 20, y + 20)
  await page.clock.runFor(60_000)
  await expect(toast(page)).toBeVisible()
  await page.mouse.move(5, 5)
  await page.clock.runFor(4_000)
  await page.keyboard.press('F8')
  await expect(undo(page)).toBeFocused()
  await page.clock.runFor(60_000)
  await expect(toast(page)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(hide).toBeFocused()
  await page.clock.runFor(1_000)
  await expect(toast(page)).toContainText('Undone.')
  await page.clock.runFor(5_100)
  await expect(toast(page)).toHaveCount(0)
  // Gone, it leaves nothing in the way.
  expect(
    await page.locator('[data-toasts]').evaluate((place) => {
      const { left, right, top, height } = place.getBoundingClientRect()
      return document.elementsFromPoint((left + right) / 2, top + height / 2).includes(place)
    }),
  ).toBe(false)
})

for (const size of SIZES) {
  test(`a toast covers no word of the question before a deletion at ${size.width} × ${size.height}`, async ({
    page,
    desk,
  }) => {
    await page.setViewportSize(size)
    await desk.addArtwork({ title: 'Haldi' })
    await desk.open('Gallery')
    await card(page, 'Haldi').getByRole('button', { name: 'Hide Haldi' }).click()
    await hold(page)
    await card(page, 'Haldi').getByRole('button', { name: 'Delete Haldi' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete Artwork' })
    await expect(question.getByText(/Recently deleted/)).toBeVisible()
    await expect(toast(page)).toBeVisible()
    const under = () =>
      question.evaluate((element) => {
        const over = document.querySelector('[data-toasts] li')?.getBoundingClientRect()
        return [...element.querySelectorAll('p, small, footer button')].flatMap((part) => {
          const { left, top, right, bottom } = part.getBoundingClientRect()
          if (!over) return ['no message']
          const isApart = over.right <= left || over.left >= right || over.bottom <= top || over.top >= bottom
          return isApart ? [] : [part.textContent]
        })
      })
    await expect.poll(under).toEqual([])
  })
}

test("after Hide the message leaves the next card's button free at 360 px", async ({ page, desk }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  for (const title of ['Haldi', 'Neel', 'Salt Pans', 'Lotus Tank']) await desk.addArtwork({ title })
  await desk.open('Gallery')
  const hides = page.locator('[data-action="visibility"]')
  await hides.nth(0).focus()
  // The next card's button lies where the message stands at home.
  const { y } = (await hides.nth(1).boundingBox())!
  await page
    .locator('[data-scrolls]')
    .evaluate((element, by) => element.scrollBy({ top: by, behavior: 'instant' }), y - 620)
  await page.keyboard.press('Enter')
  await hold(page)
  const isFree = () =>
    hides.nth(1).evaluate((button) => {
      const { left, top, width, height } = button.getBoundingClientRect()
      return button.contains(document.elementFromPoint(left + width / 2, top + height / 2))
    })
  await expect.poll(isFree).toBe(true)
  await expectNothingCovered(page)
})

test('among the works on offer, Hide takes the card away and the focus to the next one, each time', async ({
  page,
  desk,
}) => {
  for (const title of ['Haldi', 'Neel', 'Salt Pans', 'Lotus Tank']) await desk.addArtwork({ title })
  await desk.open('Gallery')
  await page.getByRole('combobox', { name: 'State' }).click()
  await page.getByRole('option', { name: 'Available' }).click()
  const hides = page.locator('[data-action="visibility"]')
  for (let left = 4; left > 1; left -= 1) {
    await expect(hides).toHaveCount(left)
    const next = await hides.nth(1).getAttribute('aria-label')
    // First the other card has the focus.
    await hides.nth(left > 2 ? 2 : 1).focus()
    await hides.nth(0).focus()
    // Another key says that the next press is one of its own, however soon it comes.
    await page.keyboard.press('Shift')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: next!, exact: true })).toBeFocused()
    await expectNothingCovered(page)
  }
})

test('at 360 px “Recently deleted” and the activity carry their names', async ({ page, desk }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await desk.addArtwork({ title: 'Haldi' })
  await desk.open('Gallery')
  for (const name of ['Recently deleted', 'Activity']) {
    const button = page.getByRole('button', { name, exact: true })
    await expect(button).toBeInViewport({ ratio: 0.99 })
    // What is seen of it, not what is only read out.
    expect(await button.innerText()).toBe(name)
  }
})
