/// <reference lib="dom" />
import type { Locator, Page } from '@playwright/test'
import type { Artwork } from '#web/contract/artworks.ts'
import type { Category } from '#web/contract/taxonomy.ts'
import { held, visit } from '../support/visit.ts'
import { chooseTab, openDashboard } from './dashboard.ts'
import { uploadPainting } from './images.ts'
import { card, type Desk, expect, expectToast, painting, test } from './desk.ts'

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const titles = (artworks: readonly Artwork[]): readonly string[] => artworks.map(({ title }) => title)
/** What the addresses of all sizes of this image hold. */
const inAddresses = (imageUrl: string): RegExp => new RegExp(imageUrl.split('/')[2] ?? 'no image')
const offer = (page: Page) => page.getByRole('status').filter({ hasText: 'was not saved' })

/** Reloads a page that asks whether what is unsaved may go. */
async function reloadAnyway(page: Page): Promise<void> {
  page.once('dialog', (question) => void question.accept())
  await page.reload()
}

/** The first call of this kind is carried out, and its answer is lost on the way, once `lost` is there. */
async function losingAnswer(
  page: Page,
  address: string,
  method: string,
  lost?: Promise<void>,
): Promise<void> {
  let isFirst = true
  await page.route(address, async (route) => {
    if (!isFirst || route.request().method() !== method) return route.fallback()
    isFirst = false
    await route.fetch()
    await lost
    await route.abort()
  })
}

async function fillNew(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Add New Artwork' }).click()
  await dialog(page, 'Add New Artwork').locator('input[type="file"]').first().setInputFiles(painting('kajal'))
  await page.getByLabel('Title').fill(title)
  await expectToast(page, 'Success', 'Image uploaded successfully.')
}

/** Adds an artwork; its answer is lost, and the form says so. */
async function addLosingAnswer(page: Page, title: string): Promise<void> {
  await losingAnswer(page, '**/api/artworks', 'POST')
  await fillNew(page, title)
  await page.getByRole('button', { name: 'Add Artwork' }).click()
  await expectToast(page, 'Error', 'Failed to add artwork.')
}

test('an artwork that was added though its answer was lost is not added again after a reload', async ({
  page,
  desk,
}) => {
  await desk.open('Gallery')
  await addLosingAnswer(page, 'Kajal')
  await reloadAnyway(page)
  await offer(page).getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('button', { name: 'Add Artwork' }).click()
  await expect(dialog(page, 'Add New Artwork')).toBeHidden()
  expect(titles(await desk.call('GET', '/api/artworks'))).toEqual(['Kajal'])
})

test('corrected after a lost answer, a new artwork is one, and as corrected', async ({ page, desk }) => {
  await desk.open('Gallery')
  await addLosingAnswer(page, 'Kajla')
  await page.getByLabel('Title').fill('Kajal')
  await page.getByRole('button', { name: 'Add Artwork' }).click()
  await expect(card(page, 'Kajal')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(titles(await desk.call('GET', '/api/artworks'))).toEqual(['Kajal'])
})

test('corrected after a lost answer and a reload, a new artwork is one, and as corrected', async ({
  page,
  desk,
}) => {
  await desk.open('Gallery')
  await addLosingAnswer(page, 'Kajla')
  await reloadAnyway(page)
  await offer(page).getByRole('button', { name: 'Restore' }).click()
  await page.getByLabel('Title').fill('Kajal')
  await page.getByRole('button', { name: 'Add Artwork' }).click()
  await expect(card(page, 'Kajal')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(titles(await desk.call('GET', '/api/artworks'))).toEqual(['Kajal'])
})

test('a tab that dies while what was sent again is corrected adds no second artwork', async ({
  page,
  desk,
}) => {
  await desk.open('Gallery')
  await addLosingAnswer(page, 'Kajla')
  await page.getByLabel('Title').fill('Kajal')
  const correction = await held(page, '**/api/artworks/*', 'PUT')
  const asked = page.waitForRequest((request) => request.method() === 'PUT')
  await page.getByRole('button', { name: 'Add Artwork' }).click()
  await asked
  await reloadAnyway(page)
  await correction.letGo()
  await offer(page).getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByLabel('Title')).toHaveValue('Kajal')
  await page.getByRole('button', { name: 'Update Artwork' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(titles(await desk.call('GET', '/api/artworks'))).toEqual(['Kajal'])
})

test('what is typed and put back while a new one is sent again waits as a draft while it is corrected', async ({
  page,
  desk,
}) => {
  await desk.open('Categories')
  await losingAnswer(page, '**/api/categories', 'POST')
  await page.getByRole('button', { name: 'Add Category' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('Hills')
  await form.getByRole('button', { name: 'Add Category' }).click()
  await expectToast(page, 'Error', 'Failed to create category')
  await form.getByLabel('Name').fill('Slopes')
  const adding = await held(page, '**/api/categories', 'POST')
  const correcting = await held(page, '**/api/categories/*', 'PUT')
  const asked = page.waitForRequest((request) => request.method() === 'PUT')
  await form.getByRole('button', { name: 'Add Category' }).click()
  await form.getByLabel('Description').fill('Of the Nilgiris')
  await form.getByLabel('Name').fill('Hills')
  await adding.letGo()
  await asked
  await reloadAnyway(page)
  await correcting.letGo()
  await offer(page).getByRole('button', { name: 'Restore' }).click()
  await expect(form.getByLabel('Description')).toHaveValue('Of the Nilgiris')
  const [added] = await desk.call<Category[]>('GET', '/api/categories')
  // What a slow site makes of the correction that the page had sent.
  await desk.call('PUT', `/api/categories/${added?.id}`, { name: 'Slopes' })
  await form.getByRole('button', { name: 'Keep mine' }).click()
  await form.getByRole('button', { name: 'Update Category' }).click()
  await expect(form).toHaveCount(0)
  expect(await desk.call('GET', '/api/categories')).toMatchObject([
    { name: 'Hills', description: 'Of the Nilgiris' },
  ])
})

for (const [where, name] of [
  ['in its form', 'Hills'],
  ['from its draft', 'Rivers'],
] as const)
  test(`corrected after a lost answer, a new category is one, and as corrected, ${where}`, async ({
    page,
    desk,
  }) => {
    await desk.open('Categories')
    await losingAnswer(page, '**/api/categories', 'POST')
    await page.getByRole('button', { name: 'Add Category' }).click()
    const form = dialog(page, 'Add Category')
    await form.getByLabel('Name').fill(name)
    await form.getByRole('button', { name: 'Add Category' }).click()
    await expectToast(page, 'Error', 'Failed to create category')
    if (where === 'from its draft') {
      await reloadAnyway(page)
      await offer(page).getByRole('button', { name: 'Restore' }).click()
    }
    await form.getByLabel('Description').fill('Up there')
    await form.getByRole('button', { name: 'Add Category' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    const categories = await desk.call<{ name: string; description: string }[]>('GET', '/api/categories')
    const descriptions = categories.flatMap((each) => (each.name === name ? [each.description] : []))
    expect(descriptions).toEqual(['Up there'])
  })

test('another picture after a lost answer and a reload is a correction of the one artwork', async ({
  page,
  desk,
}) => {
  await desk.open('Gallery')
  await addLosingAnswer(page, 'Kajal')
  await reloadAnyway(page)
  await offer(page).getByRole('button', { name: 'Restore' }).click()
  await dialog(page, 'Add New Artwork')
    .locator('input[type="file"]')
    .first()
    .setInputFiles(painting('monsoon'))
  await expectToast(page, 'Success', 'Image uploaded successfully.')
  const [before] = await desk.call<Artwork[]>('GET', '/api/artworks')
  await page.getByRole('button', { name: 'Add Artwork' }).click()
  await expect(dialog(page, 'Add New Artwork')).toBeHidden()
  const now = await desk.call<Artwork[]>('GET', '/api/artworks')
  expect(now.map(({ id }) => id)).toEqual([before?.id])
  expect(now[0]?.imageUrl).not.toBe(before?.imageUrl)
})

test('hidden after a lost answer and a session that has ended, a new artwork is one, and hidden', async ({
  page,
  context,
  desk,
}) => {
  await desk.open('Gallery')
  await addLosingAnswer(page, 'Kajal')
  await page.getByRole('switch', { name: 'Show on website' }).click()
  await context.clearCookies()
  await page.getByRole('button', { name: 'Add Artwork' }).click()
  await expect(dialog(page, 'Admin Login')).toBeVisible()
  await desk.open('Gallery')
  await offer(page).getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('button', { name: 'Add Artwork' }).click()
  await expect(dialog(page, 'Add New Artwork')).toBeHidden()
  const artworks = await desk.call<Artwork[]>('GET', '/api/artworks')
  expect(artworks.map(({ title, isVisible }) => ({ title, isVisible }))).toEqual([
    { title: 'Kajal', isVisible: false },
  ])
})

test('hidden after a lost answer, a new artwork is hidden, though it was sent to be shown', async ({
  page,
  desk,
}) => {
  await desk.open('Gallery')
  await addLosingAnswer(page, 'Kajal')
  await page.getByRole('switch', { name: 'Show on website' }).click()
  await page.getByRole('switch', { name: 'Available' }).click()
  await page.getByRole('button', { name: 'Add Artwork' }).click()
  await expect(dialog(page, 'Add New Artwork')).toBeHidden()
  const artworks = await desk.call<Artwork[]>('GET', '/api/artworks')
  expect(artworks.map(({ title, isVisible, isAvailable }) => ({ title, isVisible, isAvailable }))).toEqual([
    { title: 'Kajal', isVisible: false, isAvailable: false },
  ])
})

for (const [where, isReloaded] of [
  ['in its form', false],
  ['from its draft', true],
] as const)
  test(`another artwork of an image whose answer was lost is one of its own, ${where}`, async ({
    page,
    desk,
  }) => {
    await desk.open('Gallery')
    await addLosingAnswer(page, 'Kajal, large print')
    await reloadAnyway(page)
    await expect(card(page, 'Kajal, large print')).toBeVisible()
    await offer(page).getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard draft' }).click()
    await fillNew(page, 'Kajal, small print')
    if (isReloaded) {
      await reloadAnyway(page)
      await offer(page).getByRole('button', { name: 'Restore' }).click()
    }
    await page.getByRole('button', { name: 'Add Artwork' }).click()
    await expect(card(page, 'Kajal, small print')).toBeVisible()
    await expect(dialog(page, 'Edit Artwork')).toBeHidden()
    expect(titles(await desk.call('GET', '/api/artworks')).toSorted()).toEqual([
      'Kajal, large print',
      'Kajal, small print',
    ])
  })

test('a draft of another like this brings back what was copied', async ({ page, desk }) => {
  await desk.addArtwork({ title: 'First of a series', price: 45_000, medium: 'Oil', isVisible: false })
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'More: First of a series' }).click()
  await page.getByRole('menuitem', { name: 'Add another like this' }).click()
  await page.getByLabel('Title').fill('Second of a series')
  await reloadAnyway(page)
  await offer(page).getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByLabel('Title')).toHaveValue('Second of a series')
  await expect(page.getByLabel('Price (₹)')).toHaveValue('45000')
  await expect(page.getByRole('combobox', { name: 'Medium' })).toHaveValue('Oil')
  await expect(page.getByRole('switch', { name: 'Show on website' })).not.toBeChecked()
  await expect(page.getByText('changed meanwhile')).toBeHidden()
})

test('a form that is closed while it is saved says so, and closes no other when it is done', async ({
  page,
  desk,
}) => {
  await desk.addArtwork({ title: 'Haldi' })
  await desk.addArtwork({ title: 'Lotus' })
  await desk.open('Gallery')
  const save = await held(page, '**/api/artworks/*', 'PUT')
  await page.getByRole('button', { name: 'Edit Haldi' }).click()
  await page.getByLabel('Price (₹)').fill('7000')
  await page.getByRole('button', { name: 'Update Artwork' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('alertdialog', { name: 'Still saving' })).toBeVisible()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close' }).click()
  await expect(dialog(page, 'Edit Artwork')).toBeHidden()
  await expect(offer(page)).toBeHidden()
  await page.getByRole('button', { name: 'Edit Lotus' }).click()
  await page.getByLabel('Title').fill('White Lotus')
  await save.letGo()
  await expectToast(page, 'Success', 'Artwork updated successfully.')
  await expect(page.getByLabel('Title')).toHaveValue('White Lotus')
  await page.getByRole('button', { name: 'Update Artwork' }).click()
  await expect(card(page, 'White Lotus')).toBeVisible()
  await expect(card(page, 'Haldi')).toContainText('₹7,000')
  await expect(offer(page)).toBeHidden()
})

for (const isLate of [false, true])
  test(`the question about a save goes with its form, and the focus comes back${isLate ? ', also where it hears of that late' : ''}`, async ({
    page,
    desk,
  }) => {
    await desk.addArtwork({ title: 'Haldi' })
    await desk.open('Gallery')
    const question = page.getByRole('alertdialog', { name: 'Still saving' })
    const save = await held(page, '**/api/artworks/*', 'PUT')
    await page.getByRole('button', { name: 'Edit Haldi' }).click()
    await page.getByLabel('Price (₹)').fill('7000')
    await page.getByRole('button', { name: 'Update Artwork' }).click()
    await page.keyboard.press('Escape')
    await expect(question).toBeVisible()
    if (isLate)
      await page.evaluate(() => {
        const soon = setTimeout
        // What is to be done next, without a time that is said, is done a busy browser's moment later.
        window.setTimeout = ((work: TimerHandler, ms = 300) => soon(work, ms)) as typeof setTimeout
      })
    await save.letGo()
    await expectToast(page, 'Success', 'Artwork updated successfully.')
    await expect(question).toBeHidden()
    await expect(dialog(page, 'Edit Artwork')).toBeHidden()
    await expect(page.getByRole('button', { name: 'Edit Haldi' })).toBeFocused()
  })

test('the question about a save that is under way goes when there is nothing to ask any more', async ({
  page,
  desk,
}) => {
  const question = page.getByRole('alertdialog', { name: 'Still saving' })
  await desk.open('Content')
  const content = await held(page, '**/api/site-content', 'PUT')
  await page.getByLabel('Main Quote').fill(`Said at ${Date.now()}`)
  await page.getByRole('button', { name: 'Save Changes' }).first().click()
  await page.getByRole('tab', { name: 'Blog' }).click()
  await expect(question).toBeVisible()
  await content.letGo()
  await expect(question).toBeHidden()
  // Where she wanted to go.
  await expect(page.getByRole('tab', { name: 'Blog' })).toHaveAttribute('aria-selected', 'true')
})

for (const address of ['/admin', '/'])
  for (const waits of [true, false])
    test(`from ${address}, View site leads to the homepage ${waits ? 'once a save has come' : 'beside a save'}, and asks about it once`, async ({
      page,
      desk,
      workshop: { site },
    }) => {
      const question = page.getByRole('alertdialog', { name: 'Still saving' })
      await desk.open('Content')
      if (address === '/') {
        await visit(page, `${site.url}/`)
        await page.getByRole('button', { name: 'Admin' }).click()
      }
      const content = await held(page, '**/api/site-content', 'PUT')
      await page.getByLabel('Main Quote').fill(`Said at ${Date.now()}`)
      await page.getByRole('button', { name: 'Save Changes' }).first().click()
      await page.getByRole('button', { name: 'View site' }).click()
      await expect(question).toBeVisible()
      if (waits) await content.letGo()
      else await question.getByRole('button', { name: 'Close' }).click()
      await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeHidden()
      await expect(page).toHaveURL(`${site.url}/`)
      await content.letGo()
    })

test('a save that fails while it is asked about leaves the draft that the question promised', async ({
  page,
  desk,
}) => {
  await desk.addArtwork({ title: 'Haldi' })
  await desk.open('Gallery')
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/artworks/*', async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback()
    await promise
    await route.abort()
  })
  await page.getByRole('button', { name: 'Edit Haldi' }).click()
  await page.getByLabel('Price (₹)').fill('7000')
  await page.getByRole('button', { name: 'Update Artwork' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  const question = page.getByRole('alertdialog', { name: 'Still saving' })
  await expect(question).toBeVisible()
  resolve()
  await expectToast(page, 'Error', 'Failed to update artwork.')
  await question.getByRole('button', { name: 'Close' }).click()
  await offer(page).getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByLabel('Price (₹)')).toHaveValue('7000')
})

test('what was left in another tab is not written over by one that stood open', async ({ page, desk }) => {
  await desk.open('Content')
  const second = await page.context().newPage()
  await visit(second, `${desk.site.url}/admin`)
  await second.getByLabel('Studio Address').fill('Typed in the second tab')
  const drafts = (): Promise<readonly string[]> =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('atelier.draft.')))
  await expect.poll(drafts).toHaveLength(1)
  await second.close()
  await page.getByLabel('Main Quote').fill('Typed in the first')
  await expect.poll(drafts).toHaveLength(2)
  await reloadAnyway(page)
  await offer(page).getByRole('button', { name: 'Restore' }).click()
  await offer(page).getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByLabel('Studio Address')).toHaveValue('Typed in the second tab')
  await expect(page.getByLabel('Main Quote')).toHaveValue('Typed in the first')
})

test('a draft that is saved by now is gone when it is restored', async ({ page, desk }) => {
  await desk.open('Content')
  await page.getByLabel('Main Quote').fill('The same')
  await reloadAnyway(page)
  await page.getByLabel('Main Quote').fill('The same')
  await page.getByRole('button', { name: 'Save Changes' }).first().click()
  await expectToast(page, 'Success', 'Site content updated successfully.')
  await offer(page).getByRole('button', { name: 'Restore' }).click()
  await expect(offer(page)).toBeHidden()
  await page.reload()
  await expect(page.getByLabel('Main Quote')).toHaveValue('The same')
  await expect(offer(page)).toBeHidden()
})

test('a draft of a new artwork that another tab has added is offered no more', async ({ page, desk }) => {
  await desk.open('Gallery')
  await fillNew(page, 'Kajal')
  await reloadAnyway(page)
  await page.getByRole('button', { name: 'Add New Artwork' }).click()
  const offered = offer(page).filter({ visible: true })
  await expect(offered).toBeVisible()
  const second = await page.context().newPage()
  await openDashboard(second, desk.site, 'Gallery')
  await offer(second).getByRole('button', { name: 'Restore' }).click()
  await second.getByRole('button', { name: 'Add Artwork' }).click()
  await expect(card(second, 'Kajal')).toBeVisible()
  await expect(offered).toBeHidden()
})

test('what is typed after Save was pressed stays in the form', async ({ page, desk }) => {
  await desk.addArtwork({ title: 'Haldi' })
  await desk.open('Gallery')
  const save = await held(page, '**/api/artworks/*', 'PUT')
  await page.getByRole('button', { name: 'Edit Haldi' }).click()
  await page.getByLabel('Price (₹)').fill('7000')
  await page.getByRole('button', { name: 'Update Artwork' }).click()
  await page.getByLabel('Description').fill('Turmeric on a brass plate.')
  await save.letGo()
  await expectToast(page, 'Success', 'Artwork updated successfully.')
  await expect(page.getByLabel('Description')).toHaveValue('Turmeric on a brass plate.')
  await page.getByRole('button', { name: 'Update Artwork' }).click()
  await expect(dialog(page, 'Edit Artwork')).toBeHidden()
  expect((await desk.call<Artwork[]>('GET', '/api/artworks'))[0]).toMatchObject({
    price: 7_000,
    description: 'Turmeric on a brass plate.',
  })
})

/** Adds a hidden artwork and opens its form; `shown` is the switch that hides it. */
async function editHidden(page: Page, desk: Desk) {
  const { id } = await desk.addArtwork({ title: 'Sholapur', isVisible: false })
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Edit Sholapur' }).click()
  const edited = dialog(page, 'Edit Artwork')
  const shown = edited.getByRole('switch', { name: 'Show on website' })
  return { id, edited, shown }
}

test('what is put back as it was while it is saved stays so, and is unsaved', async ({ page, desk }) => {
  const { edited, shown } = await editHidden(page, desk)
  await shown.click()
  await expect(shown).toBeChecked()
  const save = await held(page, '**/api/artworks/*', 'PUT')
  await edited.getByRole('button', { name: 'Update Artwork' }).click()
  await shown.click()
  await save.letGo()
  await expectToast(page, 'Success', 'Artwork updated successfully.')
  await expect(shown).not.toBeChecked()
  await edited.getByRole('button', { name: 'Update Artwork' }).click()
  await expect(edited).toBeHidden()
  expect(await desk.call<Artwork[]>('GET', '/api/artworks')).toMatchObject([{ isVisible: false }])
})

test('what is put back while it is saved is unsaved, also where the list cannot be fetched after it', async ({
  page,
  desk,
}) => {
  await page.route('**/api/changes*', (route) => route.abort())
  const { edited, shown } = await editHidden(page, desk)
  await shown.click()
  const save = await held(page, '**/api/artworks/*', 'PUT')
  await edited.getByRole('button', { name: 'Update Artwork' }).click()
  await shown.click()
  await page.route('**/api/artworks', (route) => route.abort())
  await save.letGo()
  await expectToast(page, 'Success', 'Artwork updated successfully.')
  await expect(shown).not.toBeChecked()
  await edited.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click()
  await page.unroute('**/api/artworks')
  const list = await held(page, '**/api/artworks', 'GET')
  const asked = page.waitForRequest((request) => request.url().endsWith('/api/artworks'))
  // The list is of before: the first press fetches it, and is not over until it is there.
  await edited.getByRole('button', { name: 'Update Artwork' }).click()
  await asked
  await expect(edited.getByRole('button', { name: 'Updating...' })).toHaveAttribute('aria-busy', 'true')
  await expect(edited).not.toContainText('Something else was changed here meanwhile.')
  await list.letGo()
  await expect(edited).toContainText('Something else was changed here meanwhile.')
  await edited.getByRole('button', { name: 'Update Artwork' }).click()
  await expect(edited).toBeHidden()
  expect(await desk.call<Artwork[]>('GET', '/api/artworks')).toMatchObject([{ isVisible: false }])
})

/** Shows a hidden artwork, and hides it again in its form while that is being saved; the save gets no answer once `lose` is called. */
async function putBackWhileSaved(page: Page, desk: Desk) {
  const { promise: lost, resolve: lose } = Promise.withResolvers<void>()
  const { edited, shown } = await editHidden(page, desk)
  const update = edited.getByRole('button', { name: /^Updat/ })
  await page.route('**/api/artworks/*', async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback()
    await route.fetch()
    await lost
    // Of a page that is gone nothing is left to lose.
    await route.abort().catch(() => undefined)
  })
  await shown.click()
  const stored = page.waitForRequest((request) => request.method() === 'PUT')
  await update.click()
  await stored
  await shown.click()
  const isHidden = async (): Promise<boolean> =>
    (await desk.call<Artwork[]>('GET', '/api/artworks')).every(({ isVisible }) => !isVisible)
  await expect.poll(isHidden).toBe(false)
  const save = async (): Promise<void> => {
    await page.unroute('**/api/artworks/*')
    await edited.getByRole('button', { name: 'Keep mine' }).click()
    await expect(shown).not.toBeChecked()
    await update.click()
    await expect(edited).toBeHidden()
    await expect.poll(isHidden).toBe(true)
  }
  return { lose, shown, update, save }
}

test('what is put back while it is saved is unsaved, also where that gets no answer', async ({
  page,
  desk,
}) => {
  const { lose, save } = await putBackWhileSaved(page, desk)
  lose()
  await expectToast(page, 'Error', 'Failed to update artwork.')
  await save()
})

for (const next of ['is made', 'is refused for its fields'])
  test(`what is put back after a save without an answer is unsaved until it is known what that save did, also where the next one ${next}`, async ({
    page,
    desk,
  }) => {
    await page.route('**/api/changes*', (route) => route.abort())
    const { lose, shown, update, save } = await putBackWhileSaved(page, desk)
    lose()
    await expectToast(page, 'Error', 'Failed to update artwork.')
    await expect(shown).not.toBeChecked()
    await page.unroute('**/api/artworks/*')
    if (next !== 'is made') {
      const json = { message: 'Not this title', fields: { title: 'Not this title' } }
      await page.route('**/api/artworks/*', (route) => route.fulfill({ status: 422, json }))
      await update.click()
      await expect(page.getByText('Not this title')).toBeVisible()
      await page.unroute('**/api/artworks/*')
    }
    // It names the version of before the save that was lost.
    await update.click()
    await save()
  })

test('what is put back while it is saved stays, also where that save meets another one', async ({
  page,
  desk,
}) => {
  await page.route('**/api/changes*', (route) => route.abort())
  const { id, edited, shown } = await editHidden(page, desk)
  const save = await held(page, '**/api/artworks/*', 'PUT')
  await shown.click()
  await edited.getByRole('button', { name: 'Update Artwork' }).click()
  await desk.call('PUT', `/api/artworks/${id}`, { isVisible: true })
  await shown.click()
  await save.letGo()
  await edited.getByRole('button', { name: 'Keep mine' }).click()
  await expect(shown).not.toBeChecked()
  await edited.getByRole('button', { name: 'Update Artwork' }).click()
  await expect(edited).toBeHidden()
  expect(await desk.call<Artwork[]>('GET', '/api/artworks')).toMatchObject([{ isVisible: false }])
})

for (const when of ['while a new artwork is corrected', 'after a correction'])
  test(`what is put back ${when} without an answer is unsaved until it is known what that did`, async ({
    page,
    desk,
  }) => {
    await page.route('**/api/changes*', (route) => route.abort())
    await desk.open('Gallery')
    await fillNew(page, 'Kajal')
    const form = page.getByRole('dialog')
    const shown = form.getByRole('switch', { name: 'Show on website' })
    const { promise: lost, resolve: lose } = Promise.withResolvers<void>()
    await shown.click()
    await losingAnswer(page, '**/api/artworks', 'POST')
    await losingAnswer(page, '**/api/artworks/*', 'PUT', lost)
    await page.getByRole('button', { name: 'Add Artwork' }).click()
    await expectToast(page, 'Error', 'Failed to add artwork.')
    await shown.click()
    const corrected = page.waitForRequest((request) => request.method() === 'PUT')
    await page.getByRole('button', { name: 'Add Artwork' }).click()
    await corrected
    if (when.startsWith('while')) await shown.click()
    lose()
    await expectToast(page, 'Error', 'Failed to update artwork.')
    if (when.startsWith('after')) await shown.click()
    await form.getByRole('button', { name: 'Update Artwork' }).click()
    await form.getByRole('button', { name: 'Keep mine' }).click()
    await form.getByRole('button', { name: 'Update Artwork' }).click()
    await expect(form).toBeHidden()
    expect(await desk.call<Artwork[]>('GET', '/api/artworks')).toMatchObject([{ isVisible: false }])
  })

test('what is put back while it is saved is a draft once the page dies', async ({ page, desk }) => {
  const { save } = await putBackWhileSaved(page, desk)
  await reloadAnyway(page)
  await offer(page).getByRole('button', { name: 'Restore' }).click()
  await save()
})

test('what is put back while it is saved is a draft also where its form is closed and the save gets no answer', async ({
  page,
  desk,
}) => {
  await page.route('**/api/changes*', (route) => route.abort())
  const { lose, shown, update, save } = await putBackWhileSaved(page, desk)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('alertdialog', { name: 'Still saving' }).getByRole('button', { name: 'Close' }).click()
  lose()
  await expectToast(page, 'Error', 'Failed to update artwork.')
  await page.unroute('**/api/artworks/*')
  await offer(page).getByRole('button', { name: 'Restore' }).click()
  await expect(shown).not.toBeChecked()
  // The list is of before that save.
  await update.click()
  await save()
})

for (const when of ['before', 'after'])
  test(`what is put back ${when} the page dies, which the site saves later, stays so`, async ({
    page,
    desk,
  }) => {
    const { id, edited, shown } = await editHidden(page, desk)
    const update = edited.getByRole('button', { name: /^Updat/ })
    const save = await held(page, '**/api/artworks/*', 'PUT')
    await shown.click()
    await update.click()
    if (when === 'before') await shown.click()
    await reloadAnyway(page)
    await page.unroute('**/api/artworks/*')
    await offer(page).getByRole('button', { name: 'Restore' }).click()
    if (when === 'after') await shown.click()
    await expect(shown).not.toBeChecked()
    // What a slow site makes of the save that the page had sent.
    await desk.call('PUT', `/api/artworks/${id}`, { isVisible: true })
    await edited.getByRole('button', { name: 'Keep mine' }).click()
    await update.click()
    await expect(edited).toBeHidden()
    expect(await desk.call<Artwork[]>('GET', '/api/artworks')).toMatchObject([{ isVisible: false }])
    await save.letGo().catch(() => undefined)
  })

test('a draft that is restored takes nothing of what was typed since', async ({ page, desk }) => {
  await desk.open('Content')
  await page.getByLabel('Main Quote').fill('Of yesterday')
  await reloadAnyway(page)
  await expect(offer(page)).toBeVisible()
  await page.getByLabel('Studio Address').fill('Typed since')
  await page.getByLabel('Main Quote').fill('Of today')
  await offer(page).getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByLabel('Studio Address')).toHaveValue('Typed since')
  await expect(page.getByLabel('Main Quote')).toHaveValue('Of yesterday')
  // What it took the place of is offered in its turn.
  await offer(page).getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByLabel('Main Quote')).toHaveValue('Of today')
  await expect(page.getByLabel('Studio Address')).toHaveValue('Typed since')
})

test('an artwork that is deleted while it is edited is restored in its form', async ({ page, desk }) => {
  const { id } = await desk.addArtwork({ title: 'Haldi' })
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Edit Haldi' }).click()
  await page.getByLabel('Description').fill('Turmeric on a brass plate.')
  await desk.call('DELETE', `/api/artworks/${id}`)
  const notice = page.getByRole('alert').filter({ hasText: 'deleted meanwhile' })
  await notice.getByRole('button', { name: 'Restore' }).click()
  await expect(notice).toBeHidden()
  await page.getByRole('button', { name: 'Update Artwork' }).click()
  await expect(dialog(page, 'Edit Artwork')).toBeHidden()
  expect((await desk.call<Artwork>('GET', `/api/artworks/${id}`)).description).toBe(
    'Turmeric on a brass plate.',
  )
})

test('a sample that is removed while it is edited comes back by the activity alone', async ({
  page,
  desk,
}) => {
  const { id } = await desk.addArtwork({ title: 'Haldi' })
  await page.route('**/api/artworks', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch()
    const listed = (await response.json()) as readonly Artwork[]
    await route.fulfill({ response, json: listed.map((each) => ({ ...each, sample: true })) })
  })
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Edit Haldi' }).click()
  await page.getByLabel('Description').fill('Turmeric on a brass plate.')
  await desk.call('DELETE', `/api/artworks/${id}`)
  const notice = page.getByRole('alert').filter({ hasText: 'This sample was removed meanwhile' })
  await expect(notice).toContainText('in the activity brings it back')
  await expect(notice.getByRole('button', { name: 'Restore' })).toHaveCount(0)
  await expect(page.getByLabel('Description')).toHaveValue('Turmeric on a brass plate.')
})

test('a picture chosen and a name typed after Save was pressed keep the form open, and the picture is uploaded', async ({
  page,
  desk,
}) => {
  const { imageUrl } = await desk.addArtwork({ title: 'Haldi' })
  await desk.open('Gallery')
  const save = await held(page, '**/api/artworks/*', 'PUT')
  const upload = await held(page, '**/api/upload/**', 'POST')
  await page.getByRole('button', { name: 'Edit Haldi' }).click()
  const form = dialog(page, 'Edit Artwork')
  await page.getByLabel('Price (₹)').fill('7000')
  await form.getByRole('button', { name: 'Update Artwork' }).click()
  await form.getByText('Upload new file').click()
  await form.locator('input[type="file"]').first().setInputFiles(painting('monsoon'))
  await save.letGo()
  await expectToast(page, 'Success', 'Artwork updated successfully.')
  await expect(form.getByLabel('Upload', { exact: true })).toBeVisible()
  await upload.letGo()
  await expectToast(page, 'Success', 'Image uploaded successfully.')
  const again = await held(page, '**/api/artworks/*', 'PUT')
  await form.getByRole('button', { name: 'Update Artwork' }).click()
  await form.getByRole('combobox', { name: 'Category' }).fill('Walls of Indore')
  await again.letGo()
  await expect(form.getByRole('button', { name: 'Update Artwork' })).toBeVisible()
  await expect(form.getByRole('combobox', { name: 'Category' })).toHaveValue('Walls of Indore')
  const [now] = await desk.call<Artwork[]>('GET', '/api/artworks')
  expect(now).toMatchObject({ price: 7_000 })
  expect(now?.imageUrl).not.toBe(imageUrl)
})

test('a picture chosen while a new artwork is added becomes a change of it', async ({ page, desk }) => {
  await desk.open('Gallery')
  await fillNew(page, 'Kajal')
  const save = await held(page, '**/api/artworks', 'POST')
  const upload = await held(page, '**/api/upload/**', 'POST')
  await page.getByRole('button', { name: 'Add Artwork' }).click()
  await dialog(page, 'Add New Artwork')
    .locator('input[type="file"]')
    .first()
    .setInputFiles(painting('monsoon'))
  await page.getByLabel('Price (₹)').fill('7000')
  await save.letGo()
  await expectToast(page, 'Success', 'Artwork added successfully.')
  const form = dialog(page, 'Edit Artwork')
  await expect(form.getByLabel('Price (₹)')).toHaveValue('7000')
  const [added] = await desk.call<Artwork[]>('GET', '/api/artworks')
  await upload.letGo()
  await expectToast(page, 'Success', 'Image uploaded successfully.')
  await form.getByRole('button', { name: 'Update Artwork' }).click()
  await expect(form).toBeHidden()
  const now = await desk.call<Artwork[]>('GET', '/api/artworks')
  expect(now.map(({ id, price }) => ({ id, price }))).toEqual([{ id: added?.id, price: 7_000 }])
  expect(now[0]?.imageUrl).not.toBe(added?.imageUrl)
  await expect(offer(page)).toBeHidden()
})

test('a work is not updated while the new picture for it was not taken', async ({ page, desk }) => {
  await desk.addArtwork({ title: 'Haldi' })
  await desk.open('Gallery')
  await page.route('**/api/upload/**', (route) => route.fulfill({ status: 503, body: 'Busy' }))
  await page.getByRole('button', { name: 'Edit Haldi' }).click()
  const form = dialog(page, 'Edit Artwork')
  await form.getByText('Upload new file').click()
  const file = form.locator('input[type="file"]').first()
  await file.setInputFiles(painting('monsoon'))
  await expectToast(page, 'Upload Failed', 'Busy')
  await page.getByLabel('Price (₹)').fill('7000')
  await form.getByRole('button', { name: 'Update Artwork' }).click()
  await expect(file).toHaveAccessibleDescription(/Choose the picture again/)
  await expect(file).toBeFocused()
  await form.getByRole('radio', { name: 'Keep current' }).click()
  await form.getByRole('button', { name: 'Update Artwork' }).click()
  await expectToast(page, 'Success', 'Artwork updated successfully.')
})

/** Opens a work's form and chooses another picture there. */
async function editWithImage(page: Page, title: string): Promise<Locator> {
  await page.getByRole('button', { name: `Edit ${title}` }).click()
  const form = dialog(page, 'Edit Artwork')
  await form.getByText('Upload new file').click()
  await form.locator('input[type="file"]').first().setInputFiles(painting('monsoon'))
  return form
}

test('what waits for its picture is not sent while she is asked whether to discard it', async ({
  page,
  desk,
}) => {
  await desk.addArtwork({ title: 'Haldi', isVisible: false })
  await desk.open('Gallery')
  const upload = await held(page, '**/api/upload/**', 'POST')
  const form = await editWithImage(page, 'Haldi')
  await form.getByRole('switch', { name: 'Show on website' }).click()
  await form.getByRole('button', { name: 'Update Artwork' }).click()
  await form.getByRole('button', { name: 'Cancel', exact: true }).click()
  await upload.letGo()
  await expectToast(page, 'Success', 'Image uploaded successfully.')
  // The button behind the question waits for nothing any more.
  await expect(page.getByText('Update Artwork')).toHaveCount(1)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard changes' }).click()
  await expect(form).toBeHidden()
  expect(await desk.call<Artwork[]>('GET', '/api/artworks')).toMatchObject([{ isVisible: false }])
})

test('another picture chosen while the form waits for one is waited for, and saved', async ({
  page,
  desk,
}) => {
  await desk.addArtwork({ title: 'Haldi', isVisible: false })
  await desk.open('Gallery')
  const upload = await held(page, '**/api/upload/**', 'POST')
  const form = await editWithImage(page, 'Haldi')
  await form.getByRole('switch', { name: 'Show on website' }).click()
  await form.getByRole('button', { name: 'Update Artwork' }).click()
  await form.locator('input[type="file"]').first().setInputFiles(painting('kajal'))
  await upload.letGo()
  await expectToast(page, 'Success', 'Artwork updated successfully.')
  await expect(form).toBeHidden()
  expect(await desk.call<Artwork[]>('GET', '/api/artworks')).toMatchObject([{ isVisible: true }])
})

test('another payment code chosen while the form waits for one is waited for, and saved', async ({
  page,
  desk,
}) => {
  await desk.addArtwork({ title: 'Haldi', isVisible: false })
  await desk.open('Gallery')
  const upload = await held(page, '**/api/upload/**', 'POST')
  await page.getByRole('button', { name: 'Edit Haldi' }).click()
  const form = dialog(page, 'Edit Artwork')
  await form.getByText('More details').click()
  const code = form.locator('label[aria-busy] input[type="file"]')
  await code.setInputFiles(painting('monsoon'))
  await form.getByRole('switch', { name: 'Show on website' }).click()
  await form.getByRole('button', { name: 'Update Artwork' }).click()
  await code.setInputFiles(painting('kajal'))
  await upload.letGo()
  await expectToast(page, 'Success', 'Artwork updated successfully.')
  await expect(form).toBeHidden()
  const { qrCodeUrl, isVisible } = (await desk.call<Artwork[]>('GET', '/api/artworks'))[0] ?? {}
  expect({ qrCodeUrl, isVisible }).toEqual({
    qrCodeUrl: expect.stringContaining('/images/'),
    isVisible: true,
  })
})

test('of a save that is under way the question says so, whatever else is on its way', async ({
  page,
  desk,
}) => {
  await desk.addArtwork({ title: 'Haldi', isVisible: false })
  await desk.open('Gallery')
  const save = await held(page, '**/api/artworks/*', 'PUT')
  await held(page, '**/api/upload/**', 'POST')
  await page.getByRole('button', { name: 'Edit Haldi' }).click()
  const form = dialog(page, 'Edit Artwork')
  await form.getByRole('switch', { name: 'Show on website' }).click()
  await form.getByRole('button', { name: 'Update Artwork' }).click()
  await form.getByText('Upload new file').click()
  await form.locator('input[type="file"]').first().setInputFiles(painting('monsoon'))
  await form.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByRole('alertdialog', { name: 'Still saving' }).getByRole('button', { name: 'Close' }).click()
  await save.letGo()
  await expectToast(page, 'Success', 'Artwork updated successfully.')
})

test('a picture that was saved without an answer does not go again over another one', async ({
  page,
  desk,
  workshop,
}) => {
  const other = await uploadPainting(workshop.owner, 'kajal')
  const { id, imageUrl } = await desk.addArtwork({ title: 'Haldi' })
  await desk.open('Gallery')
  const form = await editWithImage(page, 'Haldi')
  await expectToast(page, 'Success', 'Image uploaded successfully.')
  await losingAnswer(page, '**/api/artworks/*', 'PUT')
  await form.getByRole('button', { name: 'Update Artwork' }).click()
  await expectToast(page, 'Error', 'Failed to update artwork.')
  const image = page.locator('article img')
  // Both at once would be a change made elsewhere, of which she is asked.
  await expect(image).not.toHaveAttribute('src', inAddresses(imageUrl))
  await desk.call('PUT', `/api/artworks/${id}`, { imageUrl: other })
  await expect(image).toHaveAttribute('src', inAddresses(other))
  await page.getByLabel('Price (₹)').fill('7000')
  await form.getByRole('button', { name: 'Update Artwork' }).click()
  await expect(form).toBeHidden()
  expect(await desk.call<Artwork[]>('GET', '/api/artworks')).toMatchObject([
    { price: 7_000, imageUrl: other },
  ])
})

test('the picture that is kept while another one is saved is shown, and sent next', async ({
  page,
  desk,
}) => {
  const { imageUrl } = await desk.addArtwork({ title: 'Haldi' })
  await desk.open('Gallery')
  const form = await editWithImage(page, 'Haldi')
  await expectToast(page, 'Success', 'Image uploaded successfully.')
  const save = await held(page, '**/api/artworks/*', 'PUT')
  await form.getByRole('button', { name: 'Update Artwork' }).click()
  await form.getByText('Keep current').click()
  await save.letGo()
  await expectToast(page, 'Success', 'Artwork updated successfully.')
  await expect(form.locator('img').first()).toHaveAttribute('src', imageUrl)
  await form.getByRole('button', { name: 'Update Artwork' }).click()
  await expect(form).toBeHidden()
  expect(await desk.call<Artwork[]>('GET', '/api/artworks')).toMatchObject([{ imageUrl }])
})

test('a save that fails once its tab was left and opened again is offered there', async ({ page, desk }) => {
  await desk.open('Content')
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/site-content', async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback()
    await promise
    await route.abort()
  })
  await page.getByLabel('Main Quote').fill('Sent, and not saved')
  await page.getByRole('button', { name: 'Save Changes' }).first().click()
  await page.getByRole('tab', { name: 'Blog' }).click()
  await page.getByRole('alertdialog', { name: 'Still saving' }).getByRole('button', { name: 'Close' }).click()
  await chooseTab(page, 'Content')
  await expect(page.getByLabel('Main Quote')).toBeVisible()
  await expect(offer(page)).toBeHidden()
  resolve()
  await expectToast(page, 'Error', 'Failed to update content. Please try again.')
  await offer(page).getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByLabel('Main Quote')).toHaveValue('Sent, and not saved')
})

test('going to a mistake scrolls the form, and never the dialog out of its frame', async ({ page, desk }) => {
  await desk.addArtwork({ title: 'Kajal' })
  await page.setViewportSize({ width: 360, height: 740 })
  await desk.open('Gallery')
  await page.getByRole('button', { name: 'Edit Kajal' }).click()
  const form = dialog(page, 'Edit Artwork')
  await form.getByText('More details').click()
  await form.getByLabel('Alt text').fill('a'.repeat(6_000))
  await form.getByRole('button', { name: 'Update Artwork' }).click()
  await expect(form.getByLabel('Alt text')).toBeFocused()
  await expect(form.getByLabel('Alt text')).toBeInViewport()
  expect(await form.evaluate(({ scrollTop }) => scrollTop)).toBe(0)
})
